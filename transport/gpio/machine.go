package gpio

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/transport"
)

// A machine is a computer, represented by its file system.
type machine struct{ root fs.FS }

// compatible returns the machine's device-tree names, the most specific first. Most PCs have none.
func (m machine) compatible() []string {
	text, err := fs.ReadFile(m.root, "proc/device-tree/compatible")
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimRight(string(text), "\x00"), "\x00")
}

func (m machine) isRaspberryPi() bool {
	return slices.ContainsFunc(m.compatible(), func(s string) bool { return strings.HasPrefix(s, "raspberrypi,") })
}

func (m machine) hasSoC(soc string) bool { return slices.Contains(m.compatible(), "brcm,"+soc) }

// knownSoCs have the GPIO block that registers.go describes.
var knownSoCs = []string{"bcm2835", "bcm2836", "bcm2837", "bcm2711"}

// errNoRegisters reports a machine without known registers. The default back-end hides it.
var errNoRegisters = errors.New("registers are for a Raspberry Pi Zero to 4")

// soc returns the SoC if its registers are known; it never guesses.
func (m machine) soc() (string, error) {
	all := m.compatible()
	switch {
	case len(all) == 0:
		return "", fmt.Errorf("%w, and this machine has no device tree: use -t gpio:lines", errNoRegisters)
	case m.hasSoC("bcm2712"):
		return "", failure.Usagef("%w, and this is a Raspberry Pi 5, whose header is on another chip "+
			"(RP1): use -t gpio:lines", errNoRegisters)
	}
	for _, soc := range knownSoCs {
		if m.hasSoC(soc) {
			return soc, nil
		}
	}
	return "", fmt.Errorf("%w, and this machine is %s: use -t gpio:lines", errNoRegisters, strings.Join(all, ", "))
}

// A use is a function of a Raspberry Pi that occupies pins of the header.
type use struct {
	name  string
	lines []uint8
	off   string // how to switch it off
	on    func(machine) bool
}

var serialConsole = printable.Regexp(`\bconsole=(ttyAMA0|ttyS0)\b`)

var uses = []use{
	{"the I2C bus", []uint8{2, 3}, "raspi-config, Interface Options, I2C",
		func(m machine) bool { return m.exists("dev/i2c-1") }},
	{"the SPI bus", []uint8{7, 8, 9, 10, 11}, "raspi-config, Interface Options, SPI",
		func(m machine) bool { return m.exists("dev/spidev0.0") || m.exists("dev/spidev0.1") }},
	{"the serial console", []uint8{14, 15}, "raspi-config, Interface Options, Serial Port", func(m machine) bool {
		line, err := fs.ReadFile(m.root, "proc/cmdline")
		return err == nil && serialConsole().Match(line)
	}},
}

func (m machine) exists(path string) bool {
	_, err := fs.Stat(m.root, path)
	return err == nil
}

// advice describes how to free a line of the header.
func advice(line uint8) string {
	for _, u := range uses {
		if slices.Contains(u.lines, line) {
			return u.off
		}
	}
	return "look for a dtoverlay in config.txt"
}

// checkHeader rejects pins that a Raspberry Pi is known to use for another function.
func (m machine) checkHeader(pins map[string]string) error {
	if !m.isRaspberryPi() {
		return nil
	}
	for _, u := range uses {
		for _, s := range transport.Lines {
			n, err := gpioNumber(pins[s])
			if err == nil && slices.Contains(u.lines, n) && u.on(m) {
				return fmt.Errorf("GPIO%d (%s) belongs to %s, which is switched on: switch it off (%s) and "+
					"start the machine anew", n, s, u.name, u.off)
			}
		}
	}
	return nil
}
