package boards

import (
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/transport"
)

// keys lists the keys of a board file in the order of parsing: pins precede values that are checked against them.
var keys = []struct {
	name string
	read func(b *board, key, value ast.Node) error
}{
	{"name", func(b *board, key, value ast.Node) error { return b.text(&b.Name, key, value) }},
	{"title", func(b *board, key, value ast.Node) error { return b.text(&b.Title, key, value) }},
	{"transport", func(b *board, key, value ast.Node) error { return b.text(&b.Transport, key, value) }},
	{"revision", func(b *board, key, value ast.Node) error {
		return b.choice(&b.Revision, key, value, "tt08", "tt09")
	}},
	{"shuttles", (*board).shuttles},
	{"chip", (*board).chips},
	{"header", func(b *board, key, value ast.Node) error { return b.choice(&b.Header, key, value, HeaderRPi) }},
	{"pmods", (*board).pmods},
	{"pins", (*board).allPins},
	{"high", (*board).highPins},
	{"mux", (*board).mux},
	{"taken", (*board).taken},
}

func keyNames() string {
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	return printable.List(names)
}

func (b *board) top(n ast.Node) error {
	values, err := b.yaml.Entries(n, "a board file")
	if err != nil {
		return err
	}
	given := map[string]*ast.MappingValueNode{}
	for _, kv := range values {
		given[kv.Key.String()] = kv
	}
	for _, k := range keys {
		if kv := given[k.name]; kv != nil {
			if err := k.read(b, kv.Key, kv.Value); err != nil {
				return err
			}
			delete(given, k.name)
		}
	}
	for _, kv := range values {
		if given[kv.Key.String()] != nil {
			return b.errorf(kv.Key, "unknown key %q: allowed are %s", kv.Key, keyNames())
		}
	}
	switch {
	case b.Name == "":
		return b.errorf(n, "no name: a board file has name, title, transport and pins")
	case b.Transport == "":
		return b.errorf(n, "no transport: a board file has name, title, transport and pins")
	case len(b.Pins) == 0:
		return b.errorf(n, "no pins: a board file maps %d signals to pins", transport.LineN)
	}
	return nil
}

func (b *board) text(field *string, key, value ast.Node) error {
	var ok bool
	if *field, ok = scalar(value); !ok {
		return b.errorf(key, "%s has to be a text", key)
	}
	if *field != printable.Text(*field) {
		return b.errorf(key, "%s holds a control character, and it has to be a text of one line", key)
	}
	return nil
}

func (b *board) choice(field *string, key, value ast.Node, allowed ...string) error {
	if err := b.text(field, key, value); err != nil {
		return err
	}
	if !slices.Contains(allowed, *field) {
		return b.errorf(key, "unknown %s %q: allowed: %s", key, *field, printable.List(allowed))
	}
	return nil
}

func (b *board) pmods(key, value ast.Node) error {
	var ok bool
	if b.PMODs, ok = texts(value); !ok || len(b.PMODs) != len(buses) {
		return b.errorf(key, "pmods has to be three names: of the headers of ui, uio and uo, as in [J11, J12, J13]")
	}
	return nil
}

// chips parses one label, or a list of labels for different models.
func (b *board) chips(_, n ast.Node) error {
	if label, ok := scalar(n); ok && label != "" {
		b.Chips = []string{label}
		return nil
	}
	var ok bool
	if b.Chips, ok = texts(n); !ok || b.Chips == nil {
		return b.errorf(n, "chip has to be the label of a GPIO chip, or a list of labels")
	}
	return nil
}

func (b *board) shuttles(key, value ast.Node) error {
	var ok bool
	if b.Shuttles, ok = texts(value); !ok {
		return b.errorf(key, "shuttles has to be a list of names, as chips' ROMs spell them")
	}
	return nil
}

// mux parses `mux: {nrst: 2, inc: 3, ena: 4}`, plus `select` on boards with their own multiplexer.
func (b *board) mux(key, value ast.Node) error {
	b.Mux = &Mux{}
	fields := map[string]*Pin{"nrst": &b.Mux.NRst, "inc": &b.Mux.Inc, "ena": &b.Mux.Ena, "select": &b.Mux.Select}
	err := b.yaml.Each(value, "mux", func(kv *ast.MappingValueNode) error {
		field := fields[kv.Key.String()]
		if field == nil {
			return b.errorf(kv.Key, "unknown line %q of mux: allowed are nrst, inc, ena and select", kv.Key)
		}
		name, ok := scalar(kv.Value)
		if !ok || name == "" {
			return b.errorf(kv.Value, "the pin of mux's %s has to be a number or a name", kv.Key)
		}
		*field = Pin{Name: name, Line: files.YAMLLine(kv.Value)}
		return nil
	})
	if err != nil {
		return err
	}
	for _, must := range []string{"nrst", "inc", "ena"} {
		if fields[must].Name == "" {
			return b.errorf(key, "mux has no %s: it has nrst, inc, ena, and select where the board has a "+
				"multiplexer of its own", must)
		}
	}
	return b.muxOwners()
}

// muxOwners checks that the mux's pins are free. With a select pin, the other three may share uo's pins.
func (b *board) muxOwners() error {
	for _, line := range []struct {
		name   string
		pin    Pin
		shared bool
	}{{"select", b.Mux.Select, false}, {"nrst", b.Mux.NRst, true}, {"inc", b.Mux.Inc, true}, {"ena", b.Mux.Ena, true}} {
		other, taken := b.owner[line.pin.Name]
		if taken && !(line.shared && b.Mux.Select.Name != "" && strings.HasPrefix(other.of, "uo")) {
			return failure.Usagef("%s:%d: pin %s is given to mux's %s, but it is %s's already", b.File, line.pin.Line,
				line.pin.Name, line.name, other.of)
		}
		if line.pin.Name != "" {
			b.owner[line.pin.Name] = owner{"mux's " + line.name, line.pin.Line}
		}
	}
	return nil
}

func (b *board) highPins(_, n ast.Node) error {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		return b.errorf(n, "high has to be a list of pins")
	}
	for _, v := range list.Values {
		p, err := b.give("high", v)
		if err != nil {
			return err
		}
		b.HighPins = append(b.HighPins, p)
	}
	return nil
}

func (b *board) allPins(_, n ast.Node) error {
	err := b.yaml.Each(n, "pins", func(kv *ast.MappingValueNode) error {
		return b.signal(kv.Key.String(), kv.Key, kv.Value)
	})
	if err != nil {
		return err
	}
	var missing []string
	for _, s := range transport.Lines {
		if _, ok := b.Pins[s]; !ok {
			missing = append(missing, s)
		}
	}
	if missing != nil {
		return b.errorf(n, "no pin for %s: every board maps clk, rst_n, and 8 each of ui, uo and uio",
			strings.Join(missing, ", "))
	}
	return b.checkHeader()
}

// signal parses `clk: 3`, `ui0: 9`, or a whole bus, `ui: [9, 10, ...]`.
func (b *board) signal(name string, key, value ast.Node) error {
	if bus := slices.Index(transport.Buses, name); bus >= 0 {
		return b.bus(bus, key, value)
	}
	if slices.Contains(transport.Lines, name) {
		return b.pin(name, value)
	}
	return b.errorf(key, "unknown signal %q: allowed are clk, rst_n, ui, uo, uio with 8 pins each, or ui0..ui7, "+
		"uo0..uo7, uio0..uio7", name)
}

func (b *board) bus(bus int, key, value ast.Node) error {
	list, ok := value.(*ast.SequenceNode)
	if !ok || len(list.Values) != 8 {
		return b.errorf(key, "%s has to be a list of 8 pins, bit 0 first", transport.Buses[bus])
	}
	for i, v := range list.Values {
		if err := b.pin(transport.Lines[8*bus+i], v); err != nil {
			return err
		}
	}
	return nil
}

func (b *board) pin(signal string, value ast.Node) (err error) {
	if other, taken := b.Pins[signal]; taken {
		return b.errorf(value, "%s has a pin already, %s in line %d", signal, other.Name, other.Line)
	}
	b.Pins[signal], err = b.give(signal, value)
	return err
}

// give assigns the pin at a node to a signal or another use.
func (b *board) give(to string, n ast.Node) (Pin, error) {
	name, ok := scalar(n)
	if !ok || name == "" {
		return Pin{}, b.errorf(n, "the pin of %s has to be a number from 0 or a name", to)
	}
	if other, taken := b.owner[name]; taken {
		return Pin{}, b.errorf(n, "pin %s is given to %s, but it is %s's already (line %d)", name, to,
			other.of, other.line)
	}
	p := Pin{Name: name, Line: files.YAMLLine(n)}
	b.owner[name] = owner{to, p.Line}
	return p, nil
}

// texts parses a list of printable, non-empty texts.
func texts(n ast.Node) (all []string, ok bool) {
	list, ok := n.(*ast.SequenceNode)
	for i := 0; ok && i < len(list.Values); i++ {
		text, is := scalar(list.Values[i])
		ok = is && text != "" && text == printable.Text(text)
		all = append(all, text)
	}
	return all, ok
}

// scalar returns a string or a number as text; a number is in canonical form, so that 0x15 and 21 are the same pin.
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
