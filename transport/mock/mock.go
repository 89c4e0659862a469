// Package mock implements a transport that runs a tile's reference in memory and can inject faults. No other transport
// depends on a tile. Without faults a step is one call of the reference; with faults it goes through the wires of
// package fault.
package mock

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// Config configures the mock. Only Tile is required; faults need a reference that is a tile.WiredReference.
type Config struct {
	Tile   tile.Tile
	Faults []fault.Fault
	Seed   uint64 // for random faults without their own seed

	Activity []atomic.Bool // optional; element i is set once fault i has changed a sample

	// registers before the first reset, in the order of fault.Registers; nil for unknown
	PowerUp *uint64
}

// A Transport is a chip in memory.
type Transport struct {
	name  string
	chip  tile.Reference
	wires *fault.Wires   // nil without faults
	twins []*fault.Wires // each lacks one fault; nil once that fault has changed a sample
	acted []atomic.Bool  // see Config

	mu     sync.Mutex // Close may be called while a batch is being applied
	last   transport.Step
	closed bool
}

var (
	_ transport.Transport = (*Transport)(nil)
	_ transport.Puller    = (*Transport)(nil)
)

// Open returns a chip before its first reset.
func Open(c Config) *Transport {
	name := "mock:" + cmp.Or(c.Tile.Revision(), c.Tile.Name())
	t := &Transport{name: name, chip: c.Tile.New(), last: transport.ParkStep}
	if c.PowerUp != nil {
		t.behind().(fault.Registers).PowerUp(*c.PowerUp)
	}
	for _, f := range c.Faults {
		t.name += " with " + f.String()
	}
	if len(c.Faults) > 0 {
		t.wires = fault.New(t.behind(), c.Faults, c.Seed)
		t.acted = c.Activity
		for i := range c.Activity {
			faults := slices.Clone(c.Faults)
			faults[i] = fault.Fault{Kind: fault.Setup, A: fault.Rst} // no effect: the others keep their random numbers
			twin := Open(Config{Tile: c.Tile, PowerUp: c.PowerUp})
			t.twins = append(t.twins, fault.New(twin.behind(), faults, c.Seed))
		}
	}
	return t
}

func (t *Transport) behind() fault.Chip { return t.chip.(tile.WiredReference).FaultChip() }

func (t *Transport) String() string { return t.name }

func (t *Transport) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return 0, transport.ErrClosed
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil {
		return 0, err
	}
	chip := t.chip
	if t.wires != nil {
		chip = t.wires
	}
	good, err := tile.Run(ctx, chip, steps, samples)
	if good > 0 {
		t.last = steps[good-1]
	}
	t.compare(samples[:good], func(twin *fault.Wires, without []transport.Sample) error {
		return twin.Run(steps[:good], without)
	})
	return good, err
}

// compare runs the same steps on each twin, until its missing fault has changed a sample.
func (t *Transport) compare(samples []transport.Sample, run func(twin *fault.Wires, without []transport.Sample) error) {
	var without []transport.Sample
	for i, twin := range t.twins {
		if twin == nil {
			continue
		}
		if without == nil {
			without = make([]transport.Sample, len(samples))
		}
		if !t.acted[i].Load() && run(twin, without) == nil && slices.Equal(samples, without) {
			continue
		}
		t.acted[i].Store(true)
		_ = twin.Close() // frees a simulation's resources
		t.twins[i] = nil
	}
}

func (t *Transport) all() []*fault.Wires {
	return slices.DeleteFunc(append([]*fault.Wires{t.wires}, t.twins...), func(w *fault.Wires) bool { return w == nil })
}

// Pull implements transport.Puller. Without faults it has no visible effect.
func (t *Transport) Pull(_ context.Context, p transport.Pull) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, w := range t.all() {
		w.Pull = p
	}
	return nil
}

// DrivePins applies levels to the lines in drive, for a fake that changes pins one at a time. Bits are in the order of
// fault.Lines, including clk. It returns the levels and the unknown bits at the bench's end.
func (t *Transport) DrivePins(levels, drive uint32) (seen, unknown uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wires == nil {
		t.wires = fault.New(t.behind(), nil, 0)
	}
	l := t.wires.ApplyLevels(levels, drive)
	return l.V, l.X
}

// Close parks the chip.
func (t *Transport) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.closed, t.last = true, transport.ParkStep
		tile.CloseReference(t.chip)
		for _, twin := range t.twins {
			if twin != nil {
				_ = twin.Close()
			}
		}
	}
	return nil
}

// LastStep returns the last step applied, or transport.ParkStep before the first one and after Close.
func (t *Transport) LastStep() transport.Step {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}
