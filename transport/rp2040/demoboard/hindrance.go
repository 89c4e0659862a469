package demoboard

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Hindrances lists possible reasons why a board has no serial port, with advice. It inspects USB, the kernel and the
// processes, and opens nothing.
func Hindrances() []string { return here.hindrances() }

func (s system) hindrances() (all []string) {
	for _, d := range s.usb() {
		if say := inBootLoader[d]; say != "" {
			all = append(all, say)
		}
	}
	if s.wsl() {
		all = append(all, "this is WSL, which sees no USB device by itself: attach the board with usbipd (usbipd "+
			"attach --wsl --busid ID), or run bench on Windows")
	}
	return all
}

// inBootLoader lists boards in their boot loader instead of MicroPython, by VID:PID (github.com/raspberrypi/usb-pid).
var inBootLoader = map[string]string{
	"2E8A:0003": bootLoader("RP2040"),
	"2E8A:000F": bootLoader("RP2350"),
}

func bootLoader(mcu string) string {
	return fmt.Sprintf("a board with an %s is in its boot loader (USB drive RPI-RP2 or RP2350): plug it in again "+
		"without holding BOOTSEL; "+
		"if it comes back so, its firmware is gone, and Tiny Tapeout's .uf2 has to be copied to that drive", mcu)
}

// usb lists the USB devices as VID:PID in upper-case hex.
func (s system) usb() (all []string) {
	files, _ := filepath.Glob(filepath.Join(s.root, "sys/bus/usb/devices/*/idVendor"))
	for _, vendor := range files {
		vid, err := os.ReadFile(vendor)
		pid, err2 := os.ReadFile(filepath.Join(filepath.Dir(vendor), "idProduct"))
		if err == nil && err2 == nil {
			all = append(all, strings.ToUpper(strings.TrimSpace(string(vid))+":"+strings.TrimSpace(string(pid))))
		}
	}
	return all
}

// wsl reports whether this is Linux on Windows (WSL).
func (s system) wsl() bool {
	version, err := os.ReadFile(filepath.Join(s.root, "proc/version"))
	return err == nil && strings.Contains(strings.ToLower(string(version)), "microsoft")
}

// advice lists remedies for programs that hold a port, by a part of the program's name.
var advice = []struct{ name, say string }{
	{"ModemManager", "it probes every new port for a modem and releases it after some 20 s: wait, or have udev " +
		"set ID_MM_DEVICE_IGNORE=1 for USB vendor 2e8a"},
	{"thonny", "disconnect in Thonny (Run, Disconnect), or close it"},
	{"mpremote", "end mpremote with Ctrl-]"},
	{"chrom", "a page in the browser is connected to the board, such as Commander: disconnect there, or close it"},
	{"firefox", "a page in the browser is connected to the board, such as Commander: disconnect there, or close it"},
	{"screen", "end screen with Ctrl-A, k"},
	{"minicom", "end minicom with Ctrl-A, x"},
	{"bench", "another bench works with the board: wait for it, or end it"},
}

// endIt returns the advice for a program.
func endIt(command string) string {
	for _, a := range advice {
		if strings.Contains(strings.ToLower(command), strings.ToLower(a.name)) {
			return a.say
		}
	}
	return "end it first"
}

// PluggedInBoards lists ports with MicroPython, by USB identity, sorted by name. It opens no ports, unlike Ports, which
// on Linux probes the machine's own. It skips ports with missing data.
func PluggedInBoards() []Port {
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
