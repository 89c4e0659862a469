//go:build unix

package verilog

import (
	"os"
	"syscall"
)

// supported says whether the platform can hand down file descriptors.
const supported = true

func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }
