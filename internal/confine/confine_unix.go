//go:build unix

package confine

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// Supported reports whether the platform can pass file descriptors.
const Supported = true

// Kill kills a process that Start has started, and its descendants.
func Kill(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

// limit limits CPU time and memory of each process of a command through a shell, since Go cannot. Without a shell or
// the system's support there is no limit. The hard limit of CPU time is a second above the soft one, at which the
// process receives SIGXCPU; a SIGKILL would not reveal the reason.
func limit(cmd *exec.Cmd, limits Limits) {
	const shell, script = "/bin/sh", `{ ulimit -c 0; ulimit -S -t "$1"
ulimit -H -t $(($1 + 1)); ulimit -v "$2"; } 2>/dev/null; shift 2; exec "$@"`
	if _, err := os.Stat(shell); err != nil || cmd.Err != nil {
		return
	}
	args := []string{shell, "-c", script, "sh", strconv.Itoa(int(limits.Processor.Seconds())),
		strconv.FormatInt(limits.Memory>>10, 10), cmd.Path}
	cmd.Path, cmd.Args = shell, append(args, cmd.Args[1:]...)
}

// guard starts a guard, which kills a process's group if the bench dies without dismissing it: compilers start
// processes that would survive. The guard is a shell that reads from a pipe of which only the bench holds the other
// end. Without a shell there is no guard.
func guard(p *os.Process) (dismiss func()) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		return func() {}
	}
	defer theirs.Close()
	sh := exec.Command("/bin/sh", "-c", `trap '' HUP INT TERM; read -r dismissed || kill -s KILL -- "-$1"`, "sh",
		strconv.Itoa(p.Pid))
	sh.Stdin = theirs
	sh.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // signals from the terminal must not reach it
	if sh.Start() != nil {
		ours.Close()
		return func() {}
	}
	return func() {
		ours.WriteString("dismissed\n")
		ours.Close()
		_ = sh.Wait() // the guard's exit code has no meaning
	}
}
