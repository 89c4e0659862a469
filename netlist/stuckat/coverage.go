package stuckat

import (
	"context"
	"runtime"
	"sync/atomic"

	"utfbench/internal/crash"
	"utfbench/netlist"
)

// A Finding is what became of a class of faults.
type Finding struct {
	// Found is where the fault was found, for each suite and from both power-ups: not always in the first vector that
	// shows it.
	Found [][powerUps]Place

	// Acts reports that the fault changed a flip-flop's input or a line, and Contends that the faulty chip drove a line
	// against the bench. Both may be false of a fault that was found.
	Acts, Contends bool
}

// In reports whether the fault was found in a suite.
func (f *Finding) In(suite int) bool {
	return f.Found[suite][0] != Nowhere && f.Found[suite][1] != Nowhere
}

// Anywhere reports whether it was found in all suites together.
func (f *Finding) Anywhere() bool {
	var from [powerUps]bool
	for _, places := range f.Found {
		for p, at := range places {
			from[p] = from[p] || at != Nowhere
		}
	}
	return from == [powerUps]bool{true, true}
}

// Suites returns the names of the vectors' suites, in order.
func Suites(vectors []Vector) (names []string) {
	seen := map[string]bool{}
	for i := range vectors {
		if name := vectors[i].Suite; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// Simulate puts each class of faults into the chip and looks in which suites it is found. The error is an *Other, or
// ctx's.
func Simulate(ctx context.Context, n *netlist.Netlist, classes []Class, vectors []Vector) ([]Finding, error) {
	suites := Suites(vectors)
	findings := make([]Finding, len(classes))
	for i := range findings {
		findings[i].Found = make([][powerUps]Place, len(suites))
		for k := range suites {
			findings[i].Found[k] = [powerUps]Place{Nowhere, Nowhere}
		}
	}
	simulators := newSimulators(n)
	for from := 0; from < len(vectors); {
		w, err := newWindow(ctx, n, vectors, from)
		if err != nil {
			return nil, err
		}
		from += len(w.vectors)
		of, apart := w.bySuite(suites), w.apart()
		each(len(classes), simulators, func(s *simulator, i int) {
			if ctx.Err() == nil {
				s.class(w, &classes[i][0], of, apart, &findings[i])
			}
		})
	}
	return findings, ctx.Err()
}

// A part is the vectors of a suite in a window, and their frames.
type part struct {
	vectors []int
	frames  [powerUps]*frames
}

// bySuite lists the window's vectors of each suite.
func (w *window) bySuite(suites []string) []part {
	at := map[string]int{}
	for i, name := range suites {
		at[name] = i
	}
	of := make([]part, len(suites))
	for i := range w.vectors {
		k := at[w.vectors[i].Suite]
		of[k].vectors = append(of[k].vectors, i)
	}
	for k := range of {
		for p := range powerUp(powerUps) {
			of[k].frames[p] = w.framesOf(of[k].vectors, p)
		}
	}
	return of
}

// newSimulators returns one simulator per core.
func newSimulators(n *netlist.Netlist) []*simulator {
	all := make([]*simulator, runtime.GOMAXPROCS(0))
	for i := range all {
		all[i] = newSimulator(n)
	}
	return all
}

// each does work items on several goroutines, each with its own simulator.
func each(items int, simulators []*simulator, do func(*simulator, int)) {
	var next atomic.Int64
	var wait crash.Group
	for _, s := range simulators {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < items; i = int(next.Add(1)) - 1 {
				do(s, i)
			}
		})
	}
	wait.Wait()
}

// class looks for a fault in a window, in each suite in which it was not found yet.
func (s *simulator) class(w *window, f *Fault, suites []part, apart *frames, into *Finding) {
	var goals []*goal
	for k, of := range suites {
		for p := range powerUp(powerUps) {
			if at := &into.Found[k][p]; *at == Nowhere && len(of.vectors) > 0 {
				goals = append(goals, &goal{p: p, vectors: of.vectors, frames: of.frames[p], twins: of.frames[0],
					found: at})
			}
		}
	}
	if len(goals) == 0 {
		return
	}
	s.find(w, f, goals, apart)
	into.Acts, into.Contends = into.Acts || s.events.acts, into.Contends || s.events.contends
}

// Check simulates vectors without a fault. The error is an *Other, or ctx's.
func Check(ctx context.Context, n *netlist.Netlist, vectors []Vector) error {
	for from := 0; from < len(vectors); {
		w, err := newWindow(ctx, n, vectors, from)
		if err != nil {
			return err
		}
		from += len(w.vectors)
	}
	return nil
}
