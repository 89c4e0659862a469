package gates

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"

	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// A DeviceConfig selects a netlist and its faults.
type DeviceConfig struct {
	File   string      // the netlist
	Name   string      // name shown to users; "" for File
	Faults []CellFault // in its cells
	Seed   uint64      // for the power-up state, races, and the fate of floating lines
}

// A Device is a chip simulated from a fabricated netlist, in memory. It has one power-up state, one fate of undriven
// lines, and optional faults in its cells.
type Device struct {
	Top    string // the netlist's top module
	Digest string // SHA-256 of the netlist, in hex

	name string
	fate sim.Fate

	mu     sync.Mutex // Close may be called while a batch is being applied
	chip   *Chip
	good   *Chip  // chip without the faults; nil once they have changed a sample
	idle   string // the faults, or "" once they have changed a sample
	last   transport.Step
	closed bool
}

var (
	_ transport.Transport = (*Device)(nil)
	_ transport.Puller    = (*Device)(nil)
)

// fates lists the fates of an undriven line; seed % len(fates) selects one.
var fates = []sim.Fate{sim.Keep, sim.Low, sim.High, sim.Random}

// OpenDevice reads the netlist and powers up a chip.
func OpenDevice(c DeviceConfig) (*Device, error) {
	d, digest, err := OpenFile(c.File, "", c.Faults)
	if err != nil {
		return nil, err
	}
	t := d.Device("netlist:"+cmp.Or(c.Name, c.File), c.Seed)
	t.Digest = digest
	if len(c.Faults) == 0 {
		return t, nil
	}
	t.idle = DescribeFaults(c.Faults)
	t.name += " with " + t.idle
	good, err := OpenDevice(DeviceConfig{File: c.File, Seed: c.Seed})
	if err == nil {
		t.good = good.chip
	}
	return t, err
}

// IdleFaults returns the faults if they have not changed any sample, else "".
func (t *Device) IdleFaults() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.idle
}

// Device returns a powered chip of the design; name and seed are as in DeviceConfig.
func (d *Design) Device(name string, seed uint64) *Device {
	fate := fates[seed%uint64(len(fates))]
	return &Device{name: name, Top: d.Circuit.Parts[0].Name, fate: fate, last: transport.ParkStep,
		chip: d.NewChip(&sim.RandomChoices{Seed: seed, Fate: fate, SameLanes: true})}
}

// DescribeFaults returns the faults in the user's notation.
func DescribeFaults(faults []CellFault) string {
	var all []string
	for i := range faults {
		all = append(all, "cell:"+faults[i].String())
	}
	return strings.Join(all, ", ")
}

func (t *Device) String() string { return t.name }

// FloatingNote describes the levels of floating lines, which the seed selects.
func (t *Device) FloatingNote() string {
	if t.fate == sim.Keep {
		return "floating lines keep their level"
	}
	return "floating lines are " + t.fate.String()
}

// deviceLooks is the number of steps between two checks of ctx.
const deviceLooks = 256

func (t *Device) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return 0, transport.ErrClosed
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil {
		return 0, err
	}
	for i := range steps {
		if i%deviceLooks == deviceLooks-1 && ctx.Err() != nil {
			return i, ctx.Err()
		}
		samples[i] = t.chip.Apply(&steps[i])
		if t.good != nil && t.good.Apply(&steps[i]) != samples[i] {
			t.good, t.idle = nil, ""
		}
		t.last = steps[i]
	}
	return len(steps), nil
}

// Pull implements transport.Puller. An undriven line takes the level of the pull.
func (t *Device) Pull(_ context.Context, p transport.Pull) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	fate := map[transport.Pull]sim.Fate{transport.PullNone: t.fate, transport.PullUp: sim.High,
		transport.PullDown: sim.Low}[p]
	t.chip.SetFate(fate)
	if t.good != nil {
		t.good.SetFate(fate)
	}
	return nil
}

// Close parks the chip.
func (t *Device) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.closed, t.last = true, transport.ParkStep
	}
	return nil
}

// PinLevels returns the current levels of the bench's lines.
func (t *Device) PinLevels() transport.Step {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// ParseCellFaults parses faults in the user's notation.
func ParseCellFaults(texts []string) (faults []CellFault, err error) {
	for _, text := range texts {
		where, is := strings.CutPrefix(text, "cell:")
		if !is {
			return nil, fmt.Errorf("--fault %s: a netlist takes faults in its cells, as in --fault "+
				"cell:_042_/A=stuck1 with the name of an instance; -t mock takes faults of wires", text)
		}
		f, err := ParseCellFault(where)
		if err != nil {
			return nil, fmt.Errorf("--fault %w", err)
		}
		faults = append(faults, *f)
	}
	return faults, nil
}
