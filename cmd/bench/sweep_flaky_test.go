//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/sweep"
)

// A certificate of a chip that was signed wrong and then right is neither PASS nor FAIL.
func TestFlakyCertificate(t *testing.T) {
	flaky := filepath.Join(t.TempDir(), "flaky")
	if code, said := bench(t, "sweep", "--space", "ops", "--depth", "1", "--certificate", flaky); code != exitPass {
		t.Fatalf("exit code %d, and it says\n%s", code, said)
	}
	c, err := sweep.ReadFile(flaky)
	if err != nil {
		t.Fatal(err)
	}
	c.Blocks[0].Unsteady = 1
	if err := os.WriteFile(flaky, c.Text(), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, said := bench(t, "sweep", "verify", flaky); code != exitFail ||
		!strings.Contains(said, "FLAKY unsteady: 1 of 1 block") {
		t.Errorf("exit code %d, and it says\n%s", code, said)
	}
}
