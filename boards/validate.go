package boards

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// entries gives the keys and values of a mapping. The YAML library has refused a key that comes twice.
func (b *board) entries(n ast.Node, what string) ([]*ast.MappingValueNode, error) {
	switch m := n.(type) {
	case *ast.MappingNode:
		return m.Values, nil
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{m}, nil
	}
	return nil, b.errorf(n, "%s has to be a mapping, KEY: VALUE", what)
}

func (b *board) top(n ast.Node) error {
	values, err := b.entries(n, "a board file")
	if err != nil {
		return err
	}
	fields := map[string]*string{"name": &b.Name, "title": &b.Title, "transport": &b.Transport, "revision": &b.Revision, "header": &b.Header}
	var pins, high ast.Node
	for _, kv := range values {
		key := kv.Key.String()
		field, ok := fields[key]
		switch {
		case key == "pins":
			pins = kv.Value
		case key == "high":
			high = kv.Value
		case key == "chip":
			if err := b.chips(kv.Value); err != nil {
				return err
			}
		case !ok:
			return b.errorf(kv.Key, "unknown key %q: allowed are name, title, transport, revision, header, chip, pins and high", key)
		default:
			if *field, ok = scalar(kv.Value); !ok {
				return b.errorf(kv.Key, "%s has to be a text", key)
			}
			if key == "revision" && *field != "tt08" && *field != "tt09" {
				return b.errorf(kv.Key, "unknown revision %q: allowed are tt08 and tt09", *field)
			}
			if key == "header" && *field != HeaderRPi {
				return b.errorf(kv.Key, "unknown header %q: allowed is %s", *field, HeaderRPi)
			}
		}
	}
	for _, must := range []string{"name", "transport"} {
		if *fields[must] == "" {
			return b.errorf(n, "no %s: a board file has name, title, transport and pins", must)
		}
	}
	if pins == nil {
		return b.errorf(n, "no pins: a board file maps %d signals to pins", len(Signals))
	}
	if err := b.allPins(pins); err != nil {
		return err
	}
	if err := b.checkHeader(); err != nil || high == nil {
		return err
	}
	return b.highPins(high)
}

// chips takes one label, or a list where the label depends on the model.
func (b *board) chips(n ast.Node) error {
	nodes := []ast.Node{n}
	if list, ok := n.(*ast.SequenceNode); ok {
		nodes = list.Values
	}
	for _, v := range nodes {
		label, ok := scalar(v)
		if !ok || label == "" {
			return b.errorf(n, "chip has to be the label of a GPIO chip, or a list of labels")
		}
		b.Chips = append(b.Chips, label)
	}
	if b.Chips == nil {
		return b.errorf(n, "chip has to be the label of a GPIO chip, or a list of labels")
	}
	return nil
}

func (b *board) highPins(n ast.Node) error {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		return b.errorf(n, "high has to be a list of pins")
	}
	for _, v := range list.Values {
		name, ok := scalar(v)
		if !ok || name == "" {
			return b.errorf(v, "a pin to keep high has to be a number or a name")
		}
		if other, taken := b.owner[name]; taken {
			return b.errorf(v, "pin %s is to be kept high, but %s has it already", name, other)
		}
		b.owner[name] = "high"
		b.High = append(b.High, Pin{Name: name, Line: lineOf(v)})
	}
	return nil
}

func (b *board) allPins(n ast.Node) error {
	values, err := b.entries(n, "pins")
	if err != nil {
		return err
	}
	for _, kv := range values {
		if err := b.signal(kv.Key.String(), kv.Key, kv.Value); err != nil {
			return err
		}
	}
	var missing []string
	for _, s := range Signals {
		if _, ok := b.Pins[s]; !ok {
			missing = append(missing, s)
		}
	}
	if missing != nil {
		return b.errorf(n, "no pin for %s: every board maps clk, rst_n, and 8 each of ui, uo and uio", strings.Join(missing, ", "))
	}
	return nil
}

// signal takes `clk: 3`, `ui0: 9`, or a whole bus, `ui: [9, 10, ...]`.
func (b *board) signal(name string, key, value ast.Node) error {
	for _, bus := range buses {
		if name == bus {
			return b.bus(bus, key, value)
		}
	}
	for _, s := range Signals {
		if s == name {
			return b.pin(name, value)
		}
	}
	return b.errorf(key, "unknown signal %q: allowed are clk, rst_n, ui, uo, uio with 8 pins each, or ui0..ui7, uo0..uo7, uio0..uio7", name)
}

func (b *board) bus(bus string, key, value ast.Node) error {
	list, ok := value.(*ast.SequenceNode)
	if !ok || len(list.Values) != 8 {
		return b.errorf(key, "%s has to be a list of 8 pins, bit 0 first", bus)
	}
	for i, v := range list.Values {
		if err := b.pin(bus+string(rune('0'+i)), v); err != nil {
			return err
		}
	}
	return nil
}

func (b *board) pin(signal string, value ast.Node) error {
	name, ok := scalar(value)
	if !ok || name == "" {
		return b.errorf(value, "the pin of %s has to be a number from 0 or a name", signal)
	}
	if other, taken := b.Pins[signal]; taken {
		return b.errorf(value, "%s has a pin already, %s in line %d", signal, other.Name, other.Line)
	}
	if other, taken := b.owner[name]; taken {
		return b.errorf(value, "pin %s is given to %s, but it is %s's already (line %d)", name, signal, other, b.Pins[other].Line)
	}
	b.owner[name] = signal
	b.Pins[signal] = Pin{Name: name, Line: lineOf(value)}
	return nil
}

// scalar is a text, or a number written in one way, so that 0x15 and 21 are one pin.
func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode:
		u, ok := n.Value.(uint64)
		return strconv.FormatUint(u, 10), ok
	}
	return "", false
}
