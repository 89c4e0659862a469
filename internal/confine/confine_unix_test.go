//go:build unix

package confine

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// If a signal has ended a command, ExplainError reports a crash or an exceeded limit, not a rejected design. A compiler
// may run another process and report how that ended.
func TestRefused(t *testing.T) {
	const time1s = "sh rejects the design: it exceeded the limit of 1s of processor time"
	limits := Limits{Processor: time.Second, Wall: time.Minute, Memory: 4 << 30}
	for command, want := range map[string]string{
		"kill -SEGV $$":                       "sh crashed on the design (signal: segmentation fault",
		"exit 1":                              "sh rejects the design: no reason",
		"while :; do :; done":                 time1s,
		"sh -c 'while :; do :; done'; exit 1": time1s,
		"kill -XCPU $$":                       time1s, // whatever processor time was measured
		"kill -KILL $$":                       "sh rejects the design: the system killed it",
		"sh -c 'kill -KILL $$'; exit 1":       "sh rejects the design: the system killed it",
	} {
		_, messages, err := Run(t.Context(), "sh", exec.Command("sh", "-c", command), limits)
		err = limits.ExplainError("sh", err, messages, func(string) string { return "no reason" })
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", command, err, want)
		}
	}
}
