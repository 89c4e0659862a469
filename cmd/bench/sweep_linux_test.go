//go:build !race

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"utfbench/internal/testkit"
)

// maxMemory is the memory limit of a sweep.
const maxMemory = 100 << 20

// No sweep takes more than 100 MB, even if every case fails.
func TestSweepMemory(t *testing.T) {
	testkit.SkipUnlessFull(t)
	dir := t.TempDir()
	for _, args := range []string{
		"sweep --space ops --max-failures 0 --fault clk=open --resume " + filepath.Join(dir, "state"),
		"sweep",
		"sweep --space ops --json " + filepath.Join(dir, "result"),
	} {
		code, said, peak := weigh(t, dir, nil, strings.Fields(args)...)
		if code != exitPass && code != exitFail {
			t.Fatalf("%s: exit code %d\n%s", args, code, said)
		}
		if peak > maxMemory {
			t.Errorf("%s: %d KiB; allowed are %d", args, peak>>10, maxMemory>>10)
		}
		t.Logf("%6d KiB: %s", peak>>10, args)
	}
}
