package verilog

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// PowerUps is a tile as a reference, in Verilator or Icarus: several of it side by side, which wake up in different
// states and take the same steps. What they agree on is known. It is no transport: a Move may have levels that nobody
// knows.
//
// Two is the least: one wakes up with all registers 0 and one with all 1, so that a bit which depends on a single
// register is found out. More find what depends on several.
type PowerUps struct {
	name   string
	start  func() (*simulation, error)
	sims   map[uint8]*simulation // by slot; Verilator's has the tiles of all slots
	single bool                  // a simulation has the tiles of one slot
	closed bool

	request, reply [chunk * moveBytes]byte
	views          [chunk]View
}

// A Move is a step of a tile of which some levels may be unknown.
type Move struct {
	Flags  MoveFlags
	Clocks uint8
	In, IO uint8 // ui and uio; of uio only the bits in Drive count
	Drive  uint8 // the uio lines that the bench drives
	InX    uint8 // bits of ui that nobody knows
	IOX    uint8 // bits of uio that the bench drives and nobody knows
	Slot   uint8 // which of its tiles: each slot has its own, of which those of slot 0 are awake
}

// MoveFlags of a Move.
type MoveFlags uint8

// Flags of a Move: rst_n is high; the tile wakes up anew before it; nobody knows rst_n, or whether clk is pulsed; the
// view's IO is what the tile puts on uio, whether it drives or not, and not what the lines show.
const (
	MoveRstN MoveFlags = 1 << iota
	MoveWake
	MoveRstX
	MoveClkX
	MoveOwn

	moveFlush MoveFlags = 1 << 7 // the bench waits for an answer after this move
)

// A View is what a tile shows after a move. The bits in OutX, IOX and EnableX are unknown.
type View struct {
	Out, OutX       uint8
	IO, IOX         uint8
	Enable, EnableX uint8 // the uio lines that the tile drives
	Both            uint8 // the uio lines that bench and tile have both driven during the move, in one state or another
}

// moveBytes are those of a Move and of a View alike.
const moveBytes = 8

// A Reference is a design that was built for PowerUps.
type Reference struct {
	config Config
	plan   *plan
}

// referenceConfig gives a Config its defaults as a reference: Verilator, if it is installed and no other is named.
func referenceConfig(c Config) (Config, *tool, error) {
	c.Patience = cmp.Or(c.Patience, patience)
	c.Timescale = cmp.Or(c.Timescale, timescale)
	if _, err := findTool("verilator"); err == nil && (c.Simulator == "" || c.Simulator == "auto") {
		c.Simulator = "verilator"
	}
	if err := checkInput(&c); err != nil {
		return c, nil, err
	}
	t, err := findTool(c.Simulator)
	return c, t, err
}

// BuildReference builds it, or finds it built. Where c leaves the simulator open, Verilator is taken if it is there.
func BuildReference(ctx context.Context, c Config) (*Reference, error) {
	c, _, err := referenceConfig(c)
	if err != nil {
		return nil, err
	}
	c.VCD, c.powerUps = "", true
	b, err := build(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Reference{c, b}, nil
}

// Simulator is what it runs in: "verilator" or "icarus".
func (r *Reference) Simulator() string { return r.plan.tool.name }

// Design is the top module, and the digest that Transport.Design gives of it.
func (r *Reference) Design() (top, digest string) { return r.plan.top.name, r.plan.digest }

// Files are those that were read for it.
func (r *Reference) Files() []File { return r.plan.filesOf(&r.config) }

// Unnamed are calls of the design that read a file whose name its text does not say.
func (r *Reference) Unnamed() []string { return r.plan.data.unknown }

// Keep keeps what was found out about the design beside what was built, so that it need not be found out again. What
// cannot be kept is found out again.
func (r *Reference) Keep(name string, what []byte) {
	_ = os.WriteFile(filepath.Join(r.plan.entry, name), what, 0o600)
}

// Kept gives what Keep has kept; ok is false if there is nothing.
func (r *Reference) Kept(name string) (what []byte, ok bool) {
	what, err := os.ReadFile(filepath.Join(r.plan.entry, name))
	return what, err == nil
}

// Start starts it with n tiles, 2 or more. They are awake, with rst_n at the level released, which does not reset them.
func (r *Reference) Start(n, released int) (*PowerUps, error) {
	p := &PowerUps{name: r.plan.top.name + " in " + r.plan.tool.title, sims: map[uint8]*simulation{}}
	args := append(r.plan.tool.run(filepath.Join(r.plan.entry, "sim")), strconv.Itoa(n), strconv.Itoa(released))
	if r.plan.tool == icarus {
		var err error
		if args, err = r.plan.icarusPowerUps(n, released); err != nil {
			return nil, err
		}
		p.single = true
	}
	p.start = func() (*simulation, error) { return simulate(r.config.Patience, r.config.Dir, args[0], args[1:]...) }
	if _, err := p.simulation(0); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// simulation gives the one that has a slot's tiles.
func (p *PowerUps) simulation(slot uint8) (*simulation, error) {
	if !p.single {
		slot = 0
	}
	if sim := p.sims[slot]; sim != nil {
		return sim, nil
	}
	sim, err := p.start()
	if err != nil {
		return nil, err
	}
	p.sims[slot] = sim
	return sim, p.read(sim, 1)
}

// Run makes the moves in order, and calls see with the views of some of them at a time, in order.
func (p *PowerUps) Run(moves []Move, see func(at int, views []View)) error {
	if p.closed {
		return fmt.Errorf("the reference, %s, was ended", p.name)
	}
	for at := 0; at < len(moves); {
		part := moves[at:p.together(moves, at)]
		if err := p.exchange(part); err != nil {
			return err
		}
		see(at, p.views[:len(part)])
		at += len(part)
	}
	return nil
}

// together is the end of the moves from at on that one simulation takes at once.
func (p *PowerUps) together(moves []Move, at int) int {
	end := at + 1
	for end < min(at+chunk, len(moves)) && !(p.single && moves[end].Slot != moves[at].Slot) {
		end++
	}
	return end
}

// exchange makes some moves, and leaves what is seen in p.views.
func (p *PowerUps) exchange(moves []Move) error {
	sim, err := p.simulation(moves[0].Slot)
	if err != nil {
		return err
	}
	for i, m := range moves {
		b := p.request[i*moveBytes:][:moveBytes]
		b[0], b[1], b[2], b[3] = byte(m.Flags), m.Clocks, m.In, m.IO
		b[4], b[5], b[6], b[7] = m.Drive, m.InX, m.IOX, m.Slot
	}
	p.request[(len(moves)-1)*moveBytes] |= byte(moveFlush)
	sim.send(p.request[:len(moves)*moveBytes])
	err = p.read(sim, len(moves))
	if sent := sim.sent(); err == nil {
		err = sent
	}
	return err
}

// read reads n views.
func (p *PowerUps) read(sim *simulation, n int) error {
	sim.expect()
	_, err := io.ReadFull(sim.out, p.reply[:n*moveBytes])
	switch {
	case err == nil:
		for i := range n {
			b := p.reply[i*moveBytes:][:moveBytes]
			if p.single { // Icarus writes two words in the machine's order
				binary.LittleEndian.PutUint32(b, binary.NativeEndian.Uint32(b))
				binary.LittleEndian.PutUint32(b[4:], binary.NativeEndian.Uint32(b[4:]))
			}
			p.views[i] = View{b[0], b[1], b[2], b[3], b[4], b[5], b[6]}
		}
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("the reference, %s, has said nothing for %s: %s%s", p.name, sim.patience, whySilent,
			sim.words())
	}
	return fmt.Errorf("the reference, %s, ended by itself%s", p.name, sim.epitaph())
}

// Close ends it.
func (p *PowerUps) Close() error {
	p.closed = true
	for slot, sim := range p.sims {
		sim.kill()
		delete(p.sims, slot)
	}
	return nil
}
