package station

import (
	"fmt"
	"strings"
	"sync"

	"utfbench/driver"
	"utfbench/runs/report"
	"utfbench/runs/waveform"
	"utfbench/tile"
)

// A Progress is a report.Reporter with a snapshot of the run's progress, for any goroutine.
type Progress struct {
	mu       sync.Mutex
	now      Snapshot
	verdicts driver.Counts
}

// A Snapshot is the progress of a run.
type Snapshot struct {
	Done, Of int               // number of executions so far, and in total
	Steps    uint64            // in them
	Verdicts string            // counts, such as "PASS 12, FAIL 1"
	First    string            // the first failure in one line, or ""
	Around   *waveform.Excerpt // its first divergence; nil if nothing diverged
}

var _ report.Reporter = (*Progress)(nil)

// Start implements report.Reporter.
func (p *Progress) Start(r report.Run) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Of = r.Vectors * max(1, r.Count)
	return nil
}

// Result implements report.Reporter.
func (p *Progress) Result(r *driver.Result) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Done++
	p.now.Steps += uint64(r.Steps)
	p.verdicts[r.Verdict]++
	if p.now.First == "" && (r.Verdict == driver.Fail || r.Verdict == driver.Error) {
		p.now.First = inALine(r)
		if r.First != nil && r.Trace != nil {
			p.now.Around = waveform.AroundDivergence(r)
		}
	}
	return nil
}

// End implements report.Reporter.
func (*Progress) End(report.Outcome) error { return nil }

// Snapshot returns the present progress.
func (p *Progress) Snapshot() Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for v, n := range p.verdicts {
		if n > 0 {
			all = append(all, fmt.Sprintf("%s %d", driver.Verdict(v), n))
		}
	}
	now := p.now
	now.Verdicts = strings.Join(all, ", ")
	return now
}

// inALine describes which vector goes wrong at which step, or why it is an error.
func inALine(r *driver.Result) string {
	if r.First == nil {
		return r.Vector.Name + ": " + r.Reason
	}
	return fmt.Sprintf("%s, step %d, %s: %s", r.Vector.Name, r.First.Index+1, tile.Describe(r.Tile, r.First.Step),
		report.DescribeDivergence(r))
}
