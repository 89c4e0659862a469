// Package mock is the chip model as a transport, with faults to inject. It is the one transport that knows a chip.
//
// Without faults a step is one call of the model. With faults it goes through the wires of the package fault.
package mock

import (
	"context"
	"sync"

	"utfbench/fault"
	"utfbench/model"
	"utfbench/model/wired"
	"utfbench/transport"
)

// Config says what to open. The zero value is a TT09 chip without faults.
type Config struct {
	Revision model.Revision
	Faults   []fault.Fault
	Seed     uint64 // for faults that act by chance and have no seed of their own

	// PowerUp is what the registers hold before the first reset; nil is what nobody knows.
	PowerUp *model.Registers
}

// A Fault is something wrong with a wire or a register bit of the chip: see the package fault.
type Fault = fault.Fault

// Lines and register bits by number.
var (
	Lines        = fault.Lines
	RegisterBits = wired.Bits
)

// ParseFault reads a fault of this chip; the error says what is allowed.
func ParseFault(s string) (fault.Fault, error) { return wired.Bits.Parse(s) }

// A Transport is a chip in memory.
type Transport struct {
	name  string
	chip  *model.Chip
	wires *fault.Wires // nil without faults

	mu     sync.Mutex // Close may come while a batch is being applied
	last   transport.Step
	closed bool
}

var (
	_ transport.Transport = (*Transport)(nil)
	_ transport.Puller    = (*Transport)(nil)
)

// Open makes a chip before its first reset.
func Open(c Config) *Transport {
	t := &Transport{name: "mock:" + c.Revision.String(), chip: model.New(c.Revision), last: transport.Park}
	if c.PowerUp != nil {
		t.chip.PowerUp(*c.PowerUp)
	}
	for _, f := range c.Faults {
		t.name += " with " + f.String()
	}
	if len(c.Faults) > 0 {
		t.wires = fault.New(wired.Of(t.chip), c.Faults, c.Seed)
	}
	return t
}

func (t *Transport) String() string { return t.name }

// Apply implements transport.Transport. It looks at ctx once a batch: a full batch takes less than a millisecond.
func (t *Transport) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return 0, transport.ErrClosed
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil {
		return 0, err
	}
	if len(steps) == 0 {
		return 0, nil
	}
	if t.wires == nil {
		t.chip.Run(steps, samples)
	} else {
		t.wires.Run(steps, samples)
	}
	t.last = steps[len(steps)-1]
	return len(steps), nil
}

// Pull implements transport.Puller. Without faults there is nothing to see of it.
func (t *Transport) Pull(_ context.Context, p transport.Pull) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wires != nil {
		t.wires.Pull = p
	}
	return nil
}

// Put is a part of a step, for a fake whose pins move one at a time: levels on the lines in drive, as bits in the order of
// fault.Lines, clk among them. It gives what the bench's ends show then, and which bits of that nobody knows.
func (t *Transport) Put(levels, drive uint32) (seen, unknown uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wires == nil {
		t.wires = fault.New(wired.Of(t.chip), nil, 0)
	}
	l := t.wires.Put(levels, drive)
	return l.V, l.X
}

// Close parks the chip.
func (t *Transport) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed, t.last = true, transport.Park
	return nil
}

// Pins is what the bench side puts on the lines now.
func (t *Transport) Pins() transport.Step {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}
