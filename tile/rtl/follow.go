package rtl

import (
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// Follow is the reference beside a test that nobody knows in advance: levels come one by one, and some of them nobody
// knows. Close it.
func (t *Tile) Follow() (*Follower, error) {
	sim, err := t.take(&t.usual)
	return &Follower{tile: t, sim: sim, enable: 0xFF}, err
}

// A Follower keeps all moves that it was asked, 8 bytes each.
type Follower struct {
	tile   *Tile
	sim    *verilog.PowerUps
	moves  []verilog.Move
	enable uint8 // the lines of uio that the tile may drive now
	belief uint8 // the lines of which the belief of DoAll was wrong: it does not count there any more
	err    error
}

// Seen is what the reference shows after a move.
type Seen struct {
	transport.Sample
	Enable, EnableX uint8 // the lines of uio that the tile drives; of those in EnableX nobody knows it
	Drive           uint8 // those that the bench may drive during the move
}

// A Move is a step of which some levels may be unknown; Drive are the lines of uio on which there is one.
type Move struct {
	transport.Step
	InX    uint8 // bits of ui that nobody knows
	ResetX bool  // nobody knows rst_n
}

func (m *Move) move() verilog.Move {
	v := movesOf(nil, []transport.Step{m.Step})[0]
	if v.InX = m.InX; m.ResetX {
		v.Flags |= verilog.MoveRstX
	}
	return v
}

// Do makes a move. It takes the bench off those lines of uio that the tile may drive before the move or after it.
// Nothing is known after an error.
func (f *Follower) Do(step Move) (Seen, error) {
	m := step.move()
	if len(f.moves) == 0 {
		m.Flags |= verilog.MoveWake
	}
	m.Drive &^= f.enable
	var v verilog.View
	for v = f.last([]verilog.Move{m}); v.Both&m.Drive != 0 && f.err == nil; {
		m.Drive &^= v.Both // the tile takes these lines in this very move, so it is made anew without them
		v = f.last(append(f.moves[:len(f.moves):len(f.moves)], m))
	}
	f.moves = append(f.moves, m)
	f.enable = v.Enable | v.EnableX
	return Seen{sample(v), v.Enable, v.EnableX, m.Drive}, f.err
}

// DoAll makes moves, each as Do does, and fills seen. May has the lines of uio that the tile is believed to drive
// before each move and after the last one, so that mostly all moves are one question; where that is wrong it takes
// longer.
func (f *Follower) DoAll(steps []Move, may []uint8, seen []Seen) error {
	for len(steps) > 0 {
		n := f.together(steps, may, seen)
		steps, may, seen = steps[n:], may[n:], seen[n:]
		if len(steps) > 0 && f.err == nil {
			seen[0], f.err = f.Do(steps[0])
			steps, may, seen = steps[1:], may[1:], seen[1:]
		}
		if f.err != nil {
			return f.err
		}
	}
	return nil
}

// together makes moves up to the first one at which the bench would drive a line that the tile drives, or would not
// drive one that it may, and gives how many those are.
func (f *Follower) together(steps []Move, may []uint8, seen []Seen) int {
	moves := make([]verilog.Move, len(steps))
	for i := range steps {
		moves[i] = steps[i].move()
		moves[i].Drive &^= (may[i] | may[i+1]) &^ f.belief
	}
	moves[0].Drive &^= f.enable
	if len(f.moves) == 0 {
		moves[0].Flags |= verilog.MoveWake
	}
	enable, good := f.enable, 0
	f.run(moves, func(at int, views []verilog.View) {
		for i, v := range views {
			m, after := moves[at+i], v.Enable|v.EnableX
			withheld := steps[at+i].Drive &^ m.Drive &^ (enable | after)
			if good < at+i || m.Drive&(enable|v.Both) != 0 || withheld != 0 {
				f.belief |= withheld
				return
			}
			seen[good] = Seen{sample(v), v.Enable, v.EnableX, m.Drive}
			enable = after
			good++
		}
	})
	f.moves = append(f.moves, moves[:good]...)
	f.enable = enable
	if good < len(steps) {
		f.run(f.moves, func(int, []verilog.View) {}) // back to where that is not yet so
	}
	return good
}

// run asks the simulation.
func (f *Follower) run(moves []verilog.Move, see func(at int, views []verilog.View)) {
	if f.err == nil {
		f.err = f.sim.Run(moves, see)
	}
}

// last is what is seen after the last of some moves.
func (f *Follower) last(moves []verilog.Move) (seen verilog.View) {
	f.run(moves, func(_ int, views []verilog.View) { seen = views[len(views)-1] })
	return seen
}

// Doubt looks closer at what was seen after so many moves, in many more states: what they do not agree on is unknown
// after all.
func (f *Follower) Doubt(moves int, want *transport.Sample) error {
	sim, err := f.tile.take(&f.tile.doubtful)
	if err != nil {
		return err
	}
	var seen verilog.View
	err = sim.Run(f.moves[:moves], func(_ int, views []verilog.View) { seen = views[len(views)-1] })
	f.tile.give(&f.tile.doubtful, sim, err)
	s := sample(seen)
	want.Forget(s.Unknown() | s.Differ(*want))
	return err
}

// Close gives the simulation back.
func (f *Follower) Close() error {
	f.tile.give(&f.tile.usual, f.sim, f.err)
	return nil
}
