package ports

import (
	"strings"

	"go.bug.st/serial"
)

// enumerate has no USB identities: asking macOS for them takes cgo. MicroPython's ports are called usbmodem there, so
// those are taken for boards.
func enumerate() ([]Port, error) {
	names, err := serial.GetPortsList()
	var list []Port
	for _, name := range names {
		list = append(list, Port{Name: name, CanBench: strings.Contains(name, "cu.usbmodem")})
	}
	return list, err
}
