//go:build unix

package verilog

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// supported says whether the platform can hand down file descriptors.
const supported = true

func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

// guard kills the group of a process when the bench dies without dismissing it: compilers start processes of their own,
// which nobody else would end. It is a shell that waits at a pipe, of which the bench has the only other end. Where
// there is no shell there is no guard.
func guard(p *os.Process) (dismiss func()) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		return func() {}
	}
	defer theirs.Close()
	sh := exec.Command("/bin/sh", "-c", `trap '' HUP INT TERM; read -r dismissed || kill -s KILL -- "-$1"`, "sh",
		strconv.Itoa(p.Pid))
	sh.Stdin = theirs
	sh.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what is typed at the terminal is not for it
	if sh.Start() != nil {
		ours.Close()
		return func() {}
	}
	return func() {
		ours.WriteString("dismissed\n")
		ours.Close()
		_ = sh.Wait() // it has nothing to say
	}
}
