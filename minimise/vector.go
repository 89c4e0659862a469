package minimise

import (
	"fmt"
	"io"
	"strings"

	"utfbench/driver"
	"utfbench/model"
)

// Vector writes what is left as a suite of one vector that bench run --file takes. From says where the steps came from, and on
// names the device.
func (r *Result) Vector(w io.Writer, from, on string, rev model.Revision) error {
	clean := strings.NewReplacer(`"`, "'", "\n", " ")
	from, on = clean.Replace(from), clean.Replace(on)
	_, err := fmt.Fprintf(w, "# A shortest sequence that differs, of %s on %s: %d of %d times it did.\nsuite minimised\n\ndocument model\nsection \"%s\"\n\nvector shortest \"%s\"\n  revision %s\n",
		from, on, r.Rate.Wrong, r.Rate.Steps, from, on, rev)
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
			_, err = fmt.Fprintf(w, "  # %s\n%s\n", driver.Describe(s), line)
		}
	}
	return err
}
