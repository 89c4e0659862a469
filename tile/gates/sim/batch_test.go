package sim

import (
	"testing"
)

// batch makes operations of one kind consecutive, and keeps each after its inputs.
func TestBatch(t *testing.T) {
	c := NewCircuit("layers")
	in := []Net{c.Net("a"), c.Net("b")}
	kinds := []Kind{And, Xor, Nor}
	for range 50 { // in rows of three kinds, two layers deep
		for _, kind := range kinds {
			first, second := c.Net(""), c.Net("")
			c.Add(kind, first, in[0], in[1])
			c.Add(kind, second, first, in[1])
		}
	}
	p, err := Compile(c, in, 0)
	if err != nil {
		t.Fatal(err)
	}
	runs, at := 0, map[int32]bool{p.inputs[0]: true, p.inputs[1]: true}
	for i := range p.ops {
		o := &p.ops[i]
		if i == 0 || p.ops[i-1].kind != o.kind {
			runs++
		}
		if !at[o.a] || !at[o.b] {
			t.Errorf("operation %d of %d precedes its inputs", i, len(p.ops))
		}
		at[o.out] = true
	}
	if len(p.ops) != 300 || runs != len(kinds) {
		t.Errorf("%d operations in %d runs, want 300 in %d", len(p.ops), runs, len(kinds))
	}
}
