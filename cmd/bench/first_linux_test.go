package main

import (
	"strings"
	"testing"
)

// On first contact with a Raspberry Pi, doctor names the bad line, and no run blames the chip.
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
