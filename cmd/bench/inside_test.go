package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"utfbench/internal/testkit"
)

// inside runs the commands of a script in the process of the tests, which takes a third of the CPU of a process each.
// BENCH_FULL has them all in processes of their own.
type inside struct{ names []string } // of the script's variables

// apart matches scripts whose commands need a process: they read standard input, look for programs elsewhere, or change
// what a process reads once. alone has the variables with which a command does.
var (
	apart = regexp.MustCompile(`(?m)\bPATH=|^stdin |bench designs --update`)
	alone = []string{"MOCK_AFTER", "FAKE_PI", "BENCH_PEAK"}
)

// set matches the name of a variable that a script sets.
var set = regexp.MustCompile(`(?m)^(?:\[.*\] )?env (\w+)=`)

// within has exits and attempt run bench inside, unless the script is apart.
func within(env *testscript.Env) error {
	name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
	text, err := os.ReadFile(filepath.Join(scripts, name+".txtar"))
	if err != nil || testkit.Full() || apart.Match(text) {
		return err
	}
	in := &inside{}
	for _, v := range env.Vars {
		name, _, _ := strings.Cut(v, "=")
		in.names = append(in.names, name)
	}
	for _, found := range set.FindAllSubmatch(text, -1) {
		in.names = append(in.names, string(found[1]))
	}
	env.Values[scripts] = in
	return nil
}

// calling is held by the command that has the working directory, the environment and standard error.
var calling sync.Mutex

// takes reports whether a command may run inside.
func (in *inside) takes(ts *testscript.TestScript, command string) bool {
	set := func(name string) bool { return ts.Getenv(name) != "" }
	return in != nil && command == "bench" && !slices.ContainsFunc(alone, set)
}

// run runs bench with the script's folder and variables.
func (in *inside) run(ts *testscript.TestScript, args []string) int {
	calling.Lock()
	defer calling.Unlock()
	defer in.take(ts)()
	log, err := os.Create(filepath.Join(ts.Getenv("WORK"), ".tmp", "stderr"))
	ts.Check(err)
	defer log.Close()
	stderr := os.Stderr
	os.Stderr = log
	defer func() { os.Stderr = stderr }()
	code := run(context.Background(), args, strings.NewReader(""), ts.Stdout(), log)
	said, err := os.ReadFile(log.Name())
	ts.Check(err)
	_, err = ts.Stderr().Write(said)
	ts.Check(err)
	return code
}

// take switches to the script's environment and returns a function that restores the previous one.
func (in *inside) take(ts *testscript.TestScript) (leave func()) {
	before, boards, wires := os.Environ(), findBoards, kinds[0].HasWires
	clearEnvironment()
	for _, name := range in.names {
		if value := ts.Getenv(name); value != "" {
			ts.Check(os.Setenv(name, value))
		}
	}
	ts.Check(os.Chdir(ts.MkAbs(".")))
	misbehave()
	return func() {
		findBoards, kinds[0].HasWires = boards, wires
		clearEnvironment()
		for _, v := range before {
			name, value, _ := strings.Cut(v, "=")
			os.Setenv(name, value)
		}
		os.Chdir(filepath.Join(root, "cmd", "bench"))
	}
}

// clearEnvironment leaves PATH, which the start of another script may be reading.
func clearEnvironment() {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); name != "PATH" {
			os.Unsetenv(name)
		}
	}
}
