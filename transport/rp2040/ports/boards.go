package ports

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Boards lists the ports that are boards with MicroPython, by their USB identity, in order of their names. It opens no
// port at all, where List on Linux opens those of the machine itself to see whether they are real. What cannot be found
// out is left out.
func Boards() []Port {
	if runtime.GOOS == "linux" {
		return here.boards()
	}
	list, _ := List()
	return slices.DeleteFunc(list, func(p Port) bool { return !p.CanBench })
}

// boards are those that the kernel has made a serial port for.
func (s system) boards() (all []Port) {
	// a device's interface is called as the device, with its number after a colon
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

// microPython says whether the USB identity is MicroPython's own.
func (p *Port) microPython() bool { return p.VID+":"+p.PID == "2E8A:0005" }
