package minimise

import (
	"fmt"
	"io"
	"strings"

	"utfbench/internal/printable"
	"utfbench/tile"
)

// Vector writes what is left as a suite of one vector that bench run --file takes. From says where the steps came from,
// and on names the device.
func (r *Result) Vector(w io.Writer, from, on string, t tile.Tile) error {
	clean := strings.NewReplacer(`"`, "'", "\n", " ")
	from, on = printable.Text(clean.Replace(from)), printable.Text(clean.Replace(on))
	what := "A shortest sequence"
	if !r.Minimal {
		what = "A sequence that may not be minimal, and"
	}
	times := fmt.Sprintf("%d of %d times it did", r.Rate.Wrong, r.Rate.Steps)
	if r.Rate.Steps == 0 {
		times = "it was not repeated"
	}
	_, err := fmt.Fprintf(w, "# %s that differs, of %s on %s: %s.\nsuite minimised\n\ndocument model\nsection "+
		"\"%s\"\n\nvector shortest \"%s\"\n  revision %s\n",
		what, from, on, times, from, on, t.Revision())
	for i, s := range r.Steps {
		rst := 1
		if s.Reset {
			rst = 0
		}
		line := fmt.Sprintf("  step %02X %02X %02X %d %d", s.In, s.IO, s.Drive, rst, s.Clocks)
		if i == len(r.Steps)-1 && r.Want.OutX == 0 {
			line += fmt.Sprintf(" uo=%02X", r.Want.Out)
		}
		if i == len(r.Steps)-1 && r.Want.IOX == 0 {
			line += fmt.Sprintf(" uio=%02X", r.Want.IO)
		}
		if err == nil {
			_, err = fmt.Fprintf(w, "  # %s\n%s\n", tile.Describe(t, s), line)
		}
	}
	return err
}
