package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"utfbench/internal/files"
	"utfbench/internal/testkit"
)

// apart matches scripts that need separate processes: they read standard input, or change data that is read once.
var apart = regexp.MustCompile(`(?m)\b(PATH|TMPDIR)=|^stdin `)

// within makes exits and attempt run bench in the process of the tests unless apart matches the script. That takes a
// third of the CPU time of separate processes. If BENCH_FULL is set, every command is a separate process.
func within(env *testscript.Env) error {
	name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
	text, err := os.ReadFile(filepath.Join(scripts, name+".txtar"))
	if err == nil {
		env.Values[scripts] = !testkit.Full() && !apart.Match(text)
	}
	return err
}

// inside reports whether a command may run in the tests' process: nothing interrupts it and it does not panic.
func inside(ts *testscript.TestScript, command string) bool {
	after := ts.Getenv("MOCK_AFTER")
	return command == "bench" && ts.Value(scripts) == true && ts.Getenv("FAKE_PI") == "" &&
		ts.Getenv("BENCH_PEAK") == "" && !strings.HasSuffix(after, "interrupt") && !strings.HasSuffix(after, "panics")
}

// runInside runs bench in the script's working directory and environment. Outputs go where a process would write them.
func runInside(ts *testscript.TestScript, args []string) int {
	var out, errOut bytes.Buffer
	d := usualDesign(&files.Env{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errOut,
		Getenv: ts.Getenv, Dir: ts.MkAbs(".")})
	misbehave(d)
	code := d.run(context.Background())
	const separator = string(filepath.Separator)
	relative := strings.NewReplacer(d.env.Dir+separator, "", d.env.Dir, ".",
		filepath.Dir(d.env.Dir)+separator, ".."+separator)
	for to, text := range map[io.Writer]*bytes.Buffer{ts.Stdout(): &out, ts.Stderr(): &errOut} {
		_, err := relative.WriteString(to, text.String())
		ts.Check(err)
	}
	return code
}
