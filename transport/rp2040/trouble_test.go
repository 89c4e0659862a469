package rp2040

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/tile/utf"
)

// troubled is a port with link faults in one or both directions; a cut affects both.
type troubled struct {
	io.ReadWriteCloser
	toBoard, toBench *testkit.LinkFault // nil for none

	rest []byte // received but not yet returned
}

func (p *troubled) Write(b []byte) (int, error) {
	if p.toBoard == nil {
		return p.ReadWriteCloser.Write(b)
	}
	out, err := p.toBoard.Apply(b)
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
		if p.rest, err = p.toBench.Apply(b[:n]); err != nil {
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

func troubledJobs(t testing.TB) []driver.Job { return testkit.Jobs[driver.Job](t, "guide.vec")[:40] }

// judged opens a board at a port, runs the jobs and closes it. It counts verdicts; whole is nil if the run completed.
func judged(t *testing.T, port io.ReadWriteCloser, jobs []driver.Job) (verdicts map[driver.Verdict]int, whole error) {
	t.Helper()
	verdicts = map[driver.Verdict]int{}
	tr, err := startOn(t.Context(), port, "fake", Config{Pins: tt06})
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

// Whatever happens to the bytes on the cable, a good chip never gets a FAIL and a faulty one never a PASS.
func TestTroubles(t *testing.T) {
	jobs := troubledJobs(t)
	var ways [2]int64
	synctest.Test(t, func(t *testing.T) {
		count := &tap{ReadWriteCloser: (&fake{}).start(t)}
		if verdicts, err := judged(t, count, jobs); err != nil || verdicts[driver.Pass] != len(jobs) {
			t.Fatal(verdicts, err)
		}
		ways = [2]int64{count.sent.Load(), count.read.Load()}
	})
	var mu sync.Mutex
	ends := map[string]int{}
	t.Cleanup(func() {
		for _, end := range slices.Sorted(maps.Keys(ends)) {
			t.Logf("%6d %s", ends[end], end)
		}
	})
	for n := range testkit.Pick(30, 1200) {
		inBubble(t, fmt.Sprint(n), func(t *testing.T) {
			end := trouble(t, uint64(n), ways, jobs)
			mu.Lock()
			defer mu.Unlock()
			ends[end]++
		})
	}
}

// trouble runs the jobs on a good or faulty chip over a cable with one fault, and returns how the run ended.
func trouble(t *testing.T, seed uint64, ways [2]int64, jobs []driver.Job) (end string) {
	random := rand.New(rand.NewPCG(seed, 33))
	f := &fake{}
	chip, never, always := "a good chip", driver.Fail, driver.Pass
	if random.IntN(2) == 0 {
		f.inverts, chip, never, always = 0x08, "a wrong chip", driver.Pass, driver.Fail
	}
	port := &troubled{ReadWriteCloser: f.start(t)}
	way := random.IntN(2)
	met := testkit.NewLinkFault(random, ways[way], 2*DefaultPatience)
	if way == 0 {
		port.toBoard = met
	} else {
		port.toBench = met
	}
	verdicts, err := judged(t, port, jobs)
	if verdicts[never] > 0 || err == nil && verdicts[always] != len(jobs) {
		t.Errorf("seed %d, %s, way %d, %s: %v, %v", seed, chip, way, met, verdicts, err)
	}
	time.Sleep(met.Wait) // a delay may not have ended
	if !met.Occurred() {
		t.Errorf("seed %d: the trouble was never met", seed)
	}
	end = "as without it"
	if err != nil {
		end = "ERROR"
	}
	return fmt.Sprintf("%s, %s: %s", chip, met.Kind, end)
}
