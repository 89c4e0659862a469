package sweep

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// An Answer is one board's result of a block.
type Answer struct {
	Block
	By *Provenance `json:"by,omitempty"` // nil if a single chip, named in the head, runs all blocks
}

// A Finding is a block on which two boards differ.
type Finding struct{ Answers [2]Answer }

// Culprit returns the only wrong board, or nil if both are wrong.
func (f *Finding) Culprit() *Provenance {
	for i, a := range f.Answers {
		if a.Failed > 0 && f.Answers[1-i].Failed == 0 {
			return a.By
		}
	}
	return nil
}

// Error names the block and the boards.
func (f *Finding) Error() string {
	a, b := &f.Answers[0], &f.Answers[1]
	return fmt.Sprintf("block %d: %s on %s, and %s on %s", a.Number, a.wrong(), a.who(), b.wrong(), b.who())
}

func (a *Answer) who() string {
	if a.By == nil {
		return "the chip"
	}
	return a.By.Transport
}

// secondOpinions is the number of blocks on which a second board must be wrong in the same way before the fault is
// attributed to no single board.
const secondOpinions = 3

// A queue distributes the blocks of a sweep to chips that may come and go, and collects the results. It tracks the
// missing blocks: a failing chip returns its block.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond
	runner  *Runner
	answers [][]Answer // by block of the range
	next    int        // first block not yet started
	back    []int      // blocks started but returned
	doubted []Answer   // answers that another board has to check
	busy    int        // chips running a block
	present int        // chips in the sweep
	failed  int        // wrong cases, except those that another board has right
	alike   int        // blocks that two boards got wrong in the same way
	aside   map[string]*Finding
	err     error // of Finished
}

// begin takes the lock, and on its first call adds the blocks done before.
func (q *queue) begin(r *Runner) (unlock func()) {
	q.mu.Lock()
	if q.runner != nil {
		return q.mu.Unlock
	}
	q.runner, q.changed.L, q.next = r, &q.mu, r.Range.First
	q.answers, q.aside = make([][]Answer, r.Range.End-r.Range.First), map[string]*Finding{}
	for _, a := range r.Done {
		q.keep(a)
	}
	return q.mu.Unlock
}

func (q *queue) join(r *Runner) {
	defer q.begin(r)()
	q.present++
}

// leave undoes join and stops waking the chip.
func (q *queue) leave(stop func() bool) {
	stop()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.present--
	q.changed.Broadcast() // others may have waited for its second opinion
}

func (q *queue) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.changed.Broadcast()
}

// take returns the next block for a board, or a negative number if there are no more. It waits while a block may be
// returned.
func (q *queue) take(ctx context.Context, by *Provenance) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		switch f := q.setAside(by); {
		case q.err != nil:
			return -1, nil // reported by the chip that ran the block
		case f != nil:
			return -1, f
		case ctx.Err() != nil:
			return -1, context.Cause(ctx)
		}
		if n := q.pick(by); n >= 0 {
			q.busy++
			return n, nil
		}
		if q.busy == 0 && (len(q.doubted) == 0 || q.present < 2) {
			return -1, nil
		}
		q.changed.Wait()
	}
}

func (q *queue) setAside(by *Provenance) *Finding {
	if by == nil {
		return nil
	}
	return q.aside[by.Transport]
}

// pick removes a block from the queue: first those to check again, then returned ones, then new ones.
func (q *queue) pick(by *Provenance) int {
	if by != nil {
		for i, a := range q.doubted {
			if a.By.Transport != by.Transport {
				q.doubted = slices.Delete(q.doubted, i, i+1)
				return a.Number
			}
		}
	}
	if len(q.back) > 0 {
		n := slices.Min(q.back)
		q.back = slices.DeleteFunc(q.back, func(b int) bool { return b == n })
		return n
	}
	if q.runner.MaxFailures > 0 && q.failed >= q.runner.MaxFailures {
		return -1
	}
	for q.next < q.runner.Range.End {
		if q.next++; len(*q.of(q.next - 1)) == 0 {
			return q.next - 1
		}
	}
	return -1
}

// of returns the results of a block.
func (q *queue) of(n int) *[]Answer { return &q.answers[n-q.runner.Range.First] }

// giveBack returns an unfinished block to the queue.
func (q *queue) giveBack(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy--
	if len(*q.of(n)) == 0 {
		q.back = append(q.back, n)
	} else if q.alike < secondOpinions { // a second opinion
		q.doubted = append(q.doubted, (*q.of(n))[0])
	}
	q.changed.Broadcast()
}

// put records an answer and reports it to Finished.
func (q *queue) put(a Answer) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy--
	q.keep(a)
	if q.runner.Finished != nil && q.err == nil {
		q.err = q.runner.Finished(a)
	}
	q.changed.Broadcast()
	return q.err
}

// keep records a result, and decides which boards repeat it or are excluded.
func (q *queue) keep(a Answer) {
	all := q.of(a.Number)
	*all = append(*all, a)
	switch n := len(*all); {
	case n == 1:
		q.failed += a.Failed
		if a.By != nil && a.Failed > 0 && q.alike < secondOpinions {
			q.doubted = append(q.doubted, a)
		}
	default:
		q.doubted = slices.DeleteFunc(q.doubted, func(d Answer) bool { return d.Number == a.Number })
		if f := differ(&(*all)[0], &a); f == nil {
			if q.alike++; q.alike == secondOpinions {
				q.doubted = nil // a slow board may have left many
			}
		} else if c := f.Culprit(); c != nil {
			q.aside[c.Transport] = f
			q.failed -= (*all)[0].Failed
		}
	}
}

// differ returns the finding in two different results, or nil.
func differ(a, b *Answer) *Finding {
	if a.Samples == b.Samples && a.Covered == b.Covered {
		return nil
	}
	return &Finding{[2]Answer{*a, *b}}
}

// blocks returns the finished blocks. Of several results of a block it returns the wrong one, which is evidence of a
// fault.
func (q *queue) blocks(r *Runner) (done []Block) {
	defer q.begin(r)()
	for _, all := range q.answers {
		if len(all) == 0 {
			continue
		}
		at := max(0, slices.IndexFunc(all, func(a Answer) bool { return a.Failed > 0 }))
		done = append(done, all[at].Block)
	}
	return done
}

func (q *queue) findings(r *Runner) (found []Finding) {
	defer q.begin(r)()
	for _, all := range q.answers {
		for i := 1; i < len(all); i++ {
			if f := differ(&all[0], &all[i]); f != nil {
				found = append(found, *f)
			}
		}
	}
	return found
}

func (q *queue) by(r *Runner) (boards []Provenance) {
	defer q.begin(r)()
	for _, all := range q.answers {
		for _, a := range all {
			if a.By != nil && !slices.ContainsFunc(boards, func(b Provenance) bool { return b.equal(a.By) }) {
				boards = append(boards, *a.By)
			}
		}
	}
	slices.SortStableFunc(boards, func(a, b Provenance) int { return strings.Compare(a.Transport, b.Transport) })
	return boards
}

// shares returns the shares of a lab's boards, by name.
func (q *queue) shares() (boards []byBoard) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, all := range q.answers {
		for _, a := range all {
			if a.By == nil {
				continue
			}
			at := slices.IndexFunc(boards, func(b byBoard) bool { return b.Board == a.By.Transport })
			if at < 0 {
				at = len(boards)
				boards = append(boards, byBoard{Board: a.By.Transport, Wrong: []int{}, Differs: []int{}})
			}
			b := &boards[at]
			b.Blocks++
			if a.Failed > 0 {
				b.Wrong = append(b.Wrong, a.Number)
			}
			if slices.ContainsFunc(all, func(o Answer) bool { return differ(&a, &o) != nil }) {
				b.Differs = append(b.Differs, a.Number)
			}
		}
	}
	slices.SortFunc(boards, func(a, b byBoard) int { return strings.Compare(a.Board, b.Board) })
	return boards
}
