package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"utfbench/internal/files"
	"utfbench/internal/testkit"
)

// weighed runs the command. If BENCH_PEAK=FILE is set, it writes the peak memory of the process, in KiB, to that file,
// since the parent's figure would include the parent's own memory.
func weighed(command func()) {
	peak := os.Getenv("BENCH_PEAK")
	if peak == "" {
		command()
		return // as in the main function of a guard
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := usualDesign(files.ProcessEnv()).run(ctx)
	stop()
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		err = os.WriteFile(peak, regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status)[1], 0o600)
	}
	if err != nil {
		panic(err)
	}
	os.Exit(code)
}

// mostMemory is the limit that docs/reliability.md promises for any input.
const mostMemory = 512 << 20

// weigh runs a command as a separate process in a folder. It returns the exit code, the output and the peak memory.
func weigh(t *testing.T, dir string, in io.Reader, args ...string) (code int, said string, peak int64) {
	t.Helper()
	self := testkit.Must(os.Executable())(t)
	file := filepath.Join(t.TempDir(), "peak")
	var out bytes.Buffer
	cmd := exec.Command(self, args...)
	cmd.Args[0], cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = "bench", dir, in, &out, &out
	cmd.Env = append(os.Environ(), "GOGC=100", "GOMEMLIMIT=off", // as for users
		"BENCH_PEAK="+file, "BENCH_DB="+filepath.Join(dir, "history.db"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	_ = cmd.Run() // the exit code suffices
	kib, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%q died: %v, %s", args, cmd.ProcessState, &out)
	}
	peak = testkit.Must(strconv.ParseInt(string(kib), 10, 64))(t)
	return cmd.ProcessState.ExitCode(), out.String(), peak << 10
}

// No command exceeds the promised memory or panics, whatever a file contains. Only a release tests all commands.
func TestMemoryOfHostileInput(t *testing.T) {
	dir := t.TempDir()
	var sampled []string
	for i, c := range commandsOnHostileInput() {
		if i%testkit.Pick(41, 1) == 0 { // five commands read each recording; this selects different ones
			sampled = append(sampled, c)
		}
	}
	makeHostile(t, dir, sampled)
	for _, c := range sampled {
		t.Run(c, func(t *testing.T) {
			code, said, peak := weigh(t, dir, io.LimitReader(zeros{}, 50<<20), strings.Fields(c)...)
			if len(said) > 300 {
				said = said[:150] + " ... " + said[len(said)-150:]
			}
			t.Logf("%d MiB, exit code %d: %s", peak>>20, code, said)
			if peak > mostMemory {
				t.Errorf("it took %d MiB, and %d are promised", peak>>20, mostMemory>>20)
			}
			if strings.Contains(said, "panic") || strings.Contains(said, "goroutine ") {
				t.Error("it panicked")
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func commandsOnHostileInput() (all []string) {
	for _, file := range []string{"brackets.yaml", "deep.yaml", "closing.yaml", "maps.yaml", "anchors.yaml"} {
		all = append(all, "board check "+file)
	}
	for _, file := range []string{"rows.vec", "reads.vec", "rewinds.vec", "long.vec", "many.vec", "big"} {
		all = append(all, "run --no-history --file "+file, "vectors . --file "+file)
	}
	all = append(all, "run --fault uo3=stuck1 --count 2 --file many.vec --json j.json --junit j.xml --html "+
		"j.html --record j.rec", "diff j.rec j.rec", "report j.rec --html j2.html")
	for _, file := range []string{"claims.rec", "bombs.rec", "bomb.rec", "names.rec", "end.rec", "text.rec",
		"tiny.rec", "escaped.rec", "steps.rec", "big"} {
		all = append(all, "run -t replay:"+file, "report --html r.html "+file, "diff bombs.rec "+file,
			"minimise --timeout 1s "+file, "bundle --out b.zip "+file)
	}
	all = append(all, "diagnose bombs.rec", "diagnose names.rec", "diff names.rec names.rec",
		"diff escaped.rec escaped.rec", "diff steps.rec steps.rec", "diff text.rec text.rec", "diagnose steps.rec",
		"export --verilog e.v --file many.vec")
	for _, file := range []string{"a.sweep", "b.sweep", "big"} {
		all = append(all, "diff "+file+" "+file, "sweep --space ops --depth 1 --resume "+file)
	}
	return append(all, "step",
		"sweep --space ops --depth 1 -j 100000000", "sweep --space ops --depth 3 -j 256", "run --no-history --count "+
			"30 --junit many.xml --fault uo3=stuck1",
		"run --suite man7 --fault uo3=flip:0.01 --count 10 --html f.html --json f.json",
		"shmoo -x pulse=1ns..1us/100 -y settle=0..1us/100 --count 1 --run ^chip/bmp/0000007E/utf8-be")
}
