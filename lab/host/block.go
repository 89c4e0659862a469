package host

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"utfbench/internal/failure"
	"utfbench/lab"
	"utfbench/station"
	"utfbench/sweep"
)

// swept holds the chip that is open for the blocks of a sweep.
type swept struct {
	id     string
	chip   *station.Chip // nil if this board cannot compute its blocks
	runner *sweep.BlockRunner
	blocks int
}

// elsewhere is the delay after which a block that this board cannot compute is offered again to others.
const elsewhere = time.Second

// block computes a block of a sweep.
func (b *Board) block(ctx context.Context, m jetstream.Msg) {
	var of lab.Block
	if err := lab.Decode(m.Data(), &of); err != nil {
		_ = m.TermWithReason("it is no block of this lab")
		return
	}
	if slices.Contains(of.ExcludedBoards, b.host.Name+"."+b.Name) {
		_ = m.NakWithDelay(elsewhere)
		return
	}
	if b.swept == nil || b.swept.id != of.Sweep {
		b.openSweep(ctx, &of)
	}
	s := b.swept
	if s.chip == nil || of.Number < 0 || of.Number >= s.blocks {
		_ = m.NakWithDelay(elsewhere)
		return
	}
	block, err := s.runner.Run(ctx, of.Number)
	if err != nil { // the chip is lost; another board will take the block
		b.endSweep()
		b.set(ctx, lab.StateFaulty, "", trouble(err))
		_ = m.Nak()
		return
	}
	answer := lab.Answer{Board: b.host.Name + "." + b.Name, Kind: b.state.Kind, Block: block}
	if _, err := b.host.Store.Sweeps.Put(ctx, lab.AnswerKey(b.host.Name, b.Name, &of), lab.Encode(answer)); err == nil {
		_ = m.Ack() // if this fails, the block is repeated with the same hash
	}
}

// openSweep opens the chip for a sweep. If that fails, it announces the board as faulty, with the reason.
func (b *Board) openSweep(ctx context.Context, of *lab.Block) {
	b.endSweep()
	s := &swept{id: of.Sweep}
	b.swept = s
	if err := b.tryOpen(ctx, s, of); err != nil {
		if s.chip != nil {
			s.chip.CloseWithNotes()
			s.chip = nil
		}
		b.host.OnEvent(fmt.Sprintf("%s: it takes no part in the sweep %s: %v", b.Name, of.Sweep, err))
		b.set(ctx, lab.StateFaulty, "", trouble(err))
		return
	}
	b.set(ctx, lab.StateBusy, of.Sweep, "")
}

func (b *Board) tryOpen(ctx context.Context, s *swept, of *lab.Block) (err error) {
	t := b.Target
	t.Revision = of.Scope.Revision
	if t.Tile, err = b.tile(ctx, &lab.Job{Tile: of.Tile}); err != nil {
		return err
	}
	space, reference, err := sweep.Open(t.Tile, of.Scope)
	if err != nil {
		return err
	}
	if s.chip, err = t.Open(ctx); err != nil {
		return err
	}
	if s.chip.HasWires {
		if err := s.chip.AssessWires(ctx, ""); err != nil {
			return err
		}
		if s.chip.BrokenWires != nil {
			return failure.Newf(failure.Wire, "its wiring is at fault: %s", s.chip.DescribeBadWires(" "))
		}
		if doubt := s.chip.WiringDoubt(); doubt != "" {
			return failure.Newf(failure.Bench, "%s", doubt)
		}
	}
	s.runner, s.blocks = sweep.NewBlockRunner(space, reference, s.chip.Transport), space.Blocks()
	return nil
}

// endSweep parks the chip that was open for a sweep.
func (b *Board) endSweep() {
	if b.swept == nil {
		return
	}
	if b.swept.chip != nil {
		b.swept.chip.CloseWithNotes()
		b.set(context.Background(), lab.StateFree, "", "")
	}
	b.swept = nil
}
