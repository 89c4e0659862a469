package main

import (
	"strings"
	"testing"
)

// liesOfAPi are faults of wires, and the row of doctor --first that names each.
var liesOfAPi = []struct{ fault, row, want string }{
	{"", "wires", "every line carries both levels"},
	{"ui1<>ui2", "wires", "ui1 and ui2 are swapped"},
	{"uo3<>uo4", "wires", "uo3 and uo4 are swapped"},
	{"uio2=stuck1", "uio driven", "uio2 do not follow"},
	{"uio4~uio5=and", "uio driven", "uio4-uio5 do not follow"},
	{"ui6=open:low", "wires", "ui6"},
	{"clk=stuck0", "transport", "uo is always 00000000"},
	{"rst_n=stuck0", "wires", "rst_n"},
}

// rowOf returns the named row of the doctor's output.
func rowOf(said, name string) (row string) {
	for line := range strings.Lines(said) {
		if len(line) > 21 && strings.TrimSpace(line[4:20]) == name {
			row = line
		}
	}
	return row
}

// On first contact with a Raspberry Pi the doctor names the line at fault, and no run blames the chip for it.
func TestFirstContactOfAPi(t *testing.T) {
	for _, c := range liesOfAPi {
		t.Run(c.fault, func(t *testing.T) {
			t.Chdir(t.TempDir())
			var faults []string
			if c.fault != "" {
				faults = []string{c.fault}
			}
			defer newPi(t, faults...).plug()()
			code, said := bench(t, "doctor", "-t", "gpio", "--first")
			if !strings.Contains(rowOf(said, c.row), c.want) || (c.fault == "") != (code == exitPass) {
				t.Errorf("exit code %d; want %q in the row %s in\n%s", code, c.want, c.row, said)
			}
			code, said = bench(t, "run", "-t", "gpio", "--suite", "guide", "--no-history")
			if (c.fault == "") != (code == exitPass) || strings.Contains(said, "the chip is at fault") {
				t.Errorf("run: exit code %d, and it says\n%s", code, said)
			}
		})
	}
}
