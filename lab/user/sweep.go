package user

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"utfbench/internal/failure"
	"utfbench/lab"
	"utfbench/runs/report"
	"utfbench/sweep"
	"utfbench/tile"
)

// A Sweep is a sweep by all boards of a lab. Fill in the fields and call Run.
type Sweep struct {
	Store *lab.Store
	ID    string // of the sweep, by which it is resumed
	Tile  tile.Tile
	Scope tile.Scope
	Tell  func(text string)         // receives what goes wrong
	Each  func(done, of, steps int) // is called for each block that counts

	Space  tile.Space     // set by Run
	Kind   string         // of the boards that answered: mock if no chip did
	Blamed map[string]int // blocks that other boards have right, by the board that had them wrong

	model   *sweep.BlockRunner
	right   map[int]*sweep.Block // the model's, of blocks that have been answered
	wrong   map[int][]lab.Answer // unlike the model's, so far
	counted map[int]sweep.Block
}

// askAgain is how often blocks without an answer are published again. JetStream drops those that are still there.
const askAgain = 2 * time.Minute

// Run publishes the blocks that have no answer, and collects answers until each block counts.
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
	s.Blamed, s.Kind = map[string]int{}, report.Mock
	w, err := s.Store.Sweeps.Watch(ctx, "*."+s.ID+".>", jetstream.IgnoreDeletes())
	if err != nil {
		return nil, lab.Explain(err)
	}
	defer func() { _ = w.Stop() }()
	again := time.NewTicker(askAgain)
	defer again.Stop()
	for len(s.counted) < s.Space.Blocks() {
		select {
		case <-ctx.Done():
			return s.blocks(), ctx.Err()
		case <-again.C:
			if err := s.publishAll(ctx); err != nil {
				return s.blocks(), err
			}
		case e, ok := <-w.Updates():
			switch {
			case !ok:
				return s.blocks(), failure.Newf(failure.Bench, "the lab's answers cannot be followed any more")
			case e == nil: // all that were there
				err = s.publishAll(ctx)
			default:
				err = s.take(ctx, e)
			}
			if err != nil {
				return s.blocks(), err
			}
		}
	}
	return s.blocks(), nil
}

// blocks returns the blocks that count, in order.
func (s *Sweep) blocks() []sweep.Block {
	return slices.SortedFunc(maps.Values(s.counted), func(a, b sweep.Block) int { return a.Number - b.Number })
}

// publishAll publishes the blocks that do not count yet.
func (s *Sweep) publishAll(ctx context.Context) error {
	var last jetstream.PubAckFuture
	for n := range s.Space.Blocks() {
		if _, done := s.counted[n]; done {
			continue
		}
		future, err := s.Store.JetStream.PublishAsync("block."+s.ID, lab.Encode(s.block(n)))
		if err != nil {
			return lab.Explain(err)
		}
		last = future
	}
	if last == nil {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-last.Err():
		return lab.Explain(err)
	case <-last.Ok():
	}
	return nil
}

// block returns a block, which no board computes that has answered it already.
func (s *Sweep) block(n int) *lab.Block {
	b := &lab.Block{Sweep: s.ID, Tile: s.Tile.Name(), Scope: s.Scope, Number: n}
	for _, a := range s.wrong[n] {
		b.Not = append(b.Not, a.Board)
	}
	return b
}

// take judges an answer. One unlike the model's counts once another board has answered, or if there is no other.
func (s *Sweep) take(ctx context.Context, e jetstream.KeyValueEntry) error {
	var a lab.Answer
	if lab.Decode(e.Value(), &a) != nil {
		return nil
	}
	n := a.Block.Number
	host, board, _ := strings.Cut(a.Board, ".")
	if n < 0 || n >= s.Space.Blocks() || e.Key() != lab.AnswerKey(host, board, &lab.Block{Sweep: s.ID, Number: n}) {
		return nil // it is of a host that says what it may not
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
			if s.Blamed[other.Board]++; s.Blamed[other.Board] == 1 {
				s.Tell(other.Board + ": block " + strconv.Itoa(n) + " is unlike the model's, and " + a.Board +
					" has it right")
			}
		}
		return s.count(a.Block)
	}
	if slices.ContainsFunc(s.wrong[n], func(o lab.Answer) bool { return o.Board == a.Board }) {
		return nil
	}
	s.wrong[n] = append(s.wrong[n], a)
	if len(s.wrong[n]) > 1 { // two boards
		return s.count(s.wrong[n][0].Block)
	}
	all, err := Boards(ctx, s.Store)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(all, func(b lab.Board) bool { return b.String() != a.Board && b.State != lab.Trouble }) {
		s.Tell(a.Board + ": block " + strconv.Itoa(n) + " is unlike the model's, and there is no other board")
		return s.count(a.Block)
	}
	_, err = s.Store.JetStream.Publish(ctx, "block."+s.ID, lab.Encode(s.block(n)))
	return lab.Explain(err)
}

// expect returns the model's block.
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

// count makes a block count. What is said of its cases is checked: a wrong hash with no wrong case cannot be.
func (s *Sweep) count(b sweep.Block) error {
	right := s.right[b.Number]
	b.Cases, b.Steps = right.Cases, right.Steps
	switch {
	case b.Samples == right.Samples:
		b.Failed, b.First = 0, nil
	case b.Failed < 1 || b.Failed > b.Cases:
		b.Failed = 1
	}
	s.counted[b.Number] = b
	s.Each(len(s.counted), s.Space.Blocks(), b.Steps)
	return nil
}
