package rtl

import (
	"sync"

	"utfbench/internal/crash"
	"utfbench/transport/verilog"
)

// An exchange is one simulation for many chips at the end of wires. A question takes microseconds and the way to the
// simulation and back some forty, so what is asked while it is away goes with the next one, together.
type exchange struct {
	sim       *verilog.PowerUps
	questions chan *question

	mu   sync.Mutex
	free []uint8 // slots
}

// A question is moves of a slot; only what is seen after the last one counts.
type question struct {
	moves []verilog.Move
	seen  verilog.View
	err   error
	done  chan struct{}
}

// slots is how many chips there can be at a time.
const slots = 256

// exchange is the tile's, which begins with the first question.
func (t *Tile) exchange() (*exchange, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.crowd != nil {
		return t.crowd, nil
	}
	sim, err := t.start(crowds)
	if err != nil {
		return nil, err
	}
	x := &exchange{sim: sim, questions: make(chan *question, slots)}
	for slot := range slots {
		x.free = append(x.free, uint8(slot))
	}
	t.crowd = x
	crash.Go(x.serve)
	return x, nil
}

// serve answers until the tile is closed.
func (x *exchange) serve() {
	var asked []*question
	var moves []verilog.Move
	for q := range x.questions {
		asked, moves = append(asked[:0], q), append(moves[:0], q.moves...)
		for more := true; more; {
			select {
			case q, more = <-x.questions:
				if more {
					asked, moves = append(asked, q), append(moves, q.moves...)
				}
			default:
				more = false
			}
		}
		x.answer(asked, moves)
	}
	x.sim.Close()
}

// answer gives each question what was seen after its last move.
func (x *exchange) answer(asked []*question, moves []verilog.Move) {
	next, end := 0, len(asked[0].moves)
	err := x.sim.Run(moves, func(at int, views []verilog.View) {
		for end <= at+len(views) {
			asked[next].seen = views[end-1-at]
			if next++; next == len(asked) {
				break
			}
			end += len(asked[next].moves)
		}
	})
	for _, q := range asked {
		q.err = err
		q.done <- struct{}{}
	}
}

// ask waits for the answer.
func (x *exchange) ask(q *question) error {
	x.questions <- q
	<-q.done
	return q.err
}

// slot gives a free one; ok is false if there is none.
func (x *exchange) slot() (slot uint8, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := len(x.free)
	if n == 0 {
		return 0, false
	}
	slot, x.free = x.free[n-1], x.free[:n-1]
	return slot, true
}

func (x *exchange) leave(slot uint8) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.free = append(x.free, slot)
}
