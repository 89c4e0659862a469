package gpio

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"utfbench/internal/failure"
)

// A machine represents a computer by its file system.
type machine struct{ root fs.FS }

// compatible returns the machine's device-tree names, the most specific first. Most PCs have none.
func (m machine) compatible() []string {
	text, err := fs.ReadFile(m.root, "proc/device-tree/compatible")
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimRight(string(text), "\x00"), "\x00")
}

func (m machine) hasSoC(soc string) bool { return slices.Contains(m.compatible(), "brcm,"+soc) }

// knownSoCs lists the SoCs with the GPIO block that registers.go describes.
var knownSoCs = []string{"bcm2835", "bcm2836", "bcm2837", "bcm2711"}

// errNoRegisters reports a machine without known registers. With the default back-end it is not returned.
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

// uses lists functions of a Raspberry Pi that occupy pins of the header, and explains how to switch them off.
var uses = []struct {
	lines []uint8
	off   string
}{
	{[]uint8{2, 3}, "raspi-config, Interface Options, I2C"},
	{[]uint8{7, 8, 9, 10, 11}, "raspi-config, Interface Options, SPI"},
	{[]uint8{14, 15}, "raspi-config, Interface Options, Serial Port"},
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
