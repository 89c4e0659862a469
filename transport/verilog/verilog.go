// Package verilog implements a transport to a Tiny Tapeout tile, such as RTL before tape-out, in Icarus or Verilator.
//
// The simulator's bench is bench/tile.v, or bench/harness.cpp under Verilator. Steps and samples pass through pipes at
// the simulator's file descriptors 3 and 4, since standard output is for the design's own messages. tool.go holds the
// simulators' commands, design.go finds the top module, build.go compiles, and process.go runs the simulation.
package verilog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"utfbench/transport"
)

// Config specifies the simulation. Only Sources is required.
type Config struct {
	Sources      []string // source files
	GivenSources string   // for String: the sources that the user named; "" for a tile's own
	Top          string   // top module; "" for the only one with a tile's ports
	Simulator    string   // "icarus" or "verilator"; "" or "auto" for an installed one
	Defines      []string // NAME or NAME=VALUE
	Includes     []string // folders of include files

	Reset *transport.Step // the step that resets the design; nil for a clock with rst_n low

	CacheDir    string        // build cache; "" for the user's cache folder
	Patience    time.Duration // timeout without output; 0 for half a minute
	WorkingDirs []string      // candidates: the first folder with all files that the sources read is used

	// ShowActivity is called when a compilation begins, and its result at the end; optional
	ShowActivity func(what string) (done func())

	future []string // warning codes in the sources, see futureCodes
}

// A Transport is a running simulation.
type Transport struct {
	name     string
	design   string // top module and simulator
	digest   string
	twoState bool // the simulator has no X
	sim      *simulation
	plan     *plan
	config   Config
	closing  atomic.Bool // Close was called; it ends Apply

	mu      sync.Mutex
	closed  bool
	broken  error // reason why no step can be applied
	applied int   // steps so far
	reset   bool  // the tile has been reset
	fresh   bool  // no step was applied yet, so last is undefined
	last    transport.Step
	// where UndrivenOutputs collects its lines; nil for Apply
	undriven *[]transport.Outputs
	request  [chunk * stepBytes]byte
	reply    [chunk * sampleBytes]byte
}

var _ transport.Transport = (*Transport)(nil)

const (
	patience  = 30 * time.Second // default of Config.Patience
	timescale = "1ns/1ps"        // default of files without one
)

// chunk is the maximum number of steps in flight. Requests and results are transferred concurrently, so the value is
// not critical; it is large enough to hide the cost of context switches.
const chunk = 8192

// Open builds the simulation, unless it is cached, and starts it.
func Open(ctx context.Context, c Config) (*Transport, error) {
	c.Patience = cmp.Or(c.Patience, patience)
	b, err := build(ctx, c)
	if err != nil {
		return nil, err
	}
	return b.open(ctx, c)
}

func (b *plan) open(ctx context.Context, c Config) (*Transport, error) {
	sim, err := b.start(c)
	if err != nil {
		return nil, err
	}
	design := fmt.Sprintf("%s (%s)", b.top.name, b.tool.name)
	t := &Transport{name: "verilog:" + design, design: design, digest: b.digest, twoState: b.tool.twoState,
		sim: sim, fresh: true, plan: b, config: c}
	if c.GivenSources != "" {
		t.name += " of " + c.GivenSources
	}
	if err := t.greet(ctx); err != nil {
		sim.kill()
		return nil, err
	}
	return t, nil
}

// String names the top module, the simulator and the named sources.
func (t *Transport) String() string { return t.name }

// Top returns the name of the design's top module.
func (t *Transport) Top() string { return t.plan.top.name }

// Design returns the top module with the simulator, and the SHA-256 in hex of the preprocessed text, macros, time scale
// and data files, independent of paths.
func (t *Transport) Design() (name, digest string) { return t.design, t.digest }

// Files returns the files read for the design.
func (t *Transport) Files() []File { return t.plan.filesOf(&t.config) }

// Simulator returns the name of the simulator, as in Config.
func (t *Transport) Simulator() string { return t.plan.tool.name }

// SameSources reports whether two simulations have the same top module and the same files, in any order and folder.
func (t *Transport) SameSources(other *Transport) bool {
	return t.Top() == other.Top() && slices.Equal(t.plan.contents(), other.plan.contents())
}

// FourState reports whether the simulator has X in addition to 0 and 1.
func (t *Transport) FourState() bool { return !t.twoState }

// greet waits for the sample that marks the start of the simulation.
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

func (t *Transport) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.apply(ctx, steps, samples)
}

var _ transport.Floater = (*Transport)(nil)

func (t *Transport) UndrivenOutputs(ctx context.Context, steps []transport.Step) (all []transport.Outputs, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.undriven = &all
	_, err = t.apply(ctx, steps, make([]transport.Sample, len(steps)))
	t.undriven = nil
	return all, err
}

func (t *Transport) apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
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

// read reads a part of the reply. An interrupter sets its flag before it moves the deadline, so the deadline set here
// cannot hide the interrupt.
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

// explain returns the reason why the reply ended prematurely.
func (t *Transport) explain(ctx context.Context, err error, place string) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("the simulation was stopped at %s: %w", place, ctx.Err())
	case t.closing.Load():
		return transport.ErrClosed
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("the simulation has not responded for %s at %s: %s%s", t.sim.patience, place, whySilent,
			t.sim.words())
	case errors.Is(err, io.EOF):
		return fmt.Errorf("the simulation ended by itself at %s%s", place, t.sim.epitaph())
	}
	return fmt.Errorf("reading from the simulation at %s: %w", place, err)
}

// whySilent lists reasons for a silent simulation.
const whySilent = "is there a zero-delay loop in the design, or is the design too large for this " +
	"machine to simulate a step in that time?"

// Close parks the tile and ends the simulation; the simulator then completes its waveform, if any.
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
		return nil // already killed
	}
	t.encode([]transport.Step{transport.ParkStep})
	t.sim.send(t.request[:stepBytes])
	return t.sim.end()
}
