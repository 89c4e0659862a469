package report

import (
	"fmt"
	"strings"
	"sync"

	"utfbench/driver"
	"utfbench/tile"
)

// A Progress is a Reporter that can be asked at any time, also by another goroutine, how far the run is.
type Progress struct {
	mu       sync.Mutex
	done, of int
	verdicts [len(driver.Verdicts)]int
	first    string
}

var _ Reporter = (*Progress)(nil)

// Start implements Reporter.
func (p *Progress) Start(r Run) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of = r.Vectors * max(1, r.Count)
	return nil
}

// Result implements Reporter.
func (p *Progress) Result(r *driver.Result) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.verdicts[r.Verdict]++
	if p.first == "" && (r.Verdict == driver.Fail || r.Verdict == driver.Error) {
		p.first = inALine(r)
	}
	return nil
}

// End implements Reporter.
func (*Progress) End(Outcome) error { return nil }

// Now is how many executions are done of how many, how many of them have which verdict, and the first that failed.
func (p *Progress) Now() (done, of int, verdicts, first string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for v, n := range p.verdicts {
		if n > 0 {
			all = append(all, fmt.Sprintf("%s %d", driver.Verdict(v), n))
		}
	}
	return p.done, p.of, strings.Join(all, ", "), p.first
}

// inALine says which vector is wrong at which step, or why it is an error.
func inALine(r *driver.Result) string {
	if r.First == nil {
		return r.Vector.Name + ": " + r.Reason
	}
	return fmt.Sprintf("%s, step %d, %s: %s", r.Vector.Name, r.First.Index+1, tile.Describe(r.Tile, r.First.Step),
		Words(r))
}
