package demoboard

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"go.bug.st/serial"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// A Port is a serial port with its USB data, which may be empty.
type Port struct {
	Name     string // the device, as in /dev/ttyACM0 or COM3
	VID      string
	PID      string // both in upper-case hex
	Serial   string
	CanBench bool // its USB identity is MicroPython's
}

func (p Port) named() string { return fmt.Sprintf("%s (%s)", p.Name, p.ID()) }

// ID returns VID:PID:SERIAL, or the known part of it.
func (p Port) ID() string {
	if p.VID == "" {
		return "-"
	}
	return strings.TrimSuffix(p.VID+":"+p.PID+":"+p.Serial, ":")
}

// Ports lists the ports, sorted by name, without opening them.
func Ports() ([]Port, error) {
	list, err := enumerate()
	if err != nil {
		return nil, fmt.Errorf("listing the serial ports: %w", err)
	}
	for i := range list {
		p := &list[i]
		p.VID, p.PID = strings.ToUpper(p.VID), strings.ToUpper(p.PID)
		p.CanBench = p.CanBench || p.VID+":"+p.PID == "2E8A:0005" // MicroPython
	}
	slices.SortFunc(list, func(a, b Port) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// PluggedInBoards lists the ports with MicroPython's USB identity.
func PluggedInBoards() []Port {
	list, _ := Ports()
	return slices.DeleteFunc(list, func(p Port) bool { return !p.CanBench })
}

var usbID = printable.LazyRegexp(`^([0-9A-Fa-f]{4}):([0-9A-Fa-f]{4})(?::(.+))?$`)

// FindPort returns the port that a user specifies: by device, VID:PID, VID:PID:SERIAL or serial number. An empty spec
// stands for the only board with MicroPython. A device need not be in the list.
func FindPort(list []Port, spec string) (Port, error) {
	if strings.Contains(spec, "/") {
		return Port{Name: spec}, nil
	}
	fits := func(p Port) bool { return p.Name == spec || p.Serial == spec }
	if m := usbID().FindStringSubmatch(spec); m != nil {
		fits = func(p Port) bool {
			return strings.EqualFold(p.VID, m[1]) && strings.EqualFold(p.PID, m[2]) && (m[3] == "" || p.Serial == m[3])
		}
	}
	if spec == "" {
		fits = func(p Port) bool { return p.CanBench }
	}
	var found []Port
	for _, p := range list {
		if fits(p) {
			found = append(found, p)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Port{}, notFound(list, spec)
	}
	return Port{}, ambiguous(spec, found)
}

func notFound(list []Port, spec string) error {
	if spec == "" {
		return errors.New(MissingAdvice(list))
	}
	var names []string
	for i := range list {
		names = append(names, list[i].named())
	}
	return fmt.Errorf("no such serial port: %q is neither a device nor the VID:PID:SERIAL or serial number of a port "+
		"that is plugged in: there are %s", spec, cmp.Or(strings.Join(names, ", "), "none"))
}

// usual lists the advice on a missing board that MissingAdvice gives if there is no evidence.
var usual = []string{"Is it plugged in?", "A cable that only charges looks the same: try another.",
	"If a USB drive RPI-RP2 or RP2350 appears, the board is in its boot loader: press its reset button."}

// MissingAdvice returns advice if no port is a board with MicroPython, one reason per line, else "".
func MissingAdvice(list []Port) string {
	if slices.ContainsFunc(list, func(p Port) bool { return p.CanBench }) {
		return ""
	}
	why := MissingPortReasons()
	if why == nil {
		why = usual
	}
	text := "no demo board found (USB 2E8A:0005)"
	if len(list) > 0 {
		text += " among " + printable.Count(len(list), "serial port")
	}
	return text + ":\n- " + strings.Join(why, "\n- ")
}

func ambiguous(spec string, found []Port) error {
	var names []string
	for _, p := range found {
		names = append(names, p.named())
	}
	what := "boards with MicroPython are plugged in"
	if spec != "" {
		what = fmt.Sprintf("ports fit %q", spec)
	}
	return failure.Usagef("%d %s, %s: choose one with -t rp2040:PORT", len(found), what, strings.Join(names, ", "))
}

// OpenPort opens a port at 115,200 baud, which has no effect over USB. The error gives the reason if it is known.
func OpenPort(name string) (io.ReadWriteCloser, error) {
	port, err := serial.Open(name, &serial.Mode{BaudRate: 115200})
	if err != nil {
		return nil, fmt.Errorf("port %s: %w", name, explain(name, err))
	}
	return port, nil
}

// explain adds evidence from this machine to an error from opening a port.
func explain(name string, err error) error {
	var p *serial.PortError
	code := serial.PortErrorCode(-1)
	if errors.As(err, &p) {
		code = p.Code()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), code == serial.PortNotFound:
		return fmt.Errorf("no such port (%w): is the board plugged in, and is that its port? bench lists boards", err)
	case code == serial.PermissionDenied:
		return fmt.Errorf("no permission (%w): add the udev rule of docs/first-board.md, or join the group of the "+
			"device (ls -l %s) and log in again", err, name)
	case code == serial.PortBusy:
		return fmt.Errorf("busy (%w): %s", err, holder("/", name))
	case code == serial.InvalidSerialPort:
		return fmt.Errorf("not a serial port (%w)", err)
	}
	return err
}
