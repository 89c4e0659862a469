package demoboard

import (
	"strings"

	"go.bug.st/serial"
)

// enumerate returns no USB identities, since macOS requires cgo for them. MicroPython's ports are called usbmodem
// there, so all such ports are assumed to be boards.
func enumerate() ([]Port, error) {
	names, err := serial.GetPortsList()
	var list []Port
	for _, name := range names {
		list = append(list, Port{Name: name, CanBench: strings.Contains(name, "cu.usbmodem")})
	}
	return list, err
}
