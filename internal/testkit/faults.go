package testkit

import (
	"strings"

	"utfbench/model"
	"utfbench/transport"
)

// EveryFault lists faults of the given kinds on each line, and every late output, pair of lines and stuck register bit.
func EveryFault(kinds ...string) []string {
	all := LineFaults(kinds...)
	for i, a := range transport.Lines {
		for _, b := range transport.Lines[i+1:] {
			all = append(all, a+"<>"+b, a+"~"+b+"=and", a+"~"+b+"=or")
		}
	}
	return append(all, BitFaults()...)
}

// LineFaults lists faults of the given kinds on each line, and the fault "late" on each line that the chip drives.
func LineFaults(kinds ...string) (all []string) {
	for _, line := range transport.Lines {
		for _, kind := range kinds {
			all = append(all, line+"="+kind)
		}
		if strings.HasPrefix(line, "uo") || strings.HasPrefix(line, "uio") {
			all = append(all, line+"=late")
		}
	}
	return all
}

// BitFaults lists each register bit stuck at each level.
func BitFaults() (all []string) {
	for _, bit := range model.Bits {
		all = append(all, bit+"=stuck0", bit+"=stuck1")
	}
	return all
}
