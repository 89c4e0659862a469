package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// patience is the time limit for parking, longer than a board or a lab's host needs.
const patience = 20 * time.Second

// ReportPanic parks the open chips, and reports a panic to bench's user; version is the program's.
func ReportPanic(w io.Writer, p *failure.Panic, version string) {
	left := failure.Park(patience)
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

// keep writes the report to a new file.
func keep(text string) (name string, err error) {
	f, err := os.CreateTemp("", "bench-crash-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	return f.Name(), cmp.Or(err, f.Close())
}
