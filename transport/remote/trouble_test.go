package remote

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A mangled link interferes with one message, counted from the first. TLS prevents flipped bits.
type mangled struct {
	memory
	what string
	at   int
	len  int // remaining bytes of a truncated message

	mu     sync.Mutex
	asked  int
	before [2][]byte // the previous request and its answer
	late   sync.WaitGroup
}

// messageTroubles are the possible faults. Unanswered requests are repeated, as a lease does.
var messageTroubles = []string{"the request is lost", "the answer is lost", "the request comes twice",
	"the request comes again later", "the answer to the request before comes", "the request is cut short",
	"the answer is cut short", "the link breaks", "the request before comes again"}

func (l *mangled) Ask(ctx context.Context, request []byte) ([]byte, error) {
	l.mu.Lock()
	n, before := l.asked, l.before
	l.asked++
	l.mu.Unlock()
	if n > l.at && l.what == "the link breaks" {
		return nil, errPulled
	}
	if n == l.at {
		if answer, err := l.befall(ctx, slices.Clone(request), before); answer != nil || err != nil {
			return answer, err
		}
	}
	answer, err := l.memory.Ask(ctx, request)
	l.mu.Lock()
	l.before = [2][]byte{slices.Clone(request), slices.Clone(answer)}
	l.mu.Unlock()
	return answer, err
}

// befall applies the fault. If it returns neither an answer nor an error, the request is sent normally.
func (l *mangled) befall(ctx context.Context, request []byte, before [2][]byte) (answer []byte, err error) {
	switch l.what {
	case "the answer is lost", "the request comes twice":
		_, err = l.memory.Ask(ctx, request)
	case "the request comes again later":
		l.late.Go(func() { l.far.Answer(context.Background(), request) })
	case "the answer to the request before comes":
		answer = before[1]
	case "the request before comes again":
		l.far.Answer(ctx, before[0])
	case "the request is cut short":
		return l.memory.Ask(ctx, request[:min(l.len, len(request)-1)])
	case "the answer is cut short":
		if answer, err = l.memory.Ask(ctx, request); err == nil {
			answer = answer[:min(l.len, len(answer)-1)]
		}
	case "the link breaks":
		err = errPulled
	}
	return answer, err
}

// runOver runs the jobs on a chip over a link. It returns the vectors' verdicts; whole is nil if the run completed.
func runOver(t *testing.T, link *mangled, jobs []driver.Job) (verdicts map[driver.Verdict]int, whole error) {
	t.Helper()
	defer link.late.Wait()
	verdicts = map[driver.Verdict]int{}
	near, err := Open(t.Context(), link, "lab:bench")
	if err != nil {
		return verdicts, err
	}
	near.room = 700 // small parts, hence more messages
	r := driver.Runner{Transport: near, Tile: utf.TT09, Report: func(r *driver.Result) { verdicts[r.Verdict]++ }}
	_, err = r.Run(t.Context(), jobs)
	return verdicts, errors.Join(err, near.Close())
}

// Whatever happens to a message, a good chip is never FAIL and a faulty one never PASS.
func TestTroubles(t *testing.T) {
	jobs := testkit.Jobs[driver.Job](t, "guide.vec")[:20]
	whole := &mangled{memory: memory{far: NewFar(mock.Open(mock.Config{Tile: utf.TT09})), limit: 1 << 20}, at: -1}
	if verdicts, err := runOver(t, whole, jobs); err != nil || verdicts[driver.Pass] != len(jobs) {
		t.Fatal(verdicts, err)
	}
	ends := map[string]int{}
	for seed := range uint64(testkit.Pick(100, 500)) {
		random := rand.New(rand.NewPCG(seed, 34))
		link := &mangled{what: messageTroubles[random.IntN(len(messageTroubles))], at: random.IntN(whole.asked + 1),
			len: random.IntN(300)}
		chip, never, always := "a good chip", driver.Fail, driver.Pass
		var faults []fault.Fault
		if random.IntN(2) == 0 {
			chip, never, always = "a wrong chip", driver.Pass, driver.Fail
			f := testkit.Must(model.Bits.Parse("uo3=stuck1"))(t)
			faults = append(faults, f)
		}
		var tr transport.Transport = mock.Open(mock.Config{Tile: utf.TT09, Faults: faults})
		link.memory = memory{far: NewFar(tr), limit: 1 << 20}
		verdicts, err := runOver(t, link, jobs)
		if verdicts[never] > 0 || err == nil && verdicts[always] != len(jobs) {
			t.Errorf("seed %d, %s, message %d, %s (%d bytes): %v, %v", seed, chip, link.at, link.what, link.len,
				verdicts, err)
		}
		end := "as without it"
		if err != nil {
			end = "ERROR"
		}
		ends[fmt.Sprintf("%s, %s: %s", chip, link.what, end)]++
	}
	for _, end := range slices.Sorted(maps.Keys(ends)) {
		t.Logf("%6d %s", ends[end], end)
	}
}
