package boards

import (
	"github.com/goccy/go-yaml/ast"

	"utfbench/internal/files"
)

// taken parses `taken: {led: 11}`: pins in other use.
func (b *board) taken(_, value ast.Node) error {
	values, err := b.yaml.Entries(value, "taken")
	if err != nil {
		return err
	}
	b.Taken = map[string]Pin{}
	for _, kv := range values {
		name, ok := scalar(kv.Value)
		if !ok || name == "" {
			return b.errorf(kv.Value, "the pin of %s has to be a number or a name", kv.Key)
		}
		if other, is := b.owner[name]; is {
			return b.errorf(kv.Value, "pin %s is given to %s, but it is %s's already", name, kv.Key, other)
		}
		b.owner[name] = kv.Key.String()
		b.Taken[kv.Key.String()] = Pin{Name: name, Line: files.YAMLLine(kv.Value)}
	}
	return nil
}

// TakenGPIO returns the pins in other use by number, with their use; the mux is included.
func (b *Board) TakenGPIO() (map[int]string, error) {
	at := map[int]string{}
	for what, pin := range b.Taken {
		n, err := b.number(pin)
		if err != nil {
			return nil, err
		}
		at[n] = what
	}
	if b.Mux == nil {
		return at, nil
	}
	mux, err := b.MuxGPIO()
	for i, n := range mux[:3] {
		at[n] = "the mux's " + []string{"nrst", "inc", "ena"}[i]
	}
	return at, err
}
