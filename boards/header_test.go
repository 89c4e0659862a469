package boards

import (
	"testing"

	"utfbench/transport"
)

// For a known shuttle each line has a unique pin of the package; for others Package is nil.
func TestWith(t *testing.T) {
	board, err := Open("tt-demo-tt07")
	if err != nil {
		t.Fatal(err)
	}
	for shuttle, uo0 := range map[string]int{"tt09": 62, "ttihp25b": 9} {
		pins, taken := board.With(shuttle).Package, map[int]string{}
		for _, line := range transport.Lines {
			pin := pins[line]
			if other := taken[pin]; pin < 1 || pin > 64 || other != "" {
				t.Errorf("%s: %s is pin %d, which is %q", shuttle, line, pin, other)
			}
			taken[pin] = line
		}
		if pins["uo0"] != uo0 {
			t.Errorf("%s: uo0 is pin %d; want %d", shuttle, pins["uo0"], uo0)
		}
	}
	if pins := board.With("tt04").Package; pins != nil || board.Package != nil {
		t.Errorf("tt04: %v; the board itself: %v", pins, board.Package)
	}
}
