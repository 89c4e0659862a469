package rp2040

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPieces(t *testing.T) {
	const program = `# About it.
import sys

_ONE = const(1)
_TWO = const(0x2)  # of them


# A comment.
def f(a):
    # inside
    if a:
        return _ONE  # why


@micropython.viper
def g() -> int:
    return "  # no comment" + _TWO + _ONE


class C(Exception):
    pass
`
	want := []string{
		"import sys\n",
		"_ONE = const(1)\ndef f(a):\n if a:\n  return _ONE\n",
		"_TWO = const(0x2)\n_ONE = const(1)\n@micropython.viper\ndef g() -> int:\n return \"  # no " +
			"comment\" + _TWO + _ONE\n",
		"class C(Exception):\n pass\n",
	}
	if d := cmp.Diff(want, pieces([]byte(program))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// The bench's pieces fit a board with 46 kB of free memory, of which 13 kB are contiguous at first, and 8 kB once the
// step loop, the largest piece, is loaded. Compiling takes a multiple of a piece's length.
func TestPiecesAreSmall(t *testing.T) {
	const most = 4_300
	all := pieces(loader)
	for _, program := range [][]byte{questions, wiring(tt06).fill(program), wiring(etr).fill(program),
		wiring(pinsInSteps(11, 47)).fill(program)} {
		all = append(all, pieces(program)...)
	}
	for f, pins := range []map[string]int{tt06, etr} {
		w, err := newWindow(&families[f], pins)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, morePieces(w.fill(burstProgram, &families[f], pins))...)
	}
	for _, piece := range all {
		if text := checked(piece); len(text) > most {
			first, _, _ := strings.Cut(piece, "\n")
			t.Errorf("the piece that begins with %q is sent as %d bytes; want at most %d", first, len(text), most)
		}
	}
}

// No table is made from bytes, which would take twice its size: the step program's takes 5 of 8 contiguous kB.
func TestArraysAreMadeWithoutACopy(t *testing.T) {
	copied := regexp.MustCompile(`array\("[A-Z]", bytes\(`)
	if at := copied.Find(program); at != nil {
		t.Errorf("program.py has %s", at)
	}
}
