package page

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"utfbench/transport/lab"
)

// Metrics writes the state of a lab in the text format of Prometheus.
func (s *Standings) Metrics(w io.Writer) error {
	boards, standing := s.Lab.Boards().Boards, s.Now()
	var b strings.Builder
	family := func(name, kind, help string) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %[1]s %[3]s\n", name, help, kind)
	}
	states, waiting := map[lab.State]int{lab.Free: 0, lab.Taken: 0, lab.Gone: 0}, 0
	for i := range boards {
		states[boards[i].State]++
		waiting += boards[i].Queue
	}
	family("bench_lab_boards", "gauge", "Boards by state.")
	for _, state := range slices.Sorted(maps.Keys(states)) {
		fmt.Fprintf(&b, "bench_lab_boards{state=%q} %d\n", state, states[state])
	}
	family("bench_lab_waiting", "gauge", "Users waiting for a board.")
	fmt.Fprintf(&b, "bench_lab_waiting %d\n", waiting)
	family("bench_lab_board_verdict", "gauge", "The last verdict of a board: 1.")
	for i := range boards {
		if is := standing[boards[i].String()]; is != nil {
			fmt.Fprintf(&b, "bench_lab_board_verdict{board=%q,verdict=%q} 1\n", is.Board, is.Verdict)
		}
	}
	family("bench_lab_board_steps_per_second", "gauge", "The rate of the last run of a board.")
	for i := range boards {
		if is := standing[boards[i].String()]; is != nil && is.Rate > 0 {
			fmt.Fprintf(&b, "bench_lab_board_steps_per_second{board=%q} %.0f\n", is.Board, is.Rate)
		}
	}
	if h := s.Lab.History(); h != nil {
		n, err := h.Count()
		if err != nil {
			return err
		}
		family("bench_lab_runs_total", "counter", "Runs in the history of the lab.")
		fmt.Fprintf(&b, "bench_lab_runs_total %d\n", n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
