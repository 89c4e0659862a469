package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/station/native"
	"utfbench/tile/project"
	"utfbench/transport/rp2040/demoboard"
)

// findBoards lists the boards that are plugged in, and opens no port.
var findBoards = demoboard.PluggedIn

// overview prints the boards, simulators and runs on this machine, and next steps. It opens nothing but the history.
func overview(w io.Writer) error {
	m := native.Machine{Boards: findBoards(), Simulators: native.InstalledSimulators()}
	if m.InTile = project.Around(nil) != nil; len(m.Boards) == 0 {
		m.Hindrances = demoboard.Hindrances()
	}
	m.Latest, m.History = new(history.Finder).Latest()
	m.Write(w)
	report.WriteNext(w, m.Steps())
	return nil
}

// byDefault reports whether a command runs on the mock only because no target was named. A fault implies the mock.
func byDefault(cmd *cobra.Command) bool {
	t, fault := cmd.Flags().Lookup("transport"), cmd.Flags().Lookup("fault")
	if cli.SetBy(t) != "" || cli.SetBy(fault) != "" {
		return false
	}
	return !t.Changed && t.Value.String() == t.DefValue && os.Getenv("BENCH_TRANSPORT") == "" &&
		!fault.Changed
}
