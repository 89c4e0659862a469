package native

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/transport/rp2040/demoboard"
)

// A Machine describes a machine, as far as the bench can without opening a board.
type Machine struct {
	Boards      []demoboard.Port // connected boards
	Hindrances  []string         // reasons why a board may be invisible, if none is found
	Simulators  []string         // installed simulators
	LatestRun   *history.Run     // nil if there is none, or if it cannot be read
	HistoryText string           // description of the history
	InProject   bool             // the working directory is the project of a tile
}

// Write writes the description. It leaves write errors to w.
func (m *Machine) Write(w io.Writer) {
	fmt.Fprintf(w, "bench tests whether a fabricated chip is right. On this machine it sees:\n\n")
	fmt.Fprintf(w, "  boards      %s\n", cmp.Or(m.boards(), "none"))
	fmt.Fprintf(w, "  simulators  %s\n", cmp.Or(strings.Join(m.Simulators, ", "), "none"))
	fmt.Fprintf(w, "  history     %s\n", printable.Lines(m.HistoryText))
}

// boards lists the connected boards or, if there are none, the reasons why one may be invisible.
func (m *Machine) boards() string {
	all := m.Hindrances
	if len(m.Boards) > 0 {
		all = nil
	}
	for _, p := range m.Boards {
		all = append(all, fmt.Sprintf("%s (%s), MicroPython on an RP2040 or RP2350", p.Name, p.ID()))
	}
	return strings.Join(all, "; ")
}

// Suggestions returns commands that may be useful next.
func (m *Machine) Suggestions() (steps []report.Suggestion) {
	add := func(why string, words ...string) {
		steps = append(steps, report.Suggestion{Args: words, Purpose: why})
	}
	if l := m.LatestRun; l != nil && l.End != nil && l.End.Verdict == driver.Fail.String() {
		add("what explains the latest run", "diagnose", "last")
	}
	var tile []string
	all := "every vector"
	if m.InProject {
		tile, all = []string{"--tile", "."}, "the tile of this folder"
	}
	if len(m.Boards) == 0 {
		add("a tour in two minutes, without a board", "demo")
		add(all+" on the model in memory", append([]string{"run"}, tile...)...)
	} else {
		add(report.DoctorPurpose, append(onBoard("doctor", m.Boards, 0), tile...)...)
		add(all+" on that chip", append(onBoard("run", m.Boards, 0), tile...)...)
	}
	add("all commands", "help")
	return steps
}

// onBoard returns a command for the i-th of the connected boards.
func onBoard(command string, boards []demoboard.Port, i int) []string {
	if len(boards) == 1 {
		return []string{command, "-t", "rp2040"}
	}
	return []string{command, "-t", "rp2040:" + boards[i].Name}
}

// WriteBoardOffer lists the boards that the command could have tested instead of the mock, with the commands to do so.
func WriteBoardOffer(w io.Writer, boards []demoboard.Port) {
	for i, p := range boards {
		fmt.Fprintf(w, "a board is plugged in at %s: %s\n", p.Name, printable.Command(onBoard("run", boards, i)...))
	}
}
