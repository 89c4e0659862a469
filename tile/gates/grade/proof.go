package grade

import (
	"utfbench/tile/gates"
	"utfbench/transport"
)

// ProveUntestable returns the number of input combinations of a tile without state if the vectors contain all of them,
// and then marks all faults that had no visible effect as untestable. Otherwise it returns 0.
func (g *Grading) ProveUntestable(t *gates.Tile, vectors []Vector) int {
	n := proved(t, vectors)
	if n == 0 || g.UnsettledCount() > 0 {
		return n
	}
	for i := range g.Findings {
		if f := &g.Findings[i]; f.Outcome == Unseen || f.Outcome == Inactive {
			f.Outcome = Untestable
			g.Classes[i].Untestable = "all inputs were tried, and none shows it"
		}
	}
	return n
}

// proved returns the number of input combinations of a stateless tile if the vectors compare all outputs in all, or 0.
func proved(t *gates.Tile, vectors []Vector) int {
	in, free := t.FreeInputs()
	if !free {
		return 0
	}
	_, always := t.DrivenUIO() // if free, lines of uio never change direction
	outputs, seen := transport.Outputs(always)<<8|0xFF, map[transport.Step]bool{}
	for i := range vectors {
		for k, s := range vectors[i].Steps {
			if in.UIO&^s.Drive == 0 && vectors[i].Want[k].Unknown()&outputs == 0 {
				seen[transport.Step{In: s.In & in.UI, IO: s.IO & in.UIO, Reset: s.Reset && in.Reset}] = true
			}
		}
	}
	if len(seen) < in.Count() {
		return 0
	}
	return in.Count()
}
