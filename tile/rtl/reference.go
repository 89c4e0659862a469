package rtl

import (
	"utfbench/tile"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// mostIdle is how many simulations are kept for the next question: one for each that a bench asks at a time.
const mostIdle = 16

// A pool is simulations of a design, with so many states each, that wait for the next question.
type pool struct {
	states int
	idle   []*verilog.PowerUps
}

// take gives a simulation that nobody uses.
func (t *Tile) take(p *pool) (*verilog.PowerUps, error) {
	t.mu.Lock()
	if n := len(p.idle); n > 0 {
		sim := p.idle[n-1]
		p.idle = p.idle[:n-1]
		t.mu.Unlock()
		return sim, nil
	}
	t.mu.Unlock()
	return t.start(p.states)
}

// start starts a simulation with so many states.
func (t *Tile) start(states int) (*verilog.PowerUps, error) {
	released := 1
	if t.About.Reset.High {
		released = 0
	}
	return t.design.Start(states, released)
}

// give takes one back. One that failed is ended.
func (t *Tile) give(p *pool, sim *verilog.PowerUps, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil && len(p.idle) < mostIdle {
		p.idle = append(p.idle, sim)
		return
	}
	sim.Close()
}

// ask borrows a simulation for a question: steps after a wake-up.
func (t *Tile) ask(p *pool, steps []transport.Step, see func(at int, views []verilog.View)) error {
	sim, err := t.take(p)
	if err != nil {
		return err
	}
	moves := movesOf(nil, steps)
	if len(moves) > 0 {
		moves[0].Flags |= verilog.MoveWake
	}
	err = sim.Run(moves, see)
	t.give(p, sim, err)
	return err
}

// movesOf are steps as the simulation takes them.
func movesOf(to []verilog.Move, steps []transport.Step) []verilog.Move {
	to = to[:0]
	for _, s := range steps {
		m := verilog.Move{Clocks: s.Clocks, In: s.In, IO: s.IO & s.Drive, Drive: s.Drive}
		if !s.Reset {
			m.Flags = verilog.MoveRstN
		}
		to = append(to, m)
	}
	return to
}

// New implements tile.Tile.
func (t *Tile) New() tile.Reference { return &reference{tile: t} }

// A reference takes a simulation with its first step, and keeps it until it is closed.
type reference struct {
	tile  *Tile
	sim   *verilog.PowerUps
	moves []verilog.Move
	err   error
}

// Run implements tile.Reference.
func (r *reference) Run(steps []transport.Step, samples []transport.Sample) error {
	wake := r.sim == nil
	if r.err == nil && wake {
		r.sim, r.err = r.tile.take(&r.tile.usual)
	}
	if r.err != nil {
		return r.err
	}
	r.moves = movesOf(r.moves, steps)
	if wake && len(steps) > 0 {
		r.moves[0].Flags |= verilog.MoveWake
	}
	r.err = r.sim.Run(r.moves, func(at int, views []verilog.View) {
		for i, v := range views {
			samples[at+i] = sample(v)
		}
	})
	return r.err
}

// sample is what a transport shows of a view. A line that both sides drive shows what nobody can know.
func sample(v verilog.View) transport.Sample {
	unknown := v.IOX | v.Both
	return transport.Sample{Out: v.Out &^ v.OutX, OutX: v.OutX, IO: v.IO &^ unknown, IOX: unknown}
}

// Close gives the simulation back.
func (r *reference) Close() error {
	if r.sim != nil {
		r.tile.give(&r.tile.usual, r.sim, r.err)
		r.sim = nil
	}
	return nil
}

// Doubt implements tile.Doubter.
func (t *Tile) Doubt(steps []transport.Step, want []transport.Sample) error {
	return t.ask(&t.doubtful, steps, func(at int, views []verilog.View) {
		for i, v := range views {
			s := sample(v)
			want[at+i].Forget(s.Unknown() | s.Differ(want[at+i]))
		}
	})
}
