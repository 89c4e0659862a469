package crash

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"utfbench/internal/printable"
)

// patience is longer than a board takes to park its chip, and than a lab's host takes to confirm it.
const patience = 20 * time.Second

// Report parks the open chips, and tells the user of the program bench about a mistake in it. Version is the program's.
func (p *Panic) Report(w io.Writer, version string) {
	left := Park(patience)
	fmt.Fprintf(w, "bench: this is a mistake in bench, not in the chip: %s\n", printable.Lines(p.Error()))
	if left != nil {
		fmt.Fprintf(w, "bench: a chip may still be driven (%s): bench safe parks it\n", printable.Lines(left.Error()))
	}
	report := fmt.Sprintf("%s\n%s\n\n%s\n\n%s", version, strings.Join(os.Args, " "), p, p.Stack)
	if file, err := keep(report); err == nil {
		fmt.Fprintf(w, "bench: please report it with %s, which has the version, the command and the stack\n", file)
	} else {
		fmt.Fprintf(w, "bench: please report it with these lines:\n%s\n", printable.Lines(report))
	}
}

// keep writes the report into a file of its own.
func keep(text string) (name string, err error) {
	f, err := os.CreateTemp("", "bench-crash-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	return f.Name(), cmp.Or(err, f.Close())
}
