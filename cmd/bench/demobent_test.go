//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/transport/rp2040/boardtest"
)

// passed returns how many bytes a run of one vector sends to the board and receives from it.
func passed(t *testing.T) [2]int64 {
	t.Helper()
	p := boardtest.Start(t, demo(t, "tt-demo-tt06")).StartProxy(t)
	if code, said := bench(t, oneVector(p.TTY)...); code != exitPass {
		t.Fatalf("exit code %d, and it says\n%s", code, said)
	}
	return [2]int64{p.ToBoard.Bytes(), p.ToBench.Bytes()}
}

func oneVector(tty string) []string {
	return []string{"run", "-t", "rp2040:" + tty, "--run", "in32-00000041", "--no-history",
		"--accept-weak", "uo0-uo7,uio0-uio7"}
}

// A single bit that flips on the cable, in either direction at any time, never changes a verdict: a good chip is PASS
// or ERROR, and a bad one FAIL or ERROR. BENCH_FLIPS=N flips N bits. The log shows the results.
func TestFlippedBits(t *testing.T) {
	testkit.SkipUnlessFull(t)
	t.Parallel()
	count := testkit.Pick(8, 200)
	if n := os.Getenv("BENCH_FLIPS"); n != "" {
		if _, err := fmt.Sscan(n, &count); err != nil {
			t.Fatal(err)
		}
	}
	all := passed(t)
	ends := make(chan string, count)
	boards := min(count, testkit.Pick(2, 16)) // they mostly wait, as long as a user's command would
	var running sync.WaitGroup
	for i := range boards {
		config, right := demo(t, "tt-demo-tt06"), exitPass
		if i%2 == 1 {
			config.HeldOutputs, right = 0x40, exitFail // the design drives uo6 low
		}
		p := boardtest.Start(t, config).StartProxy(t)
		random := rand.New(rand.NewPCG(uint64(i), 13))
		running.Go(func() {
			for n := i; n < count; n += boards {
				at := (int64(n) + random.Int64N(2)) * (all[0] + all[1]) / int64(count)
				ends <- flip(t, p, right, all[0], at, random.IntN(8))
			}
			var said bytes.Buffer
			if code := patiently(context.Background(), 10*time.Second, oneVector(p.TTY), &said); code != right {
				t.Errorf("after all flips: exit code %d, and it says\n%s", code, &said)
			}
		})
	}
	running.Wait()
	close(ends)
	tally := map[string]int{}
	for end := range ends {
		tally[end]++
	}
	for _, end := range slices.Sorted(maps.Keys(tally)) {
		t.Logf("%6d %s", tally[end], end)
	}
}

// flip runs one vector with one bit flipped, and returns how the run ended. at counts the toBoard bytes to the board
// first, then the bytes from it. right is the exit code without the flip. Towards the board, an even bit flips the
// lowest bit of the next digit instead, so that the program still compiles.
func flip(t *testing.T, p *boardtest.Proxy, right int, toBoard, at int64, bit int) string {
	t.Helper()
	way, name, subtle := &p.ToBoard, "to the board", bit%2 == 0
	if at >= toBoard {
		way, name, at, subtle = &p.ToBench, "to the bench", at-toBoard, false
	}
	var done atomic.Bool
	way.Watch(func(n int64, b *byte) {
		switch {
		case n < at || done.Load() || subtle && (*b < '0' || *b > '9'):
			return
		case subtle:
			bit = 0
		}
		*b ^= 1 << bit
		done.Store(true)
	})
	defer way.Watch(nil)
	var said bytes.Buffer
	code := run(context.Background(), oneVector(p.TTY), &said, &said)
	if code != right && code != exitBench {
		t.Errorf("byte %d %s, bit %d, subtle %v: exit code %d, and it says\n%s", at, name, bit, subtle, code, &said)
	}
	if !done.Load() {
		name = "nowhere"
	}
	return fmt.Sprintf("exit code %d, flipped %s: %s", code, name, lastWords.FindStringSubmatch(said.String())[1])
}

// lastWords matches the first words of the last line, after the names of the bench and the port.
var lastWords = regexp.MustCompile(`(?:^|\n)(?:bench: )?(?:rp2040:[^ ]*: )?((?:[A-Za-z_']+\b ?)*)[^\n]*\n?$`)
