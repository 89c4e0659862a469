package sweep

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// A Runner sweeps all blocks of a space on one or more equivalent chips. Fill in the fields and call Run.
//
// Each chip has its own goroutine, which takes the next block when it is free. Blocks start in order, and started
// blocks are completed, so an early stop leaves no gaps. Only ctx or a failing transport interrupts a block.
type Runner struct {
	Space         tile.Space
	Tile          tile.Tile             // the reference
	Chips         []transport.Transport // a nil chip is the model
	EarlierBlocks []Block               // finished blocks from earlier runs

	MaxFailures int               // start no block after N wrong cases; 0 for no limit
	OnBlock     func(Block) error // called sequentially after each block; an error ends the sweep

	mu     sync.Mutex
	done   map[int]bool
	next   int
	failed int
}

// Run runs the blocks on Chips and returns the finished ones, including EarlierBlocks, in order. Some are missing after
// an error (from a transport, ctx or OnBlock) and after MaxFailures.
func (r *Runner) Run(ctx context.Context) ([]Block, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.done, r.next, r.failed = map[int]bool{}, 0, 0
	for _, b := range r.EarlierBlocks {
		r.done[b.Number] = true
		r.failed += b.Failed
	}
	var wg failure.Group
	var first error
	var once sync.Once // other chips' errors are consequences of the first
	for _, chip := range r.Chips {
		wg.Go(func() {
			if err := r.work(ctx, chip); err != nil {
				once.Do(func() { first = err })
				cancel()
			}
		})
	}
	wg.Wait()
	slices.SortFunc(r.EarlierBlocks, func(a, b Block) int { return a.Number - b.Number })
	return r.EarlierBlocks, first
}

// work runs blocks on a chip until all are started.
func (r *Runner) work(ctx context.Context, chip transport.Transport) error {
	w := NewBlockRunner(r.Space, r.Tile, chip)
	for {
		n := r.nextBlock()
		switch {
		case n < 0:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		b, err := w.Run(ctx, n)
		if err != nil {
			return fmt.Errorf("in block %d, %s: %w", n, r.Space.BlockText(n), err)
		}
		if err := r.finish(b); err != nil {
			return err
		}
	}
}

// nextBlock returns the number of the next block to run, or -1 if there is none.
func (r *Runner) nextBlock() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.next < r.Space.Blocks() && (r.MaxFailures == 0 || r.failed < r.MaxFailures) {
		if r.next++; !r.done[r.next-1] {
			return r.next - 1
		}
	}
	return -1
}

func (r *Runner) finish(b Block) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.EarlierBlocks = append(r.EarlierBlocks, b)
	r.failed += b.Failed
	if r.OnBlock == nil {
		return nil
	}
	return r.OnBlock(b)
}

// WriteText describes a sweep at its start. from is the file with earlier blocks.
func (h *Header) WriteText(w io.Writer, r *Runner, board, from string, notes []string) {
	fmt.Fprintf(w, "%s, board %s, compared with the %s model: %s, %s\n", h.Transport, board, r.Tile.Revision(), h.Space,
		printable.Count(r.Space.Blocks(), "block"))
	if len(h.Tags) > 0 {
		fmt.Fprintf(w, "  tags: %s\n", h.Tags)
	}
	for _, note := range notes {
		fmt.Fprintf(w, "  %s\n", note)
	}
	if n := len(r.EarlierBlocks); n > 0 {
		fmt.Fprintf(w, "  %s done before, says %s\n", printable.Count(n, "block"), from)
	}
}

// UnfinishedError returns the error for a sweep that ended early, with done blocks finished. The error says how to
// resume from s, which may be nil. seed is the flag that repeats a drawn seed, or "".
func (r *Runner) UnfinishedError(ctx context.Context, done int, s *State, seed string, why error) error {
	kept := "they are not kept: give it a --resume FILE"
	if s != nil {
		kept = "the same command" + seed + " resumes it, by " + s.file.Name()
	}
	left := fmt.Sprintf("%d of %s done; %s", done, printable.Count(r.Space.Blocks(), "block"), kept)
	if ctx.Err() != nil {
		return failure.Newf(failure.Interrupted, "stopped: %s", left)
	}
	return failure.New(failure.Bench, fmt.Errorf("%w (%s)", why, left))
}
