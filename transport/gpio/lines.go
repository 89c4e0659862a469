package gpio

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// consumer is the name under which the kernel lists the bench's lines.
const consumer = "utfbench"

// A kernel is Linux's interface to GPIO character devices; kernel_linux.go implements it.
type kernel interface {
	// chips returns the devices' paths, such as /dev/gpiochip0.
	chips() []string

	// open opens a device; it may fail with fs.ErrPermission.
	open(path string) (chip, error)

	// group returns the group that may use a device.
	group(path string) string
}

type chip interface {
	label() string
	lines() uint32
	line(offset uint32) (lineInfo, error)

	// request acquires the lines. It fails with errBusy if one of them is in use.
	request(offsets [transport.LineN]uint32, drive, levels uint64) (request, error)
	close() error
}

type lineInfo struct {
	name, consumer string
	used           bool
}

// A request is a set of acquired lines. Bit i of a mask is the i-th line requested. Each method makes one system call.
type request interface {
	// config turns the lines in drive into outputs with the given levels, and all others into inputs.
	config(drive, levels uint64) error
	set(levels, mask uint64) error
	get(mask uint64) (uint64, error)
	close() error
}

var errBusy = errors.New("in use")

// lines drives the lines through the kernel. A step makes at most four system calls: levels, clk high, clk low, sample.
// A change of direction needs a fifth, since it must not happen together with the change of ui.
type lines struct {
	name string
	req  request
}

func (l *lines) String() string { return "lines of " + l.name }

// set sets the levels. Since the request is kept, lines that stay outputs are never released.
func (l *lines) set(levels, mask uint32) error {
	return wrap("setting lines", l.req.set(uint64(levels), uint64(mask)))
}

func (l *lines) turn(levels, drive uint32) error {
	return wrap("turning lines", l.req.config(uint64(drive|maskOwn), uint64(levels)))
}

func (l *lines) read() (uint32, error) {
	v, err := l.req.get(transport.MaskUO | transport.MaskUIO)
	return uint32(v), wrap("reading lines", err)
}

// release makes all lines inputs. It sets no pulls: only some GPIO chips accept a bias, which outlasts the request.
func (l *lines) release() error {
	return errors.Join(wrap("releasing lines", l.req.config(0, 0)), l.req.close())
}

func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// openLines finds the chip and the lines, and acquires the lines in the parked state.
func openLines(k kernel, labels []string, pins map[string]string) (*lines, error) {
	path, c, err := findChip(k, labels)
	if err != nil {
		return nil, err
	}
	defer c.close()
	offsets, err := findLines(c, pins)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s [%s]", path, c.label())
	if err := checkFree(c, name, offsets); err != nil {
		return nil, err
	}
	req, err := c.request(offsets, maskOwn, 0)
	switch {
	case errors.Is(err, errBusy): // acquired by another process after the check
		return nil, errors.Join(checkFree(c, name, offsets),
			fmt.Errorf("%s: a line is in use: end the program that has it", name))
	case err != nil:
		return nil, fmt.Errorf("%s: taking the lines: %w", name, err)
	}
	return &lines{name: name, req: req}, nil
}

// findChip finds the only chip with one of the labels. Chip numbers vary between kernels, but labels do not.
func findChip(k kernel, labels []string) (path string, found chip, err error) {
	if len(labels) == 0 {
		return "", nil, failure.Usagef("the board file names no GPIO chip: add the line `chip: LABEL`; " +
			"gpiodetect lists labels")
	}
	var there []string
	var denied error
	for _, p := range k.chips() {
		c, err := k.open(p)
		if errors.Is(err, fs.ErrPermission) {
			denied = noPermission(k, p)
		}
		if err != nil {
			continue // a broken device does not hide the others
		}
		there = append(there, fmt.Sprintf("%s [%s]", p, c.label()))
		switch {
		case !slices.Contains(labels, c.label()):
			c.close()
		case found != nil:
			found.close()
			c.close()
			return "", nil, fmt.Errorf("two GPIO chips have the label %q: %s: unplug one", c.label(),
				strings.Join(there, ", "))
		default:
			path, found = p, c
		}
	}
	switch {
	case found != nil:
		return path, found, nil
	case denied != nil:
		return "", nil, denied
	case there == nil:
		return "", nil, errors.New("this machine has no GPIO chip: run the bench on the one with the chip at its " +
			"header, such as a Raspberry Pi; a demo board by USB is -t rp2040")
	}
	return "", nil, fmt.Errorf("no GPIO chip with the label %s: this machine has %s: give its board file with --board",
		strings.Join(labels, " or "), strings.Join(there, ", "))
}

// noPermission returns an error that explains which users may open a device.
func noPermission(k kernel, path string) error {
	g := k.group(path)
	if g == "" || g == "root" {
		return fmt.Errorf("%s may be used by root only: run the bench with sudo, or give the device to a "+
			"group of yours: %w", path, fs.ErrPermission)
	}
	return fmt.Errorf("%s may be used by the group %s only: join it with `sudo usermod -aG %s $USER` "+
		"and log in again: %w", path, g, g, fs.ErrPermission)
}
