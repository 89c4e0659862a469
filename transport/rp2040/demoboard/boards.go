package demoboard

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// PluggedIn lists ports with MicroPython, by USB identity, sorted by name. It opens no ports, unlike Ports, which on
// Linux probes the machine's own. It skips ports with missing data.
func PluggedIn() []Port {
	if runtime.GOOS == "linux" {
		return here.boards()
	}
	list, _ := Ports()
	return slices.DeleteFunc(list, func(p Port) bool { return !p.CanBench })
}

// boards returns the boards to which the kernel has assigned a serial port.
func (s system) boards() (all []Port) {
	// the name of an interface is the device's name with a colon and a number
	found, _ := filepath.Glob(filepath.Join(s.root, "sys/bus/usb/devices/*:*/tty/*"))
	for _, tty := range found {
		device, _, _ := strings.Cut(filepath.Dir(filepath.Dir(tty)), ":")
		says := func(file string) string {
			text, _ := os.ReadFile(filepath.Join(device, file))
			return strings.TrimSpace(string(text))
		}
		p := Port{Name: "/dev/" + filepath.Base(tty), VID: strings.ToUpper(says("idVendor")),
			PID: strings.ToUpper(says("idProduct")), Serial: says("serial"), Product: says("product")}
		if p.CanBench = p.microPython(); p.CanBench {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b Port) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// microPython reports whether the USB identity is MicroPython's.
func (p *Port) microPython() bool { return p.VID+":"+p.PID == "2E8A:0005" }
