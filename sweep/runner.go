package sweep

import (
	"context"
	"fmt"
	"sync"

	"utfbench/tile"
	"utfbench/transport"
)

// A Range is blocks from First up to End, End not among them.
type Range struct{ First, End int }

// Shard gives part k of n (from 1) of so many blocks: consecutive ones, in parts that are as equal as possible.
func Shard(k, n, blocks int) Range {
	return Range{(k - 1) * blocks / n, k * blocks / n}
}

// ParseShard reads K/N, part K of N of so many blocks; "" is all of them.
func ParseShard(text string, blocks int) (Range, error) {
	if text == "" {
		return Range{End: blocks}, nil
	}
	var k, n int
	_, err := fmt.Sscanf(text, "%d/%d", &k, &n)
	if err != nil || text != fmt.Sprintf("%d/%d", k, n) || k < 1 || k > n || n > blocks {
		return Range{}, fmt.Errorf("--shard %q: has to be K/N, with K from 1 to N and N at most %d, the "+
			"blocks of this space", text, blocks)
	}
	return Shard(k, n, blocks), nil
}

// A Runner sweeps blocks on one chip or several that are alike. Fill in the fields and call Run.
//
// Each chip has its own goroutine, which takes the next block whenever it is free. Blocks are begun in order, and a
// block that was begun is ended, so that after an early stop all blocks before the last one are known. Only ctx and a
// transport that fails interrupt a block.
type Runner struct {
	Space    tile.Space
	Tile     tile.Tile             // to compare with
	Chips    []transport.Transport // one or more; nil stands for the model
	Range    Range
	Done     map[int]Block // not to be run again
	CarryAll bool          // carry all steps, even if the chips are signers

	MaxFailures int               // begin no further block when so many cases differ; 0 is no limit
	Finished    func(Block) error // called after each block, one at a time; an error ends the sweep

	mu     sync.Mutex
	next   int
	failed int
	blocks []Block
	err    error
}

// Run runs the blocks and gives those that are done, Done among them, in order. Some of the range are missing after an
// error (a transport's, ctx's or Finished's) and after MaxFailures.
func (r *Runner) Run(ctx context.Context) ([]Block, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.next, r.failed, r.err, r.blocks = r.Range.First, 0, nil, make([]Block, r.Range.End-r.Range.First)
	for n, b := range r.Done {
		r.blocks[n-r.Range.First] = b
		r.failed += b.Failed
	}
	var wg sync.WaitGroup
	for _, chip := range r.Chips {
		w := newWorker(r.Space, r.Tile, chip)
		w.carryAll = r.CarryAll
		wg.Go(func() {
			if err := r.work(ctx, w); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return r.finished(), r.err
}

// work runs blocks until there are no more.
func (r *Runner) work(ctx context.Context, w *worker) error {
	for {
		n, ok := r.take()
		if !ok {
			return nil
		}
		b, err := w.run(ctx, n)
		if err = r.put(b, err); err != nil {
			return err
		}
	}
}

// take hands out the next block that is not done.
func (r *Runner) take() (int, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for ; r.next < r.Range.End; r.next++ {
		if r.blocks[r.next-r.Range.First].Cases > 0 {
			continue
		}
		if r.MaxFailures > 0 && r.failed >= r.MaxFailures {
			return 0, false
		}
		r.next++
		return r.next - 1, r.err == nil
	}
	return 0, false
}

// put keeps a block, or the first error: those of other chips are its consequence.
func (r *Runner) put(b Block, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.blocks[b.Number-r.Range.First] = b
		r.failed += b.Failed
		if r.Finished != nil {
			err = r.Finished(b)
		}
	} else {
		err = fmt.Errorf("in block %d, %s: %w", b.Number, r.Space.Words(b.Number), err)
	}
	if err != nil && r.err == nil {
		r.err = err
	}
	return err
}

func (r *Runner) finished() (done []Block) {
	for _, b := range r.blocks {
		if b.Cases > 0 {
			done = append(done, b)
		}
	}
	return done
}
