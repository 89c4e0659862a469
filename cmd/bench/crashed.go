package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"utfbench/internal/crash"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// parkPatience is longer than a board takes to park its chip, and than a lab's host takes to say that it did.
const parkPatience = 20 * time.Second

// crashed parks the chips that are open, reports a panic, and ends the program.
func crashed(p *crash.Panic) {
	left := crash.Park(parkPatience)
	fmt.Fprintf(os.Stderr, "bench: this is a mistake in bench, not in the chip: %s\n", printable.Lines(p.Error()))
	if left != nil {
		fmt.Fprintf(os.Stderr, "bench: a chip may still be driven (%s): bench safe parks it\n",
			printable.Lines(left.Error()))
	}
	report := fmt.Sprintf("%s\n%s\n\n%s\n\n%s", versionLine(), strings.Join(os.Args, " "), p, p.Stack)
	if file, err := writeReport(report); err == nil {
		fmt.Fprintf(os.Stderr, "bench: please report it with %s, which has the version, the command and the "+
			"stack\n", file)
	} else {
		fmt.Fprintf(os.Stderr, "bench: please report it with these lines:\n%s\n", printable.Lines(report))
	}
	os.Exit(failure.ExitCode(p))
}

// writeReport writes the report into a file of its own.
func writeReport(text string) (name string, err error) {
	f, err := os.CreateTemp("", "bench-crash-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return f.Name(), err
}
