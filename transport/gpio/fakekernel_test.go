package gpio

import (
	"errors"
	"fmt"
	"io/fs"

	"utfbench/model"
	"utfbench/transport"
)

// fakeKernel is a kernel with fake GPIO chips.
type fakeKernel struct {
	devices []*fakeChip
	owner   string // group of the devices
}

func (k *fakeKernel) chips() (paths []string) {
	for i := range k.devices {
		paths = append(paths, fmt.Sprintf("/dev/gpiochip%d", i))
	}
	return paths
}

func (k *fakeKernel) group(string) string { return k.owner }

func (k *fakeKernel) open(path string) (chip, error) {
	var n int
	fmt.Sscanf(path, "/dev/gpiochip%d", &n)
	c := k.devices[n]
	if c.denied {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	c.opened++
	return c, nil
}

type fakeChip struct {
	name   string
	n      uint32
	names  map[uint32]string
	users  map[uint32]string
	denied bool
	opened int

	*wires
	refuse  error // error of request
	fails   error // error of every call of a request
	calls   int   // system calls of the request
	offsets [transport.LineN]uint32
}

func (c *fakeChip) label() string { return c.name }
func (c *fakeChip) lines() uint32 { return c.n }
func (c *fakeChip) close() error  { c.opened--; return nil }

func (c *fakeChip) line(n uint32) (lineInfo, error) {
	user, used := c.users[n]
	return lineInfo{name: c.names[n], consumer: user, used: used}, nil
}

func (c *fakeChip) request(offsets [transport.LineN]uint32, drive, levels uint64) (request, error) {
	if c.refuse != nil {
		return nil, c.refuse
	}
	c.offsets = offsets
	r := &fakeRequest{chip: c}
	return r, r.config(drive, levels)
}

// fakeRequest changes lines one after another, as GPIO chips behind a bus do.
type fakeRequest struct {
	chip   *fakeChip
	out    uint32
	closed bool
}

func (r *fakeRequest) call() error {
	r.chip.calls++
	if r.closed {
		return errors.New("bad file descriptor")
	}
	return r.chip.fails
}

func (r *fakeRequest) config(drive, levels uint64) error {
	if err := r.call(); err != nil {
		return err
	}
	for i := range transport.LineN {
		bit := uint32(1) << i
		r.out = r.out&^bit | uint32(drive)&bit
		level := r.chip.level&^bit | uint32(levels)&bit
		r.chip.drive(r.out, level)
	}
	return nil
}

func (r *fakeRequest) set(levels, mask uint64) error {
	if err := r.call(); err != nil {
		return err
	}
	if uint32(mask)&^r.out != 0 {
		return errors.New("operation not permitted") // the kernel's error
	}
	if uint32(mask)&transport.MaskClk != 0 && mask != transport.MaskClk {
		r.chip.complain("clk is set together with other lines: %07x", mask)
	}
	for i := range transport.LineN {
		if bit := uint32(1) << i; uint32(mask)&bit != 0 {
			r.chip.drive(r.out, r.chip.level&^bit|uint32(levels)&bit)
		}
	}
	return nil
}

func (r *fakeRequest) get(mask uint64) (uint64, error) {
	if err := r.call(); err != nil {
		return 0, err
	}
	return uint64(r.chip.levels()) & mask, nil
}

func (r *fakeRequest) close() error {
	if r.closed {
		return errors.New("closed twice")
	}
	r.closed = true
	return nil
}

// bankNames returns the line names of the board file linux.yaml, by offset.
func bankNames() map[uint32]string {
	names := map[uint32]string{}
	for i, s := range transport.Lines {
		names[uint32(i)] = s
	}
	return names
}

func newFakeChip(label string, rev model.Revision) *fakeChip {
	return &fakeChip{name: label, n: 64, names: bankNames(), users: map[uint32]string{}, wires: newWires(rev)}
}
