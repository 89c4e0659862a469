package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/runs/report"
)

// A victim is a command to kill, with its outputs.
type victim struct {
	name  string
	args  []string
	marks string // marks each of its processes
	ends  string // the last line of an undisturbed run, up to the duration

	pi   *pi // Raspberry Pi that it tests; or nil
	dir  string
	cmd  *exec.Cmd
	said bytes.Buffer
}

// victims lists the commands to kill. They write into their own folders.
var victims = []victim{
	{name: "run", args: []string{"run", "--count", "4", "--json", "events", "--html", "html", "--record", "rec"}},
	{name: "run on a Raspberry Pi", args: []string{"run", "-t", "gpio", "--suite", "guide", "--json", "events",
		"--record", "rec"}},
	{name: "sweep", args: []string{"sweep", "--space", "ops", "--depth", "3", "--resume", "state", "--json", "sweep"}},
	{name: "several", args: []string{"run", "-t", "mock", "-t", "mock:tt08"}},
	{name: "loop", args: []string{"loop", "guide/o30x/300-200/utf8-le-nochk"}},
}

func (v *victim) start(t *testing.T) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	v.dir, v.marks = t.TempDir(), fmt.Sprintf("KILLS_MARK=%s-%d", t.Name(), rand.Uint64())
	v.cmd = &exec.Cmd{Path: self, Args: append([]string{"bench"}, v.args...), Dir: v.dir, Stdout: &v.said,
		Stderr: &v.said, Env: append(os.Environ(), v.marks, "BENCH_DB="+filepath.Join(v.dir, "history.db"))}
	if slices.Contains(v.args, "gpio") {
		file := filepath.Join(t.TempDir(), "pi")
		if err = os.WriteFile(file, make([]byte, 4096), 0o600); err == nil {
			v.pi, err = openPi(file)
		}
		v.cmd.Env = append(v.cmd.Env, "FAKE_PI="+file)
	}
	if err == nil {
		err = v.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// untilEnd times an undisturbed victim, and returns its last line without the duration. A loop never ends.
func untilEnd(t *testing.T, v victim) (took time.Duration, ends string) {
	t.Helper()
	if v.name == "loop" {
		return 500 * time.Millisecond, "no end"
	}
	began := time.Now()
	v.start(t)
	_ = v.cmd.Wait() // an exit code of 1 is allowed: tt08 differs
	took = time.Since(began)
	ends, _, _ = strings.Cut(string(lastLine.Find(v.said.Bytes())), " in ")
	v.ends = ends
	if problems := v.left(true); len(problems) > 0 {
		t.Fatalf("%s that nobody killed: %s\n%s", v.name, problems, &v.said)
	}
	return took, ends
}

// artifacts maps each output of a victim to a function that checks an existing output and returns its verdict.
var artifacts = map[string]func(path string) (verdict string, err error){
	"events": eventsOf, "html": htmlOf, "rec": recordedBy, "sweep": sweepOf,
}

// lastLine matches the line with the verdict.
var lastLine = regexp.MustCompile(`(?m)^(PASS|FAIL)  [^ ].*$`)

// left returns the problems of a victim's outputs. whole means that it ended normally.
func (v *victim) left(whole bool) (problems []string) {
	killed := v.cmd.ProcessState.ExitCode() < 0
	whole = whole || strings.Contains(v.said.String(), v.ends) || v.judgedAll() // it was killed while it exited
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	entries, err := os.ReadDir(v.dir)
	if err != nil {
		add("%v", err)
	}
	for _, e := range entries {
		name, path := e.Name(), filepath.Join(v.dir, e.Name())
		stem, isPart := strings.CutSuffix(name, ".part")
		check := artifacts[name]
		switch {
		case strings.HasPrefix(name, "history.db"), name == "state" && !whole: // the next sweep resumes from it
		case isPart && killed && artifacts[strings.TrimPrefix(strings.TrimSuffix(stem, filepath.Ext(stem)),
			".")] != nil: // hidden files are removed after a day
		case check == nil && (!isPart || name != "events.part" && name != "rec.part"):
			add("%s is left", name)
		case check == nil: // a stopped command leaves the state that a later one resumes
		default:
			verdict, err := check(path)
			if err != nil {
				add("%s is not whole: %v", name, err)
			}
			if verdict == "PASS" && !whole {
				add("%s says PASS", name)
			}
		}
	}
	if !whole && bytes.HasPrefix(lastLine.Find(v.said.Bytes()), []byte("PASS")) {
		add("it says PASS")
	}
	if drive, levels := v.driven(); drive != 0 || levels&ownLines != 0 {
		add("it leaves %07x driven, and the latches at %07x", drive, levels)
	}
	if alive := v.alive(); alive != "" {
		add("processes are left: %s", alive)
	}
	return append(problems, v.history()...)
}

// judgedAll reports whether the victim's recording has the verdicts of all its executions.
func (v *victim) judgedAll() bool {
	rec, err := report.Open(filepath.Join(v.dir, "rec"))
	if err != nil {
		return false
	}
	defer rec.Close()
	return rec.End != nil && rec.End.Counts["PASS"]+rec.End.Counts["SKIPPED"] == rec.Start.Vectors*rec.Start.Count
}

func (v *victim) driven() (drive, levels uint32) {
	if v.pi == nil {
		return 0, 0
	}
	return v.pi.driven()
}

// alive returns the processes with the victim's mark that do not exit within a few seconds.
func (v *victim) alive() (alive string) {
	for range 50 {
		alive = ""
		all, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, path := range all {
			if env, err := os.ReadFile(path); err == nil && bytes.Contains(env, []byte(v.marks)) {
				alive += " " + strings.Split(path, "/")[2]
			}
		}
		if alive == "" {
			return ""
		}
		time.Sleep(100 * time.Millisecond)
	}
	return alive
}

// history reports as problems an unreadable history, and a PASS in it of a run that did not end.
func (v *victim) history() (problems []string) {
	if _, err := os.Stat(filepath.Join(v.dir, "history.db")); err != nil {
		return nil // no history exists yet
	}
	cmd := exec.Command(v.cmd.Path, "history", "--json")
	cmd.Args[0], cmd.Env = "bench", v.cmd.Env
	out, err := cmd.Output()
	if err != nil {
		return []string{fmt.Sprintf("the history cannot be read: %v, %s", err, out)}
	}
	for line := range bytes.Lines(out) {
		var r struct {
			Start struct{ Vectors, Count int }
			End   *struct {
				Verdict string
				Counts  map[string]int
			}
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return []string{fmt.Sprintf("a line of the history cannot be read: %v", err)}
		}
		if r.End != nil && r.End.Verdict == "PASS" && r.End.Counts["PASS"]+r.End.Counts["SKIPPED"] !=
			r.Start.Vectors*r.Start.Count {
			problems = append(problems, fmt.Sprintf("the history says PASS: %s", line))
		}
	}
	return problems
}

func eventsOf(path string) (verdict string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	var end struct{ Event, Verdict string }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &end); err != nil || end.Event != "end" {
		return "", fmt.Errorf("its last event is no end (%v)", err)
	}
	return end.Verdict, nil
}

func htmlOf(path string) (verdict string, err error) {
	text, err := os.ReadFile(path)
	if err == nil && !bytes.Contains(text, []byte("</html>")) {
		err = errors.New("it has no end")
	}
	if bytes.Contains(text, []byte("ABORTED")) {
		return "ABORTED", err
	}
	return "PASS", err
}

func recordedBy(path string) (verdict string, err error) {
	rec, err := report.Open(path)
	if err != nil {
		return "", err
	}
	defer rec.Close()
	if rec.CutReason != "" || rec.End == nil {
		return "", fmt.Errorf("it has no end: %s", rec.CutReason)
	}
	return rec.End.Verdict, nil
}

func sweepOf(path string) (verdict string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	var d struct {
		Verdict string
		Root    *string
	}
	if err = json.Unmarshal(text, &d); err == nil && d.Root == nil {
		return "unfinished", nil
	}
	return d.Verdict, err
}

// A command that is killed or stopped at any moment leaves no incomplete file, no PASS of an incomplete run, no process
// and no driven line. The history remains readable.
func TestKills(t *testing.T) {
	took := make([]time.Duration, len(victims))
	for i := range victims {
		took[i], victims[i].ends = untilEnd(t, victims[i])
	}
	signals := []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT}
	ends := map[string]int{}
	for n := range testkit.Pick(5, 300) {
		random := rand.New(rand.NewPCG(uint64(n), 37))
		v, signal := victims[n%len(victims)], signals[(n+n/len(victims))%len(signals)]
		v.start(t)
		after := time.Duration(random.Int64N(int64(took[n%len(victims)])))
		time.Sleep(after)
		_ = v.cmd.Process.Signal(signal) // unless it has ended
		_ = v.cmd.Wait()
		code := v.cmd.ProcessState.ExitCode()
		whole := code == exitPass || v.name == "several" && code == exitFail || v.name == "loop" && code == exitWeak
		if code < 0 && signal != syscall.SIGKILL && v.said.Len() > 0 || code >= 0 && !whole && code != exitInterrupted {
			t.Errorf("%s, %s after %s: exit code %d\n%s", v.name, signal, after, code, &v.said)
		}
		if problems := v.left(whole); len(problems) > 0 {
			t.Errorf("%s, %s after %s: exit code %d, %s\n%s", v.name, signal, after, code,
				strings.Join(problems, "; "), &v.said)
		}
		ends[fmt.Sprintf("%s, %s: exit code %d", v.name, signal, code)]++
	}
	t.Log(ends)
}
