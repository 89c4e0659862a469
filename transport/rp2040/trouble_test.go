package rp2040

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/tile/utf"
)

// A troubled port interferes with one or both directions; a cut affects both.
type troubled struct {
	io.ReadWriteCloser
	toBoard, toBench *testkit.Trouble // nil for none

	rest []byte // received but not yet returned
}

func (p *troubled) Write(b []byte) (int, error) {
	if p.toBoard == nil {
		return p.ReadWriteCloser.Write(b)
	}
	out, err := p.toBoard.Pass(b)
	if len(out) > 0 {
		if _, werr := p.ReadWriteCloser.Write(out); werr != nil {
			return 0, werr
		}
	}
	if err != nil {
		p.Close()
		return 0, err
	}
	return len(b), nil
}

func (p *troubled) Read(b []byte) (n int, err error) {
	for p.toBench != nil && len(p.rest) == 0 {
		if n, err = p.ReadWriteCloser.Read(b); err != nil {
			return 0, err
		}
		if p.rest, err = p.toBench.Pass(b[:n]); err != nil {
			p.Close()
			return 0, err
		}
	}
	if p.toBench == nil {
		return p.ReadWriteCloser.Read(b)
	}
	n = copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// troubledJobs returns the jobs of each run.
func troubledJobs(t testing.TB) []driver.Job { return testkit.Jobs[driver.Job](t, "guide.vec")[:40] }

// quick is a patience that suffices on an idle machine.
const quick = 200 * time.Millisecond

// judged opens a board at a port, runs the jobs and closes the board. It returns the vectors' verdicts; whole is nil if
// the run completed.
func judged(t *testing.T, port io.ReadWriteCloser, jobs []driver.Job, patience time.Duration) (
	verdicts map[driver.Verdict]int, whole error) {
	t.Helper()
	verdicts = map[driver.Verdict]int{}
	c := &Console{name: "fake", link: newLink(port)}
	defer c.Close()
	c.link.patient = 0.02 * float64(patience/quick)
	if err := c.link.enterRaw(t.Context()); err != nil {
		return verdicts, err
	}
	tr, err := c.Start(t.Context(), Config{Pins: tt06, Patience: patience}, "")
	if err != nil {
		return verdicts, err
	}
	r := driver.Runner{Transport: tr, Tile: utf.TT09, Report: func(r *driver.Result) { verdicts[r.Verdict]++ }}
	_, err = r.Run(t.Context(), jobs)
	if cerr := tr.Close(); err == nil {
		err = cerr
	}
	return verdicts, err
}

// Whatever happens to bytes on the cable, a good chip is never FAIL and a faulty one never PASS.
func TestTroubles(t *testing.T) {
	jobs := troubledJobs(t)
	count := &tap{ReadWriteCloser: (&fake{}).start(t)}
	if verdicts, err := judged(t, count, jobs, 50*quick); err != nil || verdicts[driver.Pass] != len(jobs) {
		t.Fatal(verdicts, err)
	}
	ways := [2]int64{count.sent.Load(), count.read.Load()}
	var mu sync.Mutex
	ends := map[string]int{}
	var running sync.WaitGroup
	slots := make(chan struct{}, 32) // the runs mostly wait
	for n := range testkit.Pick(30, 1200) {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			end, met := trouble(t, uint64(n), ways, jobs, quick)
			for patience := 4 * quick; !met && patience < time.Minute; patience *= 4 { // the machine was busy
				end, met = trouble(t, uint64(n), ways, jobs, patience)
			}
			if !met {
				t.Errorf("seed %d: the trouble was never met", n)
			}
			mu.Lock()
			defer mu.Unlock()
			ends[end]++
		})
	}
	running.Wait()
	for _, end := range slices.Sorted(maps.Keys(ends)) {
		t.Logf("%6d %s", ends[end], end)
	}
}

// trouble runs the jobs on a good or faulty chip over a cable with one trouble. It returns how the run ended and
// whether the trouble occurred.
func trouble(t *testing.T, seed uint64, ways [2]int64, jobs []driver.Job, patience time.Duration) (end string,
	hit bool) {
	random := rand.New(rand.NewPCG(seed, 33))
	f := &fake{}
	chip, never, always := "a good chip", driver.Fail, driver.Pass
	if random.IntN(2) == 0 {
		f.inverts, chip, never, always = 0x08, "a wrong chip", driver.Pass, driver.Fail
	}
	port := &troubled{ReadWriteCloser: f.start(t)}
	way := random.IntN(2)
	met := testkit.NewTrouble(random, ways[way], 2*patience)
	if way == 0 {
		port.toBoard = met
	} else {
		port.toBench = met
	}
	verdicts, err := judged(t, port, jobs, patience)
	if verdicts[never] > 0 || err == nil && verdicts[always] != len(jobs) {
		t.Errorf("seed %d, %s, way %d, %s: %v, %v", seed, chip, way, met, verdicts, err)
	}
	end = "as without it"
	if err != nil {
		end = "ERROR"
	}
	return fmt.Sprintf("%s, %s: %s", chip, met.What, end), met.Hit()
}
