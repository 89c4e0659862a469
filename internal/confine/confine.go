// Package confine runs local programs, such as compilers, on untrusted files, with limits on time, memory and output,
// and in a process group that ends with the bench. A design of a few lines can take years and all memory.
package confine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// Limits holds the limits of processor time and memory for each process, and of the program's total time.
type Limits struct {
	Processor, Wall time.Duration
	Memory          int64 // bytes
}

// GracePeriod is the time that a process may take to exit after its work is done or cancelled.
const GracePeriod = 5 * time.Second

// Run runs a command to its end and returns its output. name is the program's name, for errors.
func Run(ctx context.Context, name string, cmd *exec.Cmd, limits Limits) (out, messages string, err error) {
	limit(cmd, limits)
	ctx, cancel := context.WithTimeoutCause(ctx, limits.Wall, failure.Usagef("%s did not finish the design within %s",
		name, limits.Wall))
	defer cancel()
	var stdout, stderr bounded
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	ended, err := Start(cmd)
	if err != nil {
		return "", "", fmt.Errorf("starting %s: %w", name, err)
	}
	select {
	case err = <-ended:
	case <-ctx.Done():
		Kill(cmd.Process)
		<-ended
		return "", "", context.Cause(ctx)
	}
	if stdout.over || stderr.over {
		return "", "", failure.Usagef("%s printed more than %s about the design, the maximum", name,
			files.FormatSize(maxPrinted))
	}
	return stdout.String(), stderr.String(), err
}

// maxPrinted is the maximum size of a program's output in bytes, which suffices for a preprocessed design.
const maxPrinted = 32 << 20

// bounded is a buffer that rejects output beyond its limit.
type bounded struct {
	bytes.Buffer
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.over = b.over || b.Len()+len(p) > maxPrinted; b.over {
		return 0, io.ErrShortWrite
	}
	return b.Buffer.Write(p)
}

// ReadFrom hides the method of bytes.Buffer, which would bypass the limit.
func (b *bounded) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{b}, r) }

// outOfMemory matches a compiler's messages about exhausted memory.
var outOfMemory = printable.LazyRegexp(`(?i)bad_alloc|out of memory|memory exhausted|cannot allocate memory`)

// killed and outOfTime match messages of a shell or Go about a process that SIGKILL or SIGXCPU has ended.
var (
	killed    = printable.LazyRegexp(`(?im)^(signal: )?killed`)
	outOfTime = printable.LazyRegexp(`(?i)cpu ?time limit exceeded`)
)

// exceeded returns an error if a command exceeded its limits or was ended by a signal, otherwise nil.
func (l Limits) exceeded(name string, exited *exec.ExitError, messages string) error {
	signals := messages + "\n" + exited.Error()
	switch {
	case outOfTime().MatchString(signals):
		return failure.Usagef("%s rejects the design: it exceeded the limit of %s of processor time", name, l.Processor)
	case outOfMemory().MatchString(messages):
		return failure.Usagef("%s rejects the design: it exceeded the limit of %s of memory",
			name, files.FormatSize(l.Memory))
	case killed().MatchString(signals):
		return failure.Usagef("%s rejects the design: the system killed it, most likely for lack of memory", name)
	case exited.ExitCode() < 0:
		return failure.Usagef("%s crashed on the design (%v), which is a bug of it: try another version", name, exited)
	}
	return nil
}

// ExplainError explains the error that Run returned for a command: an exceeded limit, a crash, or reason's summary of
// the command's messages.
func (l Limits) ExplainError(name string, err error, messages string, reason func(string) string) error {
	exited, is := errors.AsType[*exec.ExitError](err)
	if !is {
		return err
	}
	if over := l.exceeded(name, exited, messages); over != nil {
		return over
	}
	return failure.Usagef("%s rejects the design: %s", name, reason(messages))
}

// Start starts a process in its own group. If the bench is killed, a guard kills this group. On Linux the process is
// also killed when the thread that started it ends, so a goroutine keeps that thread until the process has ended.
func Start(cmd *exec.Cmd) (<-chan error, error) {
	isolate(cmd)
	cmd.WaitDelay = GracePeriod
	started, ended := make(chan error), make(chan error, 1)
	failure.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err != nil {
			started <- err
			return
		}
		dismiss := guard(cmd.Process)
		started <- nil
		err = cmd.Wait()
		dismiss()
		ended <- err
	})
	return ended, <-started
}
