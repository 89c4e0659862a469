package diagnose

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

const design = "../../transport/verilog/testdata/chip"

// answers runs the vectors on a design mutant, one execution each. ok is false for invalid Verilog.
func answers(t *testing.T, s testkit.DesignMutant, jobs []driver.Job) (executions []search.Execution, ok bool) {
	t.Helper()
	dir := t.TempDir()
	chip, err := verilog.Open(t.Context(), verilog.Config{Sources: s.Sources(t, design, dir), Simulator: "icarus",
		CacheDir: dir})
	if err != nil {
		t.Logf("%s: %v", s.Name, err)
		return nil, false
	}
	defer chip.Close()
	r := driver.Runner{Tile: utf.TT09, Transport: chip, Report: func(r *driver.Result) {
		if t := r.Trace; t != nil {
			executions = append(executions, search.Execution{Steps: slices.Clone(t.Steps), Got: slices.Clone(t.Got)})
		}
	}}
	if _, err := r.Run(t.Context(), jobs); err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	return executions, true
}

// Neither a wire, a register bit nor chance is blamed for a mistake in the logic, unless such a fault gives exactly the
// same samples. This holds for a simulation, and for a board that gives the same samples in one or two rounds.
func TestSlips(t *testing.T) {
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("needs iverilog (Debian package iverilog), which the slips are simulated with")
	}
	var jobs []driver.Job
	for i, j := range allJobs(t) {
		if i%testkit.Pick(25, 5) == 0 {
			jobs = append(jobs, j)
		}
	}
	all, between := testkit.DesignMutants(t, design), testkit.SampleSize(600, 80, 1)
	var score score
	t.Run("all", func(t *testing.T) {
		for i := 0; i < len(all); i += between {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				if executions, ok := answers(t, all[i], jobs); ok {
					score.add(t, all[i], executions)
				}
			})
		}
	})
	t.Logf("of %d slips of %d the vectors see %d; their conclusions in a simulation, on a board, and "+
		"there in two rounds: %v", (len(all)+between-1)/between, len(all), score.seen, score.of)
	if want := max(1, 100/between); score.seen < want {
		t.Errorf("%d slips are seen; want %d at least", score.seen, want)
	}
	for far, of := range score.of {
		if least := [...]int{80, 50, 80}[far]; score.seen >= 10 && (of[Logic]+of[Unexplained])*100 < least*score.seen {
			// one round leaves some mistakes undecided
			t.Errorf("far end %d: %d of %d slips are called logic or unexplained", far, of[Logic]+of[Unexplained],
				score.seen)
		}
	}
}

// A score counts conclusions about mistakes.
type score struct {
	mu   sync.Mutex
	seen int
	of   [3]map[Conclusion]int // in a simulation, on a board, and on a board in two rounds
}

func (s *score) add(t *testing.T, of testkit.DesignMutant, executions []search.Execution) {
	for far, c := range []Run{{Tile: utf.TT09, Simulated: true}, {Tile: utf.TT09}, {Tile: utf.TT09}} {
		for range max(1, far) {
			for i, p := range executions {
				c.Add(fmt.Sprint(i), p.Steps, p.Got)
			}
		}
		if c.FailedExecutions == 0 {
			return
		}
		f := diagnosed(t, &c)
		s.count(far, f.Conclusion)
		best := f.best()
		t.Logf("%s, far end %d: %s, %d of %d executions fail; the nearest is %s, which explains %d of %d bits", of.Name,
			far, f.Conclusion, f.FailedExecutions, len(executions), best, best.ExplainedBits, best.DifferingBits)
		switch f.Conclusion {
		case Logic, Unexplained:
		case Unclear:
			if !strings.Contains(f.Reason(), "the design") {
				t.Errorf("%s, far end %d: %s", of.Name, far, f.Reason())
			}
		case Wire, Register, Revision, SeveralFaults:
			if far == 0 && f.Conclusion == Wire || !answersLike(best.Hypothesis, executions) {
				t.Errorf("%s is put down to %s, %s", of.Name, f.Conclusion, best)
			}
		default:
			t.Errorf("%s, far end %d: %s, %s", of.Name, far, f.Conclusion, best)
		}
	}
}

func (s *score) count(far int, c Conclusion) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if far == 0 {
		s.seen++
	}
	if s.of[far] == nil {
		s.of[far] = map[Conclusion]int{}
	}
	s.of[far][c]++
}

// answersLike reports whether a chip with the hypothesis gives the same samples wherever a good chip's are known.
func answersLike(h search.Hypothesis, executions []search.Execution) bool {
	chip := h.Simulate(search.Conditions{})
	right := model.New(model.TT09)
	for _, p := range executions {
		got := make([]transport.Sample, len(p.Steps))
		chip.Run(p.Steps, got)
		for i, g := range got {
			want, o := right.Step(p.Steps[i]), p.Got[i]
			if (g.Differ(o)|o.Differ(g))&^want.Unknown() != 0 {
				return false
			}
		}
	}
	return true
}
