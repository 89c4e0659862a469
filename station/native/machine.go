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

// A Machine describes a machine as the bench detects it, without opening a board.
type Machine struct {
	Boards      []demoboard.Port // connected
	Hindrances  []string         // why no board is found, if none is
	Simulators  []string         // installed
	LatestRun   *history.Run     // nil if there is none or it cannot be read
	HistoryText string           // a description
	InTile      bool             // the current folder is a tile's project
}

// Write describes the machine. Write errors are left to w.
func (m *Machine) Write(w io.Writer) {
	fmt.Fprintf(w, "bench tests whether a fabricated chip is right. On this machine it sees:\n\n")
	fmt.Fprintf(w, "  boards      %s\n", cmp.Or(m.boards(), "none"))
	fmt.Fprintf(w, "  simulators  %s\n", cmp.Or(strings.Join(m.Simulators, ", "), "none"))
	fmt.Fprintf(w, "  history     %s\n", printable.Lines(m.HistoryText))
}

// boards lists the connected boards, or what hides them.
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

// Suggestions suggests commands.
func (m *Machine) Suggestions() (steps []report.Suggestion) {
	add := func(why string, words ...string) {
		steps = append(steps, report.Suggestion{Args: words, Purpose: why})
	}
	if l := m.LatestRun; l != nil && l.End != nil && l.End.Verdict == driver.Fail.String() {
		add("what explains the latest run", "diagnose", "last")
	}
	var tile []string
	all := "every vector"
	if m.InTile {
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

// onBoard returns a command for one of the connected boards.
func onBoard(command string, boards []demoboard.Port, i int) []string {
	if len(boards) == 1 {
		return []string{command, "-t", "rp2040"}
	}
	return []string{command, "-t", "rp2040:" + boards[i].Name}
}

// WriteBoardOffer lists the boards that could have been tested instead of the mock, with commands.
func WriteBoardOffer(w io.Writer, boards []demoboard.Port) {
	for i, p := range boards {
		fmt.Fprintf(w, "a board is plugged in at %s: %s\n", p.Name, printable.Command(onBoard("run", boards, i)...))
	}
}
