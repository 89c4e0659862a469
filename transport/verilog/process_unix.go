//go:build unix

package verilog

import (
	"os"
	"syscall"
)

// supported says whether the platform can hand down file descriptors.
const supported = true

func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

// tryLock locks a file until it is closed or the process ends.
func tryLock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
