//go:build unix

package confine

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A command that a signal ends has crashed, and has not rejected the design.
func TestCrashed(t *testing.T) {
	most := Limits{Processor: time.Minute, Wall: time.Minute, Memory: 4 << 30}
	for command, want := range map[string]string{
		"kill -SEGV $$": "sh crashed on the design (signal: segmentation fault",
		"exit 1":        "sh rejects the design: no reason",
	} {
		_, messages, err := Run(t.Context(), "sh", exec.Command("sh", "-c", command), most)
		err = most.Refused("sh", err, messages, func(string) string { return "no reason" })
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", command, err, want)
		}
	}
}
