package fleet

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/lab/server"
	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/transport/lab"
)

// enter enters a failed run into a history, with a recording of slightly more than size bytes.
func enter(t testing.TB, db, due string, seed uint64, size int) {
	t.Helper()
	w := history.NewWriter(db, &golden.Suite{File: "s.vec", Text: strings.Repeat("x", size+1)})
	w.Due = due
	tally := &driver.Tally{}
	tally.Verdicts[driver.Error] = 2
	_ = w.Start(report.Run{Version: "v1", Transport: fmt.Sprintf("lab:pi/b%d", seed/2), Seed: seed,
		Started:  time.Unix(1e9, 0),
		Identity: report.Identity{Chip: report.Chip{Kind: "mock", Board: "mock", Device: fmt.Sprint(seed % 2)}}})
	for _, name := range []string{"s/a", "s/b"} {
		_ = w.Result(&driver.Result{Vector: &golden.Vector{Name: name}, Iteration: 1, Verdict: driver.Error,
			Reason: strings.Repeat("é", 600)})
	}
	_ = w.End(report.Outcome{Tally: tally})
	if w.Note() != "" {
		t.Fatal(w.Note())
	}
}

// A place is a lab, a machine in it, and the machine's own history.
type place struct {
	cfg server.Config
	s   *server.Server
	inv *lab.Invitation
	db  string
	own *history.History
}

func begin(t testing.TB) *place {
	t.Helper()
	dir := t.TempDir()
	p := &place{cfg: server.Config{Data: filepath.Join(dir, "lab"), Listen: "127.0.0.1:0", Bench: "v1"},
		db: filepath.Join(dir, "own.db")}
	p.serve(t)
	h := testkit.Must(history.Open(p.db))(t)
	p.own = h
	return p
}

func (p *place) serve(t testing.TB) {
	t.Helper()
	s, err := server.Start(context.Background(), p.cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	p.s, p.cfg.Listen = s, s.Listens()
	if p.inv, err = lab.ReadInvitation(server.InviteFile(p.cfg.Data)); err != nil {
		t.Fatal(err)
	}
}

func (p *place) lab(t testing.TB) *History {
	t.Helper()
	conn := testkit.Must(lab.Dial(context.Background(), p.inv))(t)
	t.Cleanup(conn.Close)
	return &History{conn, context.Background(), "v1"}
}

func list(t testing.TB, from history.Source, f history.Filter) (numbers []int) {
	t.Helper()
	for r, err := range from.Runs(f) {
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, r.Number)
	}
	return numbers
}

// A run that was handed in equals the local one except for its number and its key.
func TestHandInAndRead(t *testing.T) {
	p := begin(t)
	for n := range 3 {
		enter(t, p.db, "", uint64(n), 300<<10)
	}
	l := p.lab(t)
	for i, own := range []int{3, 1, 2} {
		if g := l.HandIn(p.own, own); g.Err != nil || g.Lab != i+1 || g.Had {
			t.Fatal(g)
		}
		if g := l.HandIn(p.own, own); g.Err != nil || g.Lab != i+1 || !g.Had ||
			g.String() != fmt.Sprintf("run %d: the lab already has it, as lab:%d", own, i+1) {
			t.Error(g)
		}
	}
	for want, f := range map[string]history.Filter{"[3 2 1]": {}, "[3 2]": {Last: 2}, "[2 1]": {Before: 3},
		"[2]": {Number: 2}, "[3]": {Device: "1"}, "[]": {Board: "rpi"}, "[1]": {Transport: "lab:pi/b1"}} {
		if got := fmt.Sprint(list(t, l, f)); got != want {
			t.Errorf("%+v: %s; want %s", f, got, want)
		}
	}
	was, err := p.own.Get(3)
	if err != nil {
		t.Fatal(err)
	}
	was.Number, was.By = 1, server.First
	for is, err := range l.Runs(history.Filter{Number: 1}) {
		if d := cmp.Diff(was, is); err != nil || d != "" {
			t.Error(err, d)
		}
	}
	vectors, err := l.Vectors(1)
	if err != nil || len(vectors) != 2 || vectors[1].Name != "s/b" || vectors[1].Verdict != "ERROR" ||
		!strings.HasSuffix(vectors[1].Mismatch, "é…") {
		t.Errorf("%+v, %v", vectors, err)
	}
}

// A recording is fetched once, and the cache respects its limit.
func TestFetch(t *testing.T) {
	p := begin(t)
	l := p.lab(t)
	for n := range 3 {
		enter(t, p.db, "", uint64(n), 200<<10)
		if g := l.HandIn(p.own, n+1); g.Err != nil {
			t.Fatal(g)
		}
	}
	cache := &Cache{filepath.Join(t.TempDir(), "cache"), 500 << 10}
	var paths []string
	for _, n := range []int{1, 2, 1, 0} { // 1 is used again before the last is fetched
		path, err := l.Fetch(n, cache)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		own, oerr := os.ReadFile(p.own.Recording(max(n, 3*(1-min(n, 1)))))
		if err != nil || oerr != nil || string(text) != string(own) {
			t.Errorf("run %d: %v, %v, or another recording", n, err, oerr)
		}
		if n > 0 {
			old := time.Now().Add(time.Duration(len(paths)-10) * time.Minute)
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
		paths = append(paths, path)
	}
	left, err := os.ReadDir(cache.Folder)
	if _, gone := os.Stat(paths[1]); err != nil || len(left) != 2 || !os.IsNotExist(gone) || paths[0] != paths[2] {
		t.Errorf("%v are left, %v, %v", left, err, gone)
	}
	if _, err := l.Fetch(9, cache); err == nil || !strings.Contains(err.Error(), "has no run 9") {
		t.Error(err)
	}
}

// Runs made while the lab was unreachable are handed in later, but not those of another lab.
func TestOfflineThenLater(t *testing.T) {
	p := begin(t)
	l := p.lab(t)
	p.s.Close()
	for n := range 3 {
		enter(t, p.db, p.inv.Lab, uint64(n), 10)
	}
	enter(t, p.db, "tls://elsewhere:7060", 9, 10)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	l.ctx = ctx
	var told []string
	tell := func(g *Given) { told = append(told, g.String()) }
	if err := l.HandInDue(p.own, tell); err != nil || len(told) != 1 ||
		!strings.HasPrefix(told[0], "run 1 was not handed in: ") {
		t.Error(err, told)
	}
	p.serve(t)
	if err := os.Remove(p.own.Recording(2)); err != nil {
		t.Fatal(err)
	}
	told = nil
	if err := p.lab(t).HandInDue(p.own, tell); err != nil || len(told) != 3 ||
		told[0] != "run 1: handed in, the lab has it as lab:1" ||
		!strings.HasPrefix(told[1], "run 2 was not handed in: its recording is gone: ") ||
		told[2] != "run 3: handed in, the lab has it as lab:2" {
		t.Error(err, told)
	}
	if due, err := p.own.Due(); err != nil || len(due) != 1 || due[0].Run != 4 {
		t.Error(due, err)
	}
}

// Many benches with one key hand in their own runs at the same time: while others of the key have their turn, the lab
// lets a bench wait.
func TestManyBenchesOfOneKey(t *testing.T) {
	p := begin(t)
	const benches = 24
	for n := range benches {
		enter(t, p.db, p.inv.Lab, uint64(n), 400<<10)
	}
	var all sync.WaitGroup
	for n := range benches {
		l := p.lab(t)
		all.Go(func() {
			told := 0
			err := l.HandInDue(p.own, func(g *Given) {
				if told++; g.Run == n+1 && g.Err != nil {
					t.Error(g)
				}
			}, n+1)
			if err != nil || told == 0 {
				t.Error(told, err)
			}
		})
	}
	all.Wait()
	if due, err := p.own.Due(); err != nil || len(due) != 0 {
		t.Error(due, err)
	}
}

// A run that has just ended is left to its process, unless the caller has no runs of its own.
func TestFreshRunsAreLeft(t *testing.T) {
	p := begin(t)
	enter(t, p.db, p.inv.Lab, 1, 10)
	w := history.NewWriter(p.db)
	w.Due = p.inv.Lab
	of := report.Run{Started: time.Now(), Seed: 2}
	if err := errors.Join(w.Start(of), w.End(report.Outcome{Tally: &driver.Tally{}})); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mine []int
		want string
	}{{[]int{0}, "[1]"}, {nil, "[2]"}} {
		var told []int
		if err := p.lab(t).HandInDue(p.own, func(g *Given) { told = append(told, g.Run) }, c.mine...); err != nil ||
			fmt.Sprint(told) != c.want {
			t.Error(told, err)
		}
	}
}

// A run that cannot be handed in reports the reason and is no longer due.
func TestNothingToHandIn(t *testing.T) {
	p := begin(t)
	l := p.lab(t)
	_ = history.NewWriter(p.db).Start(report.Run{Started: time.Unix(1e9, 0)})
	for run, words := range map[int]string{1: "it is unfinished", 2: "the history has no such run"} {
		if g := l.HandIn(p.own, run); g.Err == nil || !strings.Contains(g.String(), words) || !g.Never() {
			t.Error(g)
		}
	}
}

// A bench that is killed while handing in loses nothing: the next one hands in the rest, and no run is duplicated.
func TestKilledClient(t *testing.T) {
	p := begin(t)
	const runs = 12
	for n := range runs {
		enter(t, p.db, p.inv.Lab, uint64(n), 400<<10)
	}
	for lines := range 5 {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "PAST_TEST_HANDS_IN="+p.db, "PAST_TEST_INVITE="+server.InviteFile(p.cfg.Data))
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		for in := bufio.NewScanner(out); lines > 0 && in.Scan(); lines-- {
			t.Log(in.Text())
		}
		time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	if err := p.lab(t).HandInDue(p.own, func(g *Given) {
		if g.Err != nil {
			t.Error(g)
		}
	}); err != nil {
		t.Error(err)
	}
	seeds := map[uint64]bool{}
	h := p.s.History()
	for r, err := range h.Runs(history.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		seeds[r.Start.Seed] = true
	}
	if n, err := h.Count(); n != runs || err != nil || len(seeds) != runs {
		t.Errorf("%d runs, %d of them others, %v", n, len(seeds), err)
	}
	if due, err := p.own.Due(); len(due) > 0 || err != nil {
		t.Error(due, err)
	}
}

// TestMain acts as the bench of TestKilledClient if the environment says so.
func TestMain(m *testing.M) {
	if db := os.Getenv("PAST_TEST_HANDS_IN"); db != "" {
		if err := handAllIn(db, os.Getenv("PAST_TEST_INVITE")); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func handAllIn(db, invite string) error {
	inv, err := lab.ReadInvitation(invite)
	if err != nil {
		return err
	}
	conn, err := lab.Dial(context.Background(), inv)
	if err != nil {
		return err
	}
	h, err := history.OpenOld(db)
	if err != nil {
		return err
	}
	return (&History{conn, context.Background(), "v1"}).HandInDue(h, func(g *Given) { fmt.Println(g) })
}

// BenchmarkHandIn hands in runs with recordings of 1 MB.
func BenchmarkHandIn(b *testing.B) {
	p := begin(b)
	l := p.lab(b)
	n := 0
	for b.Loop() {
		b.StopTimer()
		n++
		enter(b, p.db, "", uint64(n), 1_000_000)
		b.StartTimer()
		if g := l.HandIn(p.own, n); g.Err != nil {
			b.Fatal(g)
		}
	}
}

// BenchmarkList lists 1,000 runs.
func BenchmarkList(b *testing.B) {
	p := begin(b)
	l := p.lab(b)
	for n := range 1000 {
		enter(b, p.db, "", uint64(n), 10)
		if g := l.HandIn(p.own, n+1); g.Err != nil {
			b.Fatal(g)
		}
	}
	for b.Loop() {
		if got := list(b, l, history.Filter{}); len(got) != 1000 || strconv.Itoa(got[999]) != "1" {
			b.Fatal(len(got))
		}
	}
}
