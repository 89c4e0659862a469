package command

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"utfbench/runs/history"
)

// findBench returns the program bench: the one beside this program, else the one in the PATH; "" without either.
func findBench() string {
	name := "bench"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}

// plainEnv is the environment without what is meant for another bench.
func plainEnv() (env []string) {
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "BENCH_") {
			env = append(env, v)
		}
	}
	return append(env, "BENCH_CONFIG=none")
}

// A Judge judges runs of a lab's history for a page, by the program bench.
type Judge struct{ Bench, DB string }

// Report writes the page of a run, as bench report does.
func (j Judge) Report(ctx context.Context, w io.Writer, _ *history.History, number int) error {
	return j.run(ctx, w, "report", number)
}

// Bundle writes the zip of a run, as bench bundle does that asks no chip.
func (j Judge) Bundle(ctx context.Context, w io.Writer, _ *history.History, number int) error {
	return j.run(ctx, w, "bundle", number)
}

// run runs a command of bench that writes a file about a run. What the recording says of a tile elsewhere is not
// followed: it comes from another machine, and this one would compile what it names.
func (j Judge) run(ctx context.Context, w io.Writer, command string, number int) error {
	if j.Bench == "" {
		return errors.New("the program bench, which judges it, is neither beside benchlab nor in the PATH")
	}
	dir, err := os.MkdirTemp("", "benchlab")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "out")
	told := new(ending)
	cmd := exec.CommandContext(ctx, j.Bench, command, strconv.Itoa(number), "--db", j.DB, "--tile", "utf", "--out", out)
	cmd.Args[0], cmd.Env, cmd.Stderr = "bench", plainEnv(), told
	if err := cmd.Run(); err != nil {
		if line := told.line(); line != "" {
			return errors.New(strings.TrimPrefix(line, "bench: "))
		}
		return err
	}
	f, err := os.Open(out)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}
