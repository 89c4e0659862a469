package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"utfbench/desk"
	"utfbench/runs/history"
	"utfbench/runs/next"
	"utfbench/transport/rp2040/ports"
)

// findBoards lists the boards that are plugged in, and opens no port.
var findBoards = ports.Boards

// overview says what the bench sees on this machine, and what to do with it. Nothing is opened but the history.
func overview(w io.Writer) error {
	m := next.Machine{Boards: findBoards(), Simulators: desk.InstalledSimulators()}
	if len(m.Boards) == 0 {
		m.Hindrances = ports.Hindrances()
	}
	m.Latest, m.History = lastRun()
	m.Write(w)
	next.Write(w, m.Steps(), commandLine)
	return nil
}

// lastRun is the latest run of the user's history, nil if there is none, and what to say of the history.
func lastRun() (*history.Run, string) {
	var runs runFinder
	if file, err := runs.file(); err == nil {
		if _, err := os.Stat(file); os.IsNotExist(err) {
			return nil, history.Empty
		}
	}
	h, err := runs.open()
	if err != nil {
		return nil, err.Error()
	}
	defer h.Close()
	return h.Latest()
}

// byDefault says whether a command runs on the mock because nobody has named a target. A fault is for the mock alone.
func byDefault(cmd *cobra.Command) bool {
	t, fault := cmd.Flags().Lookup("transport"), cmd.Flags().Lookup("fault")
	if setBy(t) != "" || setBy(fault) != "" {
		return false
	}
	return !t.Changed && t.Value.String() == t.DefValue && os.Getenv("BENCH_TRANSPORT") == "" &&
		!fault.Changed
}
