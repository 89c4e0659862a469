package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// A Scene is a command of the tour, with an explanation for newcomers.
type Scene struct {
	Say  string
	Args string // the program's arguments, separated by spaces
	Ends int    // the expected exit code
}

// A Tour runs commands of a program in a folder of its own, and shows each before it runs.
type Tour struct {
	Program string // its path
	Name    string // the name that people type
	Dir     string // where the commands run
	Env     []string
	Out     io.Writer
	Wait    *bufio.Reader // supplies a line before each command; nil to run on without a pause
}

// NewTour returns a tour of this program in a new folder; "" is a temporary one.
func NewTour(name, dir string, out io.Writer) (t *Tour, err error) {
	if dir == "" {
		dir, err = os.MkdirTemp("", name+"-demo-")
	} else {
		err = failure.Usage(os.Mkdir(dir, 0o755))
	}
	if err != nil {
		return nil, err
	}
	t = &Tour{Name: name, Out: out}
	if t.Dir, err = filepath.Abs(dir); err == nil {
		t.Program, err = os.Executable()
	}
	return t, err
}

// Run plays the scenes. It returns ctx's error, or one for a command that ended unexpectedly.
func (t *Tour) Run(ctx context.Context, scenes []Scene) error {
	for i, s := range scenes {
		say := wrapped(fmt.Sprintf("%d of %d. %s", i+1, len(scenes), s.Say), helpWidth(t.Out))
		fmt.Fprintf(t.Out, "%s\n\n$ %s %s\n", say, t.Name, s.Args)
		if err := t.pause(ctx, i == 0); err != nil {
			return err
		}
		if err := t.play(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// pause prompts and waits for a line, or for the end of ctx.
func (t *Tour) pause(ctx context.Context, first bool) error {
	if t.Wait == nil {
		return nil
	}
	prompt := "[Enter] "
	if first {
		prompt = "[Enter runs it, Ctrl-C ends the tour] "
	}
	fmt.Fprint(t.Out, prompt)
	read := make(chan error, 1)
	failure.Go(func() { // is left behind by a Ctrl-C, since a terminal's read cannot be cancelled
		_, err := t.Wait.ReadString('\n')
		read <- err
	})
	select {
	case err := <-read:
		if err != io.EOF {
			return err
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// play runs a command and shows the end of its output.
func (t *Tour) play(ctx context.Context, s Scene) error {
	run := exec.CommandContext(ctx, t.Program, strings.Fields(s.Args)...)
	run.Dir, run.Env = t.Dir, append(os.Environ(), t.Env...)
	said, err := run.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	if code := run.ProcessState.ExitCode(); code != s.Ends {
		return fmt.Errorf("%s %s ended with exit code %d, but the tour expects %d:\n%s", t.Name, s.Args, code, s.Ends,
			said)
	}
	_, err = fmt.Fprintf(t.Out, "%s[exit code %d]\n\n", ending(said), s.Ends)
	return err
}

// mostLines is the number of lines shown at the end of a command's output, where the verdict is. A few more show a
// block from its beginning.
const mostLines = 24

func ending(said []byte) string {
	lines := bytes.SplitAfter(said, []byte("\n"))
	left := max(0, len(lines)-mostLines)
	for left > 0 && lines[left][0] == ' ' { // a block begins unindented
		left--
	}
	before := ""
	if left > 0 {
		before = fmt.Sprintf("(%s before these)\n", printable.Count(left, "line"))
	}
	return cmp.Or(before+string(bytes.Join(lines[left:], nil)), "\n")
}
