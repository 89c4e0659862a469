package main

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"utfbench/internal/files"
	"utfbench/internal/testkit"
)

// TestMain lets the scripts in testdata/script run this test binary as bench, in a separate process.
func TestMain(m *testing.M) {
	testscript.Main(ownHistory{m}, map[string]func(){"bench": func() {
		fakePi()
		weighed(func() {
			d := usualDesign(files.ProcessEnv())
			misbehave(d)
			runProcess(d)
		})
	}})
}

// ownHistory keeps the runs of the tests out of the user's history, and the user's settings out of the tests.
type ownHistory struct{ *testing.M }

func (a ownHistory) Run() int {
	dir, err := os.MkdirTemp("", "bench-test")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("BENCH_DB", filepath.Join(dir, "history.db"))
	os.Setenv("XDG_CONFIG_HOME", dir)
	os.Setenv("XDG_DATA_HOME", dir)
	os.Unsetenv("GITHUB_ACTIONS")
	return a.M.Run()
}

// compilerCache lists variables that make Verilator compile through ccache. Each script has its own environment and
// home, so Verilator's library would otherwise be compiled for each design.
var compilerCache = []string{"OBJCACHE", "CCACHE_DIR"}

// root is the folder of the module, and scripts the folder of the scripts, whatever the working directory is.
var (
	root = func() string {
		dir, err := filepath.Abs("../..")
		if err != nil {
			panic(err)
		}
		return dir
	}()
	scripts = filepath.Join(root, "cmd", "bench", "testdata", "script")
)

func TestScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(scripts, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	cache := filepath.Join(filepath.Dir(os.Getenv("BENCH_DB")), "cache") // shared by all scripts
	t.Setenv("XDG_CACHE_HOME", cache)
	compiler := map[string]string{}
	for _, name := range compilerCache {
		compiler[name] = os.Getenv(name)
	}
	testscript.Run(t, testscript.Params{
		Files: files,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("TERM", "dumb") // no progress is printed, however slow the machine is
			env.Setenv("NETLISTS", filepath.Join(root, "tile", "gates", "testdata"))
			env.Setenv("CHIP", filepath.Join(root, "tile", "utf", "tt09.v"))
			env.Setenv("XDG_CACHE_HOME", cache)
			env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, "data"))
			env.Setenv("LocalAppData", filepath.Join(env.WorkDir, "data"))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
			env.Setenv("AppData", filepath.Join(env.WorkDir, "config"))
			for name, value := range compiler {
				env.Setenv(name, value)
			}
			return within(env)
		},
		Condition: func(name string) (bool, error) {
			if name != "full" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return testkit.Full(), nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "unpack": unpack, "paste": paste, "await": await,
			"attempt": attempt, "action": action,
		},
	})
}

// exits implements `exits CODE COMMAND ARG...`: the command must exit with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitCode(ts, args[1:]); got != want {
		ts.Fatalf("%v ended with %d; want %d", args[1:], got, want)
	}
}

// exitCode runs a command and returns its exit code. It runs bench in this process where that makes no difference.
func exitCode(ts *testscript.TestScript, args []string) int {
	if inside(ts, args[0]) {
		return runInside(ts, args[1:])
	}
	err := ts.Exec(args[0], args[1:]...)
	if err == nil {
		return 0
	}
	coded, ok := err.(interface{ ExitCode() int })
	if !ok {
		ts.Fatalf("%v: %v", args, err)
	}
	return coded.ExitCode()
}

// paste implements `paste CODE PATTERN FILE`: a shell runs the bench command in the first matching line of the file,
// and must exit with that code.
func paste(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: paste CODE PATTERN FILE")
	}
	pattern, err := regexp.Compile(args[1])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile(args[2])) {
		if at := strings.LastIndex(line, "bench "); at >= 0 && pattern.MatchString(line) {
			exits(ts, false, []string{args[0], "sh", "-c", line[at:]})
			return
		}
	}
	ts.Fatalf("no command in a line that matches %s", args[1])
}

// await implements `await FILE BYTES`: it waits until a background command has written that many bytes.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await FILE BYTES")
	}
	least, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	for range 6000 {
		if info, err := os.Stat(ts.MkAbs(args[0])); err == nil && info.Size() >= least {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("%s has not %d bytes after a minute", args[0], least)
}

// attempt implements `attempt CODE COMMAND ARG...`: it repeats the command for up to a minute until it exits with CODE.
func attempt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: attempt CODE COMMAND ARG...")
	}
	for range 300 {
		if strconv.Itoa(exitCode(ts, args[1:])) == args[0] {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	ts.Fatalf("%v did not end with %s for a minute", args[1:], args[0])
}

func unpack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unpack ZIP FOLDER")
	}
	z, err := zip.OpenReader(ts.MkAbs(args[0]))
	ts.Check(err)
	defer z.Close()
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), z))
}

// A run behind bad wires is reported as WIRING in every output and file.
func TestBadWires(t *testing.T) {
	t.Setenv("BENCH_DB", filepath.Join(t.TempDir(), "h.db"))
	t.Setenv("MOCK_WIRES", "1")
	dir := t.TempDir()
	out := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"run", "--fault", "uio3~uio4=and"}, exitWiring, "run 1 of the history\n"},
		{[]string{"run", "--fault", "uio3~uio4=and", "--no-history"}, exitWiring, "uio3 and uio4 are shorted together"},
		{[]string{"run", "--fault", "uio3~uio4=and", "--json", out("events.json"), "--junit", out("junit.xml"),
			"--html", out("page.html"), "--no-history"}, exitWiring,
			"\nWIRING  the wiring is at fault, and the chip was not judged; no chip was tested\n"},
		{[]string{"history"}, exitPass, "  WIRING (no chip)  "},
		{[]string{"history", "--json"}, exitPass, `"end":{"event":"end","verdict":"WIRING","exit":4,`},
		{[]string{"coverage", "1"}, exitNothing, "no vector of the run was applied"},
		{[]string{"report", "1", "--html", out("again.html")}, exitPass, "again.html"},
	} {
		code, said := bench(t, c.args...)
		if code != c.code || !strings.Contains(said, c.says) {
			t.Errorf("%q: exit code %d, %s", c.args, code, said)
		}
	}
	const why = "uio3 and uio4 are shorted together"
	for name, wants := range map[string][]string{
		"events.json": {`"verdict":"WIRING","exit":4,`, `"WIRING":8307`, why},
		"junit.xml":   {`type="WIRING"`, `errors="8307"`, why},
		"page.html":   {`<h1 class="wiring"><b>WIRING</b>`, why},
		"again.html":  {`<h1 class="wiring"><b>WIRING</b>`, why},
	} {
		text, err := os.ReadFile(out(name))
		for _, want := range wants {
			if err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%s: %v, no %q", name, err, want)
			}
		}
	}
}

func devNull(t *testing.T) *os.File {
	f := testkit.Must(os.OpenFile(os.DevNull, os.O_WRONLY, 0))(t)
	t.Cleanup(func() { f.Close() })
	return f
}

// An interrupt ends a run that would take minutes, with one report.
func TestInterruptedInTheMiddle(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	seen := &canceller{cancel: cancel}
	code := run(ctx, []string{"run", "--count", "1000000", "-v", "--no-history"}, seen, devNull(t))
	if code != exitInterrupted || !strings.Contains(seen.tail, "ABORTED  stopped after") {
		t.Errorf("exit code %d, want %d; the report ends with %q", code, exitInterrupted, seen.tail)
	}
	if seen.writes > 200_000 {
		t.Errorf("%d lines were written after an interrupt at the 20,000th", seen.writes)
	}
}

// A canceller interrupts the run at the 20,000th write.
type canceller struct {
	cancel context.CancelFunc
	writes int
	tail   string
}

func (c *canceller) Write(b []byte) (int, error) {
	if c.writes++; c.writes == 20_000 {
		c.cancel()
	}
	c.tail = string(b)
	return len(b), nil
}

// bench runs a command, and returns its exit code and output.
func bench(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	code, said = benchOnce(args...)
	for _, arg := range args {
		if port, is := strings.CutPrefix(arg, "rp2040:"); is && boardFailed(t, port, code, said) {
			return benchOnce(args...)
		}
	}
	return code, said
}

// boardFailed reports whether the simulated board itself caused an ERROR, so that the command must be repeated.
// MicroPython's WebAssembly port reports a SyntaxError in correct code in one of some 1,500 openings, or hangs.
func boardFailed(t *testing.T, port string, code int, said string) bool {
	t.Helper()
	failed := false
	switch {
	case strings.Contains(said, "not asked: ") && strings.Contains(said, "the board is silent"):
		revive(t, port)
		failed = true
	case code != exitBench:
	case strings.Contains(said, "damaged on the way"):
		failed = true
	case strings.Contains(said, "silent"):
		doing := revive(t, port)
		failed = doing != ""
		said += doing
	}
	if failed {
		t.Logf("once more, after %q", said)
	}
	return failed
}

// revive restarts a hanging simulated board, on systems with such boards, and describes the process that hung.
var revive = func(t testing.TB, port string) (doing string) { return "" }

func benchOnce(args ...string) (code int, said string) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	var out bytes.Buffer
	patience := time.Duration(0)
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "rp2040:") }) {
		patience = time.Minute
	}
	code = patiently(ctx, patience, args, &out)
	return code, out.String()
}

// patiently runs a command with a long timeout for the board's responses, since other tests may keep the machine busy.
func patiently(ctx context.Context, patience time.Duration, args []string, out io.Writer) (code int) {
	d := usualDesign(testEnv(args, out, out))
	misbehave(d)
	d.Patience = patience
	return d.run(ctx)
}

// testEnv returns the environment of a test's command, without input.
func testEnv(args []string, out, errOut io.Writer) *files.Env {
	return &files.Env{Args: args, Stdin: strings.NewReader(""), Stdout: out, Stderr: errOut, Getenv: os.Getenv}
}

// run runs a command in this process, and returns its exit code.
func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	return usualDesign(testEnv(args, out, errOut)).run(ctx)
}
