// Package confine runs programs of this machine, such as compilers, on files of strangers: within limits of time,
// memory and output, and in a process group that ends with the bench. A design of a few lines can ask for years and for
// all memory.
package confine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"runtime"
	"time"

	"utfbench/internal/crash"
	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// Limits apply to each process of a program, and to its total time.
type Limits struct {
	Processor, Wall time.Duration
	Memory          int64 // bytes
}

// Grace is how long a process may take to end after it has nothing more to do.
const Grace = 5 * time.Second

// Run runs a command to its end and returns its output. The name is the program's, for errors.
func Run(ctx context.Context, name string, cmd *exec.Cmd, most Limits) (out, messages string, err error) {
	limit(cmd, most)
	ctx, cancel := context.WithTimeoutCause(ctx, most.Wall, failure.Usagef("%s has not taken the design within %s",
		name, most.Wall))
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
		return "", "", failure.Usagef("%s prints more than %s of the design, which is the most that is read", name,
			files.Size(mostPrinted))
	}
	return stdout.String(), stderr.String(), err
}

// mostPrinted limits a program's output in bytes: a preprocessed design.
const mostPrinted = 32 << 20

// A bounded buffer refuses what would make it longer than that.
type bounded struct {
	bytes.Buffer
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.over = b.over || b.Len()+len(p) > mostPrinted; b.over {
		return 0, io.ErrShortWrite
	}
	return b.Buffer.Write(p)
}

// ReadFrom would go round the limit.
func (b *bounded) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{b}, r) }

// outOfMemory matches a compiler's messages about exhausted memory.
var outOfMemory = regexp.MustCompile(`(?i)bad_alloc|out of memory|memory exhausted|cannot allocate memory`)

// killed finds how a shell says that a process of a command was killed by somebody else.
var killed = regexp.MustCompile(`(?m)^Killed$`)

// exceeded returns an error if a command ended as it did because of its limits, otherwise nil.
func (l Limits) exceeded(name string, exited *exec.ExitError, messages string) error {
	used := exited.UserTime() + exited.SystemTime()
	switch {
	case used >= l.Processor*9/10: // the system counts in ticks
		return failure.Usagef("%s does not take the design: it was stopped after %s of processor time, which is "+
			"the limit", name, l.Processor)
	case outOfMemory.MatchString(messages):
		return failure.Usagef("%s does not take the design: it needs more than %s of memory, which is the limit",
			name, files.Size(l.Memory))
	case killed.MatchString(messages):
		return failure.Usagef("%s does not take the design: the system killed it, most likely since this machine has "+
			"no more memory", name)
	}
	return nil
}

// Refused returns the error of a command that ended by itself, as Run returned it: that it exceeded its limits, or what
// reason says of its messages.
func (l Limits) Refused(name string, err error, messages string, reason func(string) string) error {
	var exited *exec.ExitError
	if !errors.As(err, &exited) {
		return err
	}
	if over := l.exceeded(name, exited, messages); over != nil {
		return over
	}
	return failure.Usagef("%s does not take the design: %s", name, reason(messages))
}

// Start starts a process in a group of its own. When the bench is killed a guard kills that group; on Linux the process
// itself is killed too when the thread that started it ends, therefore one goroutine keeps its thread until the process
// has ended.
func Start(cmd *exec.Cmd) (<-chan error, error) {
	isolate(cmd)
	cmd.WaitDelay = Grace
	started, ended := make(chan error), make(chan error, 1)
	crash.Go(func() {
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
