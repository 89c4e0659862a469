//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/sweep"
)

// A certificate of a chip that was signed wrong and then right is neither PASS nor FAIL, and no other's equal.
func TestFlakyCertificate(t *testing.T) {
	dir := t.TempDir()
	good, flaky := filepath.Join(dir, "good"), filepath.Join(dir, "flaky")
	sweepTo := func(path string) {
		if code, said := bench(t, "sweep", "--space", "ops", "--depth", "1", "--certificate", path); code != exitPass {
			t.Fatalf("exit code %d, and it says\n%s", code, said)
		}
	}
	sweepTo(good)
	sweepTo(flaky)
	c, err := sweep.ReadFile(flaky)
	if err != nil {
		t.Fatal(err)
	}
	c.Blocks[0].Unsteady = 1
	if err := os.WriteFile(flaky, c.Text(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"sweep", "verify", flaky}, "FLAKY unsteady: 1 of 1 block"},
		{[]string{"sweep", "compare", good, flaky}, "0 cases wrong in " + good +
			", 0 cases wrong and 1 run unsteady in " + flaky},
	} {
		if code, said := bench(t, c.args...); code != exitFail || !strings.Contains(said, c.want) {
			t.Errorf("%v: exit code %d; want %d, and %q in\n%s", c.args, code, exitFail, c.want, said)
		}
	}
	whole := filepath.Join(dir, "whole")
	if code, said := bench(t, "sweep", "merge", whole, flaky); code != exitPass ||
		!strings.HasPrefix(said, "FLAKY, 1 block") {
		t.Errorf("merge: exit code %d, and it says\n%s", code, said)
	}
}
