package minimise

import (
	"fmt"
	"io"
	"strings"

	"utfbench/golden"
	"utfbench/internal/printable"
	"utfbench/tile"
)

// Vector writes the result as a suite of one vector, for bench run --file. From names the source of the steps, and on
// the device.
func (r *Result) Vector(w io.Writer, from, on string, t tile.Tile) error {
	clean := strings.NewReplacer(`"`, "'", "\n", " ")
	from, on = printable.Text(clean.Replace(from)), printable.Text(clean.Replace(on))
	what := "A shortest sequence"
	if !r.Minimal {
		what = "A sequence that may not be minimal, and"
	}
	times := fmt.Sprintf("%d of %d times", r.Rate.Wrong, r.Rate.Steps)
	if r.Rate.Steps == 0 {
		times = "and was not repeated"
	}
	_, err := fmt.Fprintf(w, "# %s that differs %s, of %s on %s.\nsuite minimised\n\ndocument model\nsection "+
		"\"%s\"\n\nvector shortest \"%s\"\n%s",
		what, times, from, on, from, on, restricted(t))
	for i, s := range r.Steps {
		var out, io golden.Bits
		if i == len(r.Steps)-1 {
			out = golden.Bits{Mask: ^r.Want.OutX, Level: r.Want.Out}
			io = golden.Bits{Mask: ^r.Want.IOX, Level: r.Want.IO}
		}
		if err == nil {
			_, err = fmt.Fprintf(w, "  # %s\n  %s\n", tile.Describe(t, s), golden.StepText(s, out, io))
		}
	}
	return err
}

// restricted returns the line that restricts a vector to the tile's revision, or "" if it has only one.
func restricted(t tile.Tile) string {
	if len(t.Others()) == 0 {
		return ""
	}
	return "  revision " + t.Revision() + "\n"
}
