package sim

import "testing"

// TestHazards contains the smallest circuits in which chips once contradicted the ternary evaluation. Nets 2 to 6 are
// inputs; net 2 is clk. The wanted levels were derived by hand from all orders of changes. A lane has one of them.
func TestHazards(t *testing.T) {
	zero, one := Level(0), Level(^uint64(0))
	for _, c := range []struct {
		name   string
		cells  []Cell
		events []string // levels of nets 2 to 6
		net    Net
		want   Set
	}{
		{"disagreeing drivers may clock at any time", []Cell{
			{Kind: And, Out: 8, In: [4]Net{3, 0}},
			{Kind: And, Out: 8, In: [4]Net{1, 1}},
			{Kind: Flop, Out: 7, In: [4]Net{0, 8, 3}},
		}, []string{"01000", "00000"}, 7, X},
		{"a pulse may set a latch that was 0, and so clock", []Cell{
			{Kind: And, Out: 9, In: [4]Net{3, 5}},
			{Kind: Latch, Out: 8, In: [4]Net{0, 0, 9}},
			{Kind: Flop, Out: 7, In: [4]Net{0, 8, 4}},
		}, []string{"00100", "00010", "01000"}, 7, X},
		{"a held reset leaves no pulse to a set that moves", []Cell{
			{Kind: Flop, Out: 8, In: [4]Net{0, 0, 2, 1}},
			{Kind: Flop, Out: 7, In: [4]Net{1, 8, 0, 3}},
		}, []string{"01000", "00000", "10000", "00000"}, 7, zero},
		{"clk reaches data through a loop", []Cell{
			{Kind: Not, Out: 10, In: [4]Net{9}},
			{Kind: Mux, Out: 8, In: [4]Net{5, 0, 9}},
			{Kind: Or, Out: 9, In: [4]Net{2, 8}},
			{Kind: Flop, Out: 7, In: [4]Net{8, 2}},
		}, []string{"00010", "00000", "10000"}, 7, X},
		{"a flip-flop may take 0, be set again, and so clock", []Cell{
			{Kind: Flop, Out: 8, In: [4]Net{5, 5, 9, 4}},
			{Kind: Flop, Out: 7, In: [4]Net{1, 8, 0, 2}},
			{Kind: Nand, Out: 9, In: [4]Net{1, 8}},
		}, []string{"00100", "00000", "10000", "00000", "00010"}, 7, X},
		{"a loop settles after a pulse in the last round", []Cell{
			{Kind: Nand, Out: 7, In: [4]Net{8, 9}},
			{Kind: Mux, Out: 8, In: [4]Net{0, 0, 7}},
			{Kind: Flop, Out: 9, In: [4]Net{0, 0, 1, 2}},
			{Kind: Latch, Out: 10, In: [4]Net{0, 7}},
		}, []string{"10000"}, 8, one},
		{"a latch settles after a pulse in the last round", []Cell{
			{Kind: Latch, Out: 8, In: [4]Net{4, 3}},
			{Kind: Xor, Out: 9, In: [4]Net{8, 3}},
			{Kind: Latch, Out: 7, In: [4]Net{0, 1, 9, 5}},
		}, []string{"01100", "00100", "00010", "01100"}, 7, zero},
		{"a held reset keeps an oscillator out", []Cell{
			{Kind: Not, Out: 9, In: [4]Net{9}},
			{Kind: Latch, Out: 8, In: [4]Net{9, 1, 0, 1}},
			{Kind: Latch, Out: 7, In: [4]Net{1, 1, 0, 8}},
		}, []string{"00010"}, 7, one},
		{"a disabled driver keeps an oscillator out", []Cell{
			{Kind: Not, Out: 9, In: [4]Net{9}},
			{Kind: And, Out: 8, In: [4]Net{0, 0}},
			{Kind: Tri, Out: 8, In: [4]Net{9, 2}},
			{Kind: Latch, Out: 7, In: [4]Net{0, 1, 8}},
		}, []string{"00010"}, 7, zero},
		{"of two inputs that clock, each may be first", []Cell{
			{Kind: Flop, Out: 7, In: [4]Net{5, 3}},
			{Kind: Flop, Out: 8, In: [4]Net{7, 4}},
		}, []string{"01000", "00000", "00010", "01110"}, 8, X},
		{"data from an input may be later than what a clock changes", []Cell{
			{Kind: Flop, Out: 7, In: [4]Net{1, 3, 0, 6}},
			{Kind: Mux, Out: 8, In: [4]Net{5, 0, 7}},
			{Kind: Flop, Out: 9, In: [4]Net{1, 7, 0, 6}},
			{Kind: Flop, Out: 10, In: [4]Net{8, 9}},
		}, []string{"00001", "00000", "01010"}, 10, X},
	} {
		t.Run(c.name, func(t *testing.T) {
			circuit := NewCircuit("hazard")
			for range 11 - 2 {
				circuit.Net("")
			}
			circuit.Cells = c.cells
			p, err := Compile(circuit, []Net{2, 3, 4, 5, 6}, 1)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(20) {
				m, l := NewMachine(p, nil), NewMachine(p, &RandomChoices{Seed: seed})
				for _, levels := range c.events {
					for i, level := range levels {
						for _, machine := range []*Machine{m, l} {
							machine.Set(Net(2+i), Level(-uint64(level&1)))
						}
					}
					m.Event(p.Cone(p.Inputs(), false))
					l.Event(p.Cone(p.Inputs(), false))
				}
				is := l.Level(c.net)
				if m.Level(c.net) != c.want || is.Hi&^c.want.Hi|is.Lo&^c.want.Lo != 0 {
					t.Fatalf("seed %d: %+v, in lanes %+v, want %+v", seed, m.Level(c.net), is, c.want)
				}
			}
		})
	}
}
