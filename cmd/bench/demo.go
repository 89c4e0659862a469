package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// A scene is a command of the tour, and what a newcomer should see in it.
type scene struct {
	say  string
	args string // of bench
	ends int    // exit code
}

// scenes are the tour; runs are numbered from 1, since it has a history of its own.
var scenes = []scene{
	{"A good chip. Without -t it is the model in memory, so this proves the bench, not a chip.", "run --suite man7",
		exitPass},
	{"A bad one: uo3 is stuck at 1. The verdict is FAIL, and each failure says what was seen, what should have been, " +
		"and by which document.",
		"run --suite man7 --fault uo3=stuck1 --seed 1", exitFail},
	{"Why? Every fault of a wire, of a register bit and the chip's revision are simulated on the steps of " +
		"that run, number 2.", "diagnose 2", exitPass},
	{"The shortest steps that still fail, found on the device itself, as a vector to keep.", "minimise 2", exitPass},
	{"Two wires touch. Where there are wires they are checked before the chip is judged; here the check alone.",
		"wiring --fault uio3~uio4=and", exitWiring},
	{"A line that is wrong now and then: 20 times through all vectors, and what goes with the failures.",
		"run --suite man7 --fault uo2=flip:2e-5 --seed 7 --count 20", exitFail},
	{"Under which times does it pass? A chip that is too slow for 2.4 MHz, and a line that needs 150 ns to settle.",
		"shmoo --fault fmax=2.4MHz --fault ui3=setup:150ns", exitPass},
	{"Run 2 once more, as one page with waveforms to look at in a browser.", "report 2 --out tour.html", exitPass},
}

func newDemo() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show in two minutes what the bench can do, on the model in memory",
		Long: `demo is a tour: it runs commands of bench in a folder of its own and shows each before it runs.
On a terminal it waits for Enter in between. Nothing outside of that folder is touched, and no
board is asked.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t := tour{out: cmd.OutOrStdout(), in: bufio.NewReader(cmd.InOrStdin()), dir: dir,
				waits: isTerminal(cmd.InOrStdin()) && isTerminal(cmd.OutOrStdout())}
			return t.run(cmd)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the folder, which must not be there yet (default: a new one among the "+
		"system's temporary folders)")
	return cmd
}

// A tour goes through the scenes.
type tour struct {
	out   io.Writer
	in    *bufio.Reader
	dir   string
	waits bool // for Enter
}

func (t *tour) run(cmd *cobra.Command) (err error) {
	if t.dir == "" {
		t.dir, err = os.MkdirTemp("", "bench-demo-")
	} else {
		err = os.Mkdir(t.dir, 0o755)
	}
	if err != nil {
		return fmt.Errorf("--dir: %w", err)
	}
	if t.dir, err = filepath.Abs(t.dir); err != nil {
		return benchFault(err)
	}
	program, err := os.Executable()
	if err != nil {
		return benchFault(err)
	}
	for i, s := range scenes {
		fmt.Fprintf(t.out, "%d of %d. %s\n\n$ bench %s\n", i+1, len(scenes), s.say, s.args)
		if err := t.play(cmd, program, s); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(t.out, "That was it. %s is the page; rm -r %s removes all of the tour.\n"+
		"With a board: bench doctor -t rp2040, then bench run -t rp2040.\n", filepath.Join(t.dir, "tour.html"), t.dir)
	return err
}

// play runs a command and shows the end of what it prints.
func (t *tour) play(cmd *cobra.Command, program string, s scene) error {
	if t.waits {
		if _, err := t.in.ReadString('\n'); err != nil && err != io.EOF {
			return benchFault(err)
		}
	}
	run := exec.CommandContext(cmd.Context(), program, strings.Fields(s.args)...)
	run.Dir, run.Env = t.dir, append(os.Environ(), "BENCH_DB="+filepath.Join(t.dir, "history.db"),
		"BENCH_CONFIG=none")
	said, err := run.CombinedOutput()
	if cmd.Context().Err() != nil {
		return cmd.Context().Err()
	}
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return benchFault(err)
	}
	if code := run.ProcessState.ExitCode(); code != s.ends {
		return benchFault(fmt.Errorf("bench %s ended with exit code %d, and the tour expects %d:\n%s", s.args,
			code, s.ends, said))
	}
	_, err = fmt.Fprintf(t.out, "%s[exit code %d]\n\n", ending(said), s.ends)
	return err
}

// mostShownLines is how much of a command's output is shown: its end, where the verdict is.
const mostShownLines = 24

func ending(said []byte) string {
	lines := bytes.SplitAfter(said, []byte("\n"))
	left := max(0, len(lines)-mostShownLines)
	before := ""
	if left > 0 {
		before = fmt.Sprintf("(%d lines before these)\n", left)
	}
	return cmp.Or(before+string(bytes.Join(lines[left:], nil)), "\n")
}
