//go:build unix

package demoboard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A second bench gets an error until the first releases the port.
func TestHold(t *testing.T) {
	port := filepath.Join(t.TempDir(), "port")
	if err := os.WriteFile(port, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := hold(port)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hold(port); err == nil || !strings.Contains(err.Error(), "another bench has it open") {
		t.Errorf("the second has it too: %v", err)
	}
	first.Close()
	second, err := hold(port)
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
}
