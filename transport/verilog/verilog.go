// Package verilog is a Verilog simulation of a Tiny Tapeout tile as a transport: RTL before tape-out, or the gate-level
// netlist that was fabricated, in Icarus or Verilator.
//
// One bench file, bench/tile.v, holds the tile, or under Verilator bench/harness.cpp; steps and samples go through
// pipes at the simulator's file descriptors 3 and 4, since its standard output belongs to the design's own messages.
// tool.go knows the two simulators, design.go finds the top module, cache.go keeps what was built, and process.go runs
// it.
package verilog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"utfbench/transport"
)

// Config says what to simulate. Only Sources is needed.
type Config struct {
	Sources   []string // the design's files
	Top       string   // its top module; "" is the only one that has a tile's ports
	Simulator string   // "icarus", "verilator", or "" or "auto" for what is installed
	Defines   []string // NAME or NAME=VALUE
	Includes  []string // folders of include files
	Cells     []string // library files, from which modules are taken as they are needed
	CellsDirs []string // library folders, a file a module
	PDK       string   // a process design kit's folder, for the cells of a netlist; "" is none
	Timescale string   // of files that say none; "" is 1ns/1ps
	VCD       string   // where the simulator writes waves; "" is nowhere

	Cache    string        // the folder of what was built; "" is the user's cache folder
	Patience time.Duration // how long the simulator may say nothing; 0 is half a minute
	PowerUp  uint32        // the seed of the state that the tile wakes up in under Verilator; 0 is all registers low
	Dir      string        // the folder that the simulator works in, for sources that read files; "" is this one

	// Working is called when a compilation begins, and its result at the end; may be nil
	Working func(what string) (done func())

	future []string // codes of warnings that the design's sources name, see futureCodes
}

// A Transport is a simulation that runs.
type Transport struct {
	name     string
	design   string // top module and simulator
	digest   string
	twoState bool // the simulator knows no X
	sim      *simulation
	plan     *plan
	config   Config
	closing  atomic.Bool // Close has come, and ends what Apply is at

	mu      sync.Mutex
	closed  bool
	broken  error // why nothing more is applied
	applied int   // steps, since the beginning
	reset   bool  // the tile was reset once
	fresh   bool  // no step was applied, so that last says nothing
	last    transport.Step
	request [chunk * stepBytes]byte
	reply   [chunk * sampleBytes]byte
}

var _ transport.Transport = (*Transport)(nil)

// Defaults of a Config.
const (
	patience  = 30 * time.Second
	timescale = "1ns/1ps"
)

// chunk is how many steps are under way at most. The simulator's side is written and read at the same time, so any
// number would do; this many hide the switch from one process to the other.
const chunk = 8192

// Open builds the simulation, or finds it built, and starts it.
func Open(ctx context.Context, c Config) (*Transport, error) {
	c.Patience = cmp.Or(c.Patience, patience)
	b, err := build(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := checkVCD(c.VCD); err != nil {
		return nil, err
	}
	return b.open(ctx, c)
}

// Again starts the design once more as it was built for t, whatever its files say now, with another PowerUp.
func (t *Transport) Again(ctx context.Context, powerUp uint32) (*Transport, error) {
	c := t.config
	c.PowerUp = powerUp
	return t.plan.open(ctx, c)
}

// open starts the built simulation.
func (b *plan) open(ctx context.Context, c Config) (*Transport, error) {
	sim, err := b.start(c)
	if err != nil {
		return nil, err
	}
	design := fmt.Sprintf("%s (%s)", b.top.name, b.tool.name)
	t := &Transport{name: "verilog:" + design, design: design, digest: b.digest, twoState: b.tool.twoState,
		sim: sim, fresh: true, plan: b, config: c}
	if err := t.greet(ctx); err != nil {
		sim.kill()
		return nil, err
	}
	return t, nil
}

// String names the top module and the simulator.
func (t *Transport) String() string { return t.name }

// Top returns the name of the design's top module.
func (t *Transport) Top() string { return t.plan.top.name }

// Design returns the top module with the simulator, and the SHA-256 in hex of the preprocessed text, macros, time scale
// and data files, wherever they are.
func (t *Transport) Design() (name, digest string) { return t.design, t.digest }

// Files returns the files read for the design.
func (t *Transport) Files() []File { return t.plan.filesOf(&t.config) }

// FourState reports whether the simulator has an X beside 0 and 1, where a chip would have a level.
func (t *Transport) FourState() bool { return !t.twoState }

// greet waits for the sample that says that the simulation has begun.
func (t *Transport) greet(ctx context.Context) error {
	stop := context.AfterFunc(ctx, t.sim.interrupt)
	defer stop()
	for have := 0; have < sampleBytes; {
		n, err := t.read(ctx, t.reply[have:sampleBytes])
		if have += n; err != nil {
			return t.explain(ctx, err, "its beginning")
		}
	}
	return nil
}

// Apply implements transport.Transport.
func (t *Transport) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return 0, transport.ErrClosed
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil {
		return 0, err
	}
	if t.broken != nil {
		return 0, t.broken
	}
	stop := context.AfterFunc(ctx, t.sim.interrupt)
	defer stop()
	for done := 0; done < len(steps); {
		end := min(done+chunk, len(steps))
		n, err := t.exchange(ctx, steps[done:end], samples[done:end])
		t.applied += n
		if done += n; err != nil {
			t.broken = err
			t.sim.kill()
			return done, err
		}
	}
	return len(steps), nil
}

// exchange writes a chunk and reads its samples meanwhile.
func (t *Transport) exchange(ctx context.Context, steps []transport.Step, samples []transport.Sample) (good int,
	err error) {
	t.encode(steps)
	t.sim.send(t.request[:len(steps)*stepBytes])
	for have, want := 0, len(steps)*sampleBytes; have < want; {
		n, err := t.read(ctx, t.reply[have:want])
		for have += n; good < have/sampleBytes; good++ {
			samples[good] = t.decode(steps[good], t.reply[good*sampleBytes:])
		}
		if err != nil {
			return good, t.explain(ctx, err, fmt.Sprintf("step %d", t.applied+good+1))
		}
	}
	return good, t.sim.sent()
}

// read reads some of the reply. Whoever wants to interrupt it says so first and then moves the deadline, so that one
// that is set here cannot hide it.
func (t *Transport) read(ctx context.Context, b []byte) (int, error) {
	t.sim.expect()
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case t.closing.Load():
		return 0, transport.ErrClosed
	}
	return t.sim.out.Read(b)
}

// explain returns why the reply ended at a place.
func (t *Transport) explain(ctx context.Context, err error, place string) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("the simulation was stopped at %s: %w", place, ctx.Err())
	case t.closing.Load():
		return transport.ErrClosed
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("the simulation has said nothing for %s at %s: %s%s", t.sim.patience, place, whySilent,
			t.sim.words())
	case errors.Is(err, io.EOF):
		return fmt.Errorf("the simulation ended by itself at %s%s", place, t.sim.epitaph())
	}
	return fmt.Errorf("reading from the simulation at %s: %w", place, err)
}

// whySilent lists reasons for a silent simulation.
const whySilent = "is there a zero-delay loop in the design, or is the design too large for this " +
	"machine to simulate a step in that time?"

// Close parks the tile and lets the simulation end, which completes the waves.
func (t *Transport) Close() error {
	t.closing.Store(true)
	t.sim.interrupt()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	t.closed = true
	if t.broken != nil {
		return nil // killed already
	}
	t.encode([]transport.Step{transport.Park})
	t.sim.send(t.request[:stepBytes])
	return t.sim.end()
}

var _ transport.Meter = (*Transport)(nil)

// Traffic implements transport.Meter: bytes through the pipes.
func (t *Transport) Traffic() (sent, received int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.applied * stepBytes, t.applied * sampleBytes
}
