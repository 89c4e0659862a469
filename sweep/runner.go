package sweep

import (
	"context"
	"fmt"
	"sync"

	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// A Range is the blocks from First up to but not including End.
type Range struct{ First, End int }

// Shard returns part k of n, counted from 1: consecutive blocks, in parts of nearly equal size.
func Shard(k, n, blocks int) Range {
	return Range{(k - 1) * blocks / n, k * blocks / n}
}

// ParseShard parses K/N as part K of N; "" stands for all blocks.
func ParseShard(text string, blocks int) (Range, error) {
	if text == "" {
		return Range{End: blocks}, nil
	}
	var k, n int
	_, err := fmt.Sscanf(text, "%d/%d", &k, &n)
	if err != nil || text != fmt.Sprintf("%d/%d", k, n) || k < 1 || k > n || n > blocks {
		return Range{}, failure.Usagef("--shard %q: has to be K/N, with K from 1 to N and N at most %d, the "+
			"blocks of this space", text, blocks)
	}
	return Shard(k, n, blocks), nil
}

// A Runner sweeps blocks on one or more equivalent chips. Fill in the fields and call Run, or Work for each chip.
//
// Each chip has its own goroutine, which takes the next block when it is free. Blocks start in order, and started
// blocks are completed, so an early stop leaves no gaps before the last block. Only ctx or a failing transport
// interrupts a block, which another chip then repeats.
type Runner struct {
	Space    tile.Space
	Tile     tile.Tile             // the reference
	Chips    []transport.Transport // for Run; nil stands for the model
	Range    Range
	Done     []Answer // from earlier runs
	CarryAll bool     // carry all steps, even on signers

	MaxFailures int                // start no block after N wrong cases; 0 for no limit
	Finished    func(Answer) error // called sequentially after each block; an error ends the sweep

	queue queue
}

// Run runs the blocks on Chips and returns the finished ones, including Done, in order. Some are missing after an error
// (a transport's, ctx's or Finished's) and after MaxFailures.
func (r *Runner) Run(ctx context.Context) ([]Block, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg failure.Group
	var first error
	var once sync.Once // errors of other chips follow from it
	for _, chip := range r.Chips {
		wg.Go(func() {
			if err := r.Work(ctx, chip, nil); err != nil {
				once.Do(func() { first = err })
				cancel()
			}
		})
	}
	wg.Wait()
	return r.Blocks(), first
}

// Work runs blocks on a chip until none are left, including those that failed on other chips. In a sweep of several
// boards, by identifies the board; then a wrong block is repeated on a second board, and a board that differs from
// another is excluded, with a *Finding as the error. Other errors are the transport's, ctx's or Finished's.
func (r *Runner) Work(ctx context.Context, chip transport.Transport, by *Provenance) error {
	w := newWorker(r.Space, r.Tile, chip)
	w.carryAll = r.CarryAll
	r.queue.join(r)
	defer r.queue.leave(context.AfterFunc(ctx, r.queue.wake))
	for {
		n, err := r.queue.take(ctx, by)
		if err != nil || n < 0 {
			return err
		}
		b, err := w.run(ctx, n)
		if err != nil {
			r.queue.giveBack(n)
			return fmt.Errorf("in block %d, %s: %w", n, r.Space.Words(n), err)
		}
		if err := r.queue.put(Answer{b, by}); err != nil {
			return err
		}
	}
}

// Blocks returns the finished blocks in order.
func (r *Runner) Blocks() []Block { return r.queue.blocks(r) }

// By returns the contributing boards, sorted by name.
func (r *Runner) By() []Provenance { return r.queue.by(r) }

// Findings returns the blocks on which two boards differ, in order.
func (r *Runner) Findings() []Finding { return r.queue.findings(r) }
