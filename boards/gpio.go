package boards

import (
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// PinNumbers returns the pin number of each line, and the numbers of the pins to hold high, including select.
func (b *Board) PinNumbers() (pins map[string]int, high []int, err error) {
	pins = map[string]int{}
	for _, s := range transport.Lines {
		if pins[s], err = b.number(b.Pins[s]); err != nil {
			return nil, nil, err
		}
	}
	keep := b.HighPins
	if b.Mux != nil && b.Mux.Select.Name != "" {
		keep = append(slices.Clone(keep), b.Mux.Select)
	}
	for _, p := range keep {
		n, err := b.number(p)
		if err != nil {
			return nil, nil, err
		}
		high = append(high, n)
	}
	return pins, high, nil
}

// MuxPinNumbers returns the numbers of the mux's pins nrst, inc, ena and select, or -1 for none. Mux must not be nil.
func (b *Board) MuxPinNumbers() (n [4]int, err error) {
	for i, p := range []Pin{b.Mux.NRst, b.Mux.Inc, b.Mux.Ena, b.Mux.Select} {
		if p.Name == "" {
			n[i] = -1
		} else if n[i], err = b.number(p); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (b *Board) number(p Pin) (int, error) {
	n, err := strconv.ParseUint(p.Name, 10, 8)
	if err != nil {
		return 0, failure.Usagef("%s:%d: %q is not the number of a GPIO, and %s needs numbers", b.File, p.Line,
			p.Name, b.Transport)
	}
	return int(n), nil
}

// PinNames returns the name of each line's pin, for a transport that finds pins by name. Pins of a header are numbers,
// since the kernel's names of its lines differ between models.
func (b *Board) PinNames() map[string]string {
	names := map[string]string{}
	for s, p := range b.Pins {
		names[s] = p.Name
		if b.Header != "" {
			names[s] = strings.TrimPrefix(p.Name, "GPIO")
		}
	}
	return names
}

// taken parses `taken: {led: 11}`: pins with another use, which no line may use.
func (b *board) taken(_, value ast.Node) error {
	return b.yaml.Each(value, "taken", func(kv *ast.MappingValueNode) error {
		_, err := b.give(kv.Key.String(), kv.Value)
		return err
	})
}
