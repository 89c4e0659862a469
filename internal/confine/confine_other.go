//go:build !unix

package confine

import (
	"os"
	"os/exec"
)

// Supported reports whether the platform can pass file descriptors.
const Supported = false

// Kill kills a process that Start has started, and its descendants if possible.
func Kill(p *os.Process) { p.Kill() }

func isolate(*exec.Cmd) {}

func guard(*os.Process) (dismiss func()) { return func() {} }

func limit(*exec.Cmd, Limits) {}
