package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/desk"
	"utfbench/driver"
	"utfbench/internal/cmdline"
	"utfbench/internal/printable"
	"utfbench/internal/settings"
	"utfbench/runs/history"
	"utfbench/transport/rp2040/ports"
)

// findBoards lists the boards that are plugged in, and opens no port.
var findBoards = ports.Boards

// overview says what the bench sees on this machine, and what to do with it. Nothing is opened but the history.
func overview(w io.Writer) error {
	found := findBoards()
	fmt.Fprintf(w, "bench tells whether a fabricated UTF-8/16/32 chip is right. On this machine it sees:\n\n")
	fmt.Fprintf(w, "  boards      %s\n", boardWords(found))
	fmt.Fprintf(w, "  simulators  %s\n", orNone(strings.Join(desk.InstalledSimulators(), ", ")))
	last, says := lastRun()
	fmt.Fprintf(w, "  history     %s\n", printable.Lines(says))
	writeNext(w, overviewSteps(found, last))
	return nil
}

// boardWords say what is plugged in, or what keeps a board from being found.
func boardWords(found []ports.Port) string {
	var all []string
	for _, p := range found {
		all = append(all, fmt.Sprintf("%s, %s", p.Name, p.What()))
	}
	if len(all) == 0 {
		all = ports.Hindrances()
	}
	return orNone(strings.Join(all, "; "))
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// lastRun is the latest run of the user's history, nil if there is none, and what to say of the history.
func lastRun() (*history.Run, string) {
	last, n, err := new(history.Finder).Latest()
	switch {
	case err != nil:
		return nil, err.Error()
	case last == nil:
		return nil, "no run yet"
	}
	return last, fmt.Sprintf("runs: %d; the latest is run %d: %s", n, last.Number, last.Verdict())
}

// overviewSteps are what to do with what is there.
func overviewSteps(found []ports.Port, last *history.Run) (steps []nextStep) {
	if last != nil && last.End != nil && last.End.Verdict == driver.Fail.String() {
		steps = append(steps, nextStep{[]string{"diagnose", "last"}, "what explains the latest run"})
	}
	if len(found) == 0 {
		steps = append(steps, nextStep{[]string{"demo"}, "a tour in two minutes, without a board"},
			nextStep{[]string{"run"}, "every vector on the model in memory"})
	} else {
		target := boardTarget(found, 0)
		steps = append(steps, nextStep{append([]string{"doctor"}, target...), layerByLayer},
			nextStep{append([]string{"run"}, target...), "every vector on that chip"})
	}
	return append(steps, nextStep{[]string{"help"}, "all commands"})
}

// boardTarget are the flags that name one of the boards that are plugged in.
func boardTarget(found []ports.Port, i int) []string {
	if len(found) == 1 {
		return []string{"-t", "rp2040"}
	}
	return []string{"-t", "rp2040", "--port", found[i].Name}
}

// byDefault says whether a command runs on the mock because nobody has named a target. A fault is for the mock alone.
func byDefault(cmd *cobra.Command) bool {
	t, fault := cmd.Flags().Lookup("transport"), cmd.Flags().Lookup("fault")
	if settings.SetBy(t) != "" || settings.SetBy(fault) != "" {
		return false
	}
	return !t.Changed && t.Value.String() == t.DefValue && os.Getenv("BENCH_TRANSPORT") == "" &&
		!fault.Changed
}

// offerBoard names the boards that could have been asked, with the command for each.
func offerBoard(w io.Writer, found []ports.Port) {
	for i, p := range found {
		fmt.Fprintf(w, "a board is plugged in at %s: %s\n", p.Name,
			cmdline.Line(append([]string{"run"}, boardTarget(found, i)...)...))
	}
}
