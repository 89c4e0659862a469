package diagnose

import (
	"utfbench/tile"
	"utfbench/transport"
)

// deduce diagnoses a run in which only levels deduced from the chip's earlier samples differ; see tile.Deducer. A
// simulated fault leaves such levels open, so that none can be searched for.
func (run *Run) deduce() Finding {
	f := Finding{Conclusion: Nothing, Deduced: true, Agrees: true, Vectors: run.Deduced}
	for _, e := range run.every(false) {
		f.Steps += len(e.Steps)
		differs, short := run.contradicts(e)
		f.Agrees = f.Agrees && !differs && !short
		switch {
		case differs && run.Simulated:
			f.Conclusion = run.simulated()
		case differs:
			f.Conclusion = Unclear
		}
	}
	f.Of = f.Steps
	return f
}

// contradicts reports whether no good chip shows an execution's samples, and whether the search for its state at
// power-up was given up.
func (run *Run) contradicts(e Execution) (differs, short bool) {
	want := make([]transport.Sample, len(e.Steps))
	must(tile.Expect(run.Tile, e.Steps, want))
	d := tile.Deduce(run.Tile, e.Steps, e.Got, want)
	return transport.Differ(e.Got, want) != 0, d.Short
}
