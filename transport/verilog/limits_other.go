//go:build !unix

package verilog

import (
	"os"
	"os/exec"
)

// passesDescriptors reports whether the platform can pass file descriptors.
const passesDescriptors = false

// killGroup kills a process that startTool has started, and its descendants if possible.
func killGroup(p *os.Process) { p.Kill() }

func isolate(*exec.Cmd) {}

func guard(*os.Process) (dismiss func()) { return func() {} }

func limit(*exec.Cmd, Limits) {}
