package survey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"time"

	"utfbench/internal/printable"
)

// RunShell runs a user's command until it ends or ctx does. The command is responsible for its background processes.
func RunShell(ctx context.Context, words string) error {
	name := []string{"sh", "-c"}
	if runtime.GOOS == "windows" {
		name = []string{"cmd", "/C"}
	}
	cmd := exec.CommandContext(ctx, name[0], name[1], words)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	if said := bytes.TrimSpace(out); err != nil && len(said) > 0 {
		lines := bytes.Split(said, []byte("\n"))
		return fmt.Errorf("%w: %s", err, printable.Text(string(lines[len(lines)-1])))
	}
	return err
}
