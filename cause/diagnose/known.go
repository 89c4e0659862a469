package diagnose

import (
	"utfbench/tile"
	"utfbench/transport"
)

// Evidence is what a good chip says about executions.
type Evidence struct {
	Compared [][]transport.Sample // masks of the compared bits
	Differs  int                  // known bits that a good chip contradicts
	Sampled  int                  // known and compared bits
	Wrong    transport.Outputs    // lines with such bits
}

// NewEvidence compares executions with a good chip's. The error is the reference's.
func NewEvidence(t tile.Tile, executions []Execution) (e *Evidence, err error) {
	defer caught(&err)
	e = &Evidence{Compared: countedBits(t, executions)}
	for n, p := range executions {
		want := make([]transport.Sample, len(p.Steps))
		must(tile.Expect(t, p.Steps, want))
		for i, got := range p.Got {
			compared := e.Compared[n][i].Levels()
			wrong := got.Differ(want[i]) & compared
			e.Differs, e.Wrong = e.Differs+wrong.Count(), e.Wrong|wrong
			e.Sampled += (compared &^ got.Unknown()).Count()
		}
	}
	return e, nil
}
