package demoboard

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// MissingPortReasons lists possible reasons for a missing serial port, with advice, from USB and the kernel.
func MissingPortReasons() []string { return hindrances("/") }

// hindrances implements MissingPortReasons for a given root folder, the parent of /proc and /sys.
func hindrances(root string) (all []string) {
	devices, _ := filepath.Glob(filepath.Join(root, "sys/bus/usb/devices/*/idVendor"))
	for _, file := range devices {
		if mcu := bootLoaders[usbDevice(filepath.Dir(file)).ID()]; mcu != "" {
			all = append(all, fmt.Sprintf("a board with an %s is in its boot loader (USB drive RPI-RP2 or RP2350): "+
				"plug it in again without holding BOOTSEL; if it comes back so, its firmware is gone, and Tiny "+
				"Tapeout's .uf2 has to be copied to that drive", mcu))
		}
	}
	version, _ := os.ReadFile(filepath.Join(root, "proc/version"))
	if strings.Contains(strings.ToLower(string(version)), "microsoft") {
		all = append(all, "this is WSL, which sees no USB device by itself: attach the board with usbipd (usbipd "+
			"attach --wsl --busid ID), or run bench on Windows")
	}
	return all
}

// bootLoaders maps the VID:PID of boot loaders to their microcontrollers (github.com/raspberrypi/usb-pid).
var bootLoaders = map[string]string{"2E8A:0003": "RP2040", "2E8A:000F": "RP2350"}

// usbPorts returns the ports of USB devices below a root, from the kernel's files. The name of an interface is the
// device's name with a colon and a number.
func usbPorts(root string) (all []Port) {
	found, _ := filepath.Glob(filepath.Join(root, "sys/bus/usb/devices/*:*/tty/*"))
	converters, _ := filepath.Glob(filepath.Join(root, "sys/bus/usb/devices/*:*/tty[A-Z]*"))
	for _, tty := range append(found, converters...) {
		device, _, _ := strings.Cut(tty, ":")
		p := usbDevice(device)
		p.Name = "/dev/" + filepath.Base(tty)
		all = append(all, p)
	}
	return all
}

func usbDevice(folder string) Port {
	read := func(file string) string {
		text, _ := os.ReadFile(filepath.Join(folder, file)) // a device without the file has an empty identity
		return strings.TrimSpace(string(text))
	}
	return Port{VID: strings.ToUpper(read("idVendor")), PID: strings.ToUpper(read("idProduct")), Serial: read("serial")}
}

// holder describes the process that has a device open, and the cure, if /proc below the root is readable.
func holder(root, device string) string {
	links, _ := filepath.Glob(filepath.Join(root, "proc/[0-9]*/fd/*"))
	real, err := filepath.EvalSymlinks(device)
	if err != nil {
		real = device
	}
	for _, link := range links {
		to, err := os.Readlink(link)
		if err != nil || to != real {
			continue
		}
		process := filepath.Dir(filepath.Dir(link))
		name, _ := os.ReadFile(filepath.Join(process, "comm")) // without a name the number suffices
		cure := "end it first"
		if strings.Contains(string(name), "ModemManager") {
			cure = "it probes every new port and releases it after some 20 s: wait"
		}
		return fmt.Sprintf("process %s (%s) has it open: %s", filepath.Base(process), strings.TrimSpace(string(name)),
			cure)
	}
	return "another program has it open, perhaps another user's: end it first"
}
