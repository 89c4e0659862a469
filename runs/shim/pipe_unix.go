//go:build unix

package shim

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// pipe makes a named pipe, and opens it for reading and writing so that opening does not block.
func pipe(path string) (*os.File, error) {
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
}

// own puts a command into its own process group, which is killed as a whole, since makefiles start further processes.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
