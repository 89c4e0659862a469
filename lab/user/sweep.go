package user

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"utfbench/lab"
	"utfbench/runs/report"
	"utfbench/sweep"
	"utfbench/tile"
)

// A Sweep is a sweep on all boards of a lab. Fill in the fields and call Run.
type Sweep struct {
	Store   *lab.Store
	ID      string // identifies the sweep when it is resumed
	Tile    tile.Tile
	Scope   tile.Scope
	OnError func(text string)         // receives errors
	OnBlock func(done, of, steps int) // called for each accepted block

	Space       tile.Space     // set by Run
	Kind        string         // kind of the responding boards; mock if none has a real chip
	WrongBlocks map[string]int // number of a board's wrong blocks that another computed right, by board

	model   *sweep.BlockRunner
	right   map[int]*sweep.Block // the model's blocks
	wrong   map[int][]lab.Answer // answers that differ from the model's
	counted map[int]sweep.Block
}

// Run publishes the blocks that have no answer, and collects answers until each block is accepted.
func (s *Sweep) Run(ctx context.Context) (blocks []sweep.Block, err error) {
	var own tile.Tile
	if s.Space, own, err = sweep.Open(s.Tile, s.Scope); err != nil {
		return nil, err
	}
	if err := checkRun(s.ID); err != nil {
		return nil, err
	}
	s.model = sweep.NewBlockRunner(s.Space, own, nil)
	s.right, s.wrong, s.counted = map[int]*sweep.Block{}, map[int][]lab.Answer{}, map[int]sweep.Block{}
	s.WrongBlocks, s.Kind = map[string]int{}, report.Mock
	err = lab.Follow(ctx, s.Store.Sweeps, "*."+s.ID+".>", func(e jetstream.KeyValueEntry) (done bool, err error) {
		if e == nil {
			err = s.publish(ctx, 0, s.Space.Blocks())
		} else {
			err = s.take(ctx, e)
		}
		return len(s.counted) == s.Space.Blocks(), err
	})
	return slices.SortedFunc(maps.Values(s.counted), func(a, b sweep.Block) int { return a.Number - b.Number }), err
}

// publish publishes the blocks from first up to but not including end that are not accepted yet, each for boards that
// have not computed it. JetStream drops duplicates.
func (s *Sweep) publish(ctx context.Context, first, end int) error {
	var acks []jetstream.PubAckFuture
	for n := first; n < end; n++ {
		if _, done := s.counted[n]; done {
			continue
		}
		b := &lab.Block{Sweep: s.ID, Tile: s.Tile.Name(), Scope: s.Scope, Number: n}
		for _, a := range s.wrong[n] {
			b.ExcludedBoards = append(b.ExcludedBoards, a.Board)
		}
		ack, err := s.Store.JetStream.PublishAsync("block."+s.ID, lab.Encode(b),
			jetstream.WithMsgID(fmt.Sprintf("%s.%d.%d", s.ID, n, len(b.ExcludedBoards))))
		if err != nil {
			return lab.Explain(err)
		}
		acks = append(acks, ack)
	}
	for _, ack := range acks {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ack.Err():
			return lab.Explain(err)
		case <-ack.Ok():
		}
	}
	return nil
}

// take judges an answer. A block that differs from the model's is accepted only after another board's answer, or if
// there is no other board.
func (s *Sweep) take(ctx context.Context, e jetstream.KeyValueEntry) error {
	var a lab.Answer
	if lab.Decode(e.Value(), &a) != nil {
		return nil
	}
	n := a.Block.Number
	host, board, _ := strings.Cut(a.Board, ".")
	if n < 0 || n >= s.Space.Blocks() || e.Key() != lab.AnswerKey(host, board, &lab.Block{Sweep: s.ID, Number: n}) {
		return nil // the key of the answer does not belong to its board
	}
	right, err := s.expect(ctx, n)
	if err != nil {
		return err
	}
	if _, done := s.counted[n]; done {
		return nil
	}
	if a.Kind != report.Mock {
		s.Kind = a.Kind
	}
	if a.Block.Samples == right.Samples {
		for _, other := range s.wrong[n] {
			if s.WrongBlocks[other.Board]++; s.WrongBlocks[other.Board] == 1 {
				s.OnError(other.Board + ": block " + strconv.Itoa(n) + " is unlike the model's, and " + a.Board +
					" has it right")
			}
		}
		s.count(a.Block)
		return nil
	}
	if slices.ContainsFunc(s.wrong[n], func(o lab.Answer) bool { return o.Board == a.Board }) {
		return nil
	}
	s.wrong[n] = append(s.wrong[n], a)
	if len(s.wrong[n]) > 1 { // two boards
		s.count(s.wrong[n][0].Block)
		return nil
	}
	// A list may lack an announcement that is just being replaced; only a second one shows that no other board exists.
	for range 2 {
		all, err := Boards(ctx, s.Store)
		if err != nil {
			return err
		}
		other := func(b lab.Board) bool { return b.String() != a.Board && b.State != lab.StateFaulty }
		if slices.ContainsFunc(all, other) {
			return s.publish(ctx, n, n+1)
		}
		lab.Sleep(ctx, time.Second)
	}
	s.OnError(a.Board + ": block " + strconv.Itoa(n) + " is unlike the model's, and there is no other board")
	s.count(a.Block)
	return nil
}

// expect returns the model's block, and computes it on first use.
func (s *Sweep) expect(ctx context.Context, n int) (*sweep.Block, error) {
	if s.right[n] == nil {
		b, err := s.model.Run(ctx, n)
		if err != nil {
			return nil, err
		}
		s.right[n] = &b
	}
	return s.right[n], nil
}

// count accepts a block, with the model's cases and steps. With a wrong hash, it counts at least one failed case.
func (s *Sweep) count(b sweep.Block) {
	right := s.right[b.Number]
	b.Cases, b.Steps = right.Cases, right.Steps
	switch {
	case b.Samples == right.Samples:
		b.Failed, b.First = 0, nil
	case b.Failed < 1 || b.Failed > b.Cases:
		b.Failed = 1
	}
	s.counted[b.Number] = b
	s.OnBlock(len(s.counted), s.Space.Blocks(), b.Steps)
}
