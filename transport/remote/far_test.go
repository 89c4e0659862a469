package remote

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// begun returns a far end that has executed hello as request 100.
func begun(t testing.TB, tr transport.Transport) *Far {
	t.Helper()
	return begunBy(t, tr, 100)
}

func begunBy(t testing.TB, tr transport.Transport, number uint64) *Far {
	t.Helper()
	f := NewFar(tr)
	body := binary.LittleEndian.AppendUint16(nil, version)
	if _, err := reply(f, kindHello, number, binary.LittleEndian.AppendUint32(body, LeastLimit)); err != nil {
		t.Fatal(err)
	}
	return f
}

// reply sends a request to a far end and decodes its answer.
func reply(f *Far, kind byte, number uint64, body []byte) ([]byte, error) {
	q := request{kind, number, body}
	a, err := readAnswer(f.Answer(context.Background(), q.append(nil)), q)
	if err == nil {
		err = a.err
	}
	return a.body, err
}

// partOf returns the body of a request with n steps, the first part of a batch.
func partOf(steps int) []byte {
	p := part{steps: stepsOf(steps)}
	return p.append(nil, 0)
}

// A far end counts each executed step of batches and series once, however often the request arrives.
func TestSteps(t *testing.T) {
	chip := new(able)
	w := newWild(t, chip, 4*LeastLimit, 1)
	n, err := Open(t.Context(), w, "far")
	if err != nil {
		t.Fatal(err)
	}
	r := transport.Series{Steps: []transport.Step{{Reset: true, Clocks: 1}}, Count: 35,
		Want: make([]transport.Sample, 35)}
	for range 9 {
		if _, err := n.Apply(t.Context(), stepsOf(100), make([]transport.Sample, 100)); err != nil {
			t.Fatal(err)
		}
		if _, err := n.Sign(t.Context(), []transport.Series{r, r}); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.far.Steps(); got != uint64(chip.steps) || got != 9*(100+70) {
		t.Errorf("%d steps were counted, and the chip made %d", got, chip.steps)
	}
}

// Requests are executed once each, in numerical order, however often and in whatever order they arrive.
func TestFarOrder(t *testing.T) {
	for range 50 {
		chip := new(chain)
		f := begun(t, chip)
		var all sync.WaitGroup
		var answers [3 * window][3][]byte
		for number := range answers {
			if number%window == 0 {
				all.Wait() // as a near end does
			}
			for copy := range answers[number] {
				all.Go(func() {
					answers[number][copy], _ = reply(f, kindApply, uint64(101+number), partOf(1+number))
				})
			}
		}
		all.Wait()
		alone, want := new(chain), make([]transport.Sample, 3*window)
		for number, copies := range answers {
			alone.Apply(t.Context(), stepsOf(1+number), want)
			expect := appendSamples(binary.LittleEndian.AppendUint32(nil, uint32(1+number)), want[:1+number])
			for _, got := range copies {
				if !bytes.Equal(got, expect) {
					t.Fatalf("request %d: % x; want % x", number, got, expect)
				}
			}
		}
		if chip.steps != alone.steps {
			t.Fatalf("%d steps were played; want %d", chip.steps, alone.steps)
		}
	}
}

// Requests that are outdated, too far ahead, before hello, or malformed are refused without any effect.
func TestFarRefuses(t *testing.T) {
	if _, err := reply(NewFar(new(chain)), kindApply, 1, partOf(1)); err == nil {
		t.Error("a request before hello is not refused")
	}
	chip := new(chain)
	f := begun(t, chip)
	for n := uint64(101); n <= 110; n++ {
		if _, err := reply(f, kindApply, n, partOf(1)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		number uint64
		why    string
	}{{100, "old"}, {110 - window, "old"}, {110 + window + 1, "old or of another user"}, {1 << 63, "another user"}} {
		if _, err := reply(f, kindApply, c.number, partOf(1)); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("request %d after 110: %v; want %q", c.number, err, c.why)
		}
	}
	next := uint64(111)
	falling := append(partOf(2), 1, 0, 0, 0, 0, 0, 0, 0)
	falling[0], falling[5] = flagTriggers, 2
	for what, q := range map[string]request{
		"no kind":        {'?', 0, nil},
		"half a step":    {kindApply, 0, partOf(2)[:13]},
		"a byte more":    {kindApply, 0, append(partOf(2), 0)},
		"many steps":     {kindApply, 0, []byte{0, 255, 255, 255, 255, 0, 0, 0, 0, 1, 2, 3, 4, 5}},
		"many indices":   {kindApply, 0, []byte{2, 0, 0, 0, 0, 255, 255, 255, 255}},
		"a bad index":    {kindApply, 0, []byte{4, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4, 5, 1, 0, 0, 0}},
		"falling":        {kindApply, 0, falling},
		"all flags":      {kindApply, 0, []byte{7, 0, 0, 0, 0, 0, 0, 0, 0}},
		"half a series":  {kindSign, 0, []byte{0, 1, 0, 1, 0}},
		"many cases":     {kindSign, 0, []byte{0, 1, 0, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 1, 1, 9, 9}},
		"no timing":      {kindBurst, 0, make([]byte, 31)},
		"half a run":     {kindFree, 0, make([]byte, 40)},
		"a pull":         {kindPull, 0, []byte{3}},
		"no time":        {kindTune, 0, []byte{1, 2, 3}},
		"a name":         {kindPin, 0, make([]byte, mostName+1)},
		"a small answer": {kindHello, 0, []byte{version, 0, 1, 0, 0, 0}},
	} {
		if _, err := reply(f, q.kind, next, q.body); err == nil || !strings.Contains(err.Error(), "refused") {
			t.Errorf("%s: %v; want that it is refused", what, err)
		}
		next++
	}
	for _, b := range [][]byte{nil, {'A'}, make([]byte, mostMessage+1)} {
		if a := f.Answer(t.Context(), b); a[0] != kindRefused {
			t.Errorf("%d bytes are answered by %q", len(b), a[0])
		}
	}
	if chip.steps != 10 {
		t.Errorf("%d steps were played; want 10", chip.steps)
	}
}

// A stop also ends requests still to come; an outdated or foreign stop has no effect.
func TestFarStops(t *testing.T) {
	chip := new(chain)
	f := begun(t, chip)
	reply(f, kindStop, 102, nil)
	for n := uint64(101); n <= 102; n++ {
		if _, err := reply(f, kindApply, n, partOf(1)); !errors.Is(err, context.Canceled) || chip.steps != 0 {
			t.Errorf("request %d: %v, %d steps", n, err, chip.steps)
		}
	}
	reply(f, kindStop, 102, nil)
	reply(f, kindStop, 1<<40, nil)
	if _, err := reply(f, kindApply, 103, partOf(1)); err != nil || chip.steps != 1 {
		t.Errorf("after the stop: %v, %d steps", err, chip.steps)
	}
	busy := newSlow()
	f = begunBy(t, busy, 1<<63+7) // any first number is valid
	answered := make(chan error)
	go func() {
		_, err := reply(f, kindApply, 1<<63+8, partOf(1))
		answered <- err
	}()
	<-busy.waits
	reply(f, kindStop, 1<<63+7, nil)
	close(busy.letGo)
	if err := <-answered; err != nil {
		t.Errorf("a stop of the request before: %v", err)
	}
}

// Too large an answer is an error, and so is a burst longer than the transport's limit.
func TestFarTooLong(t *testing.T) {
	f := begun(t, mock.Open(mock.Config{Tile: utf.TT09}))
	if _, err := reply(f, kindApply, 101, partOf(2000)); err == nil || !strings.Contains(err.Error(), "limit of 4096") {
		t.Errorf("2000 steps: %v", err)
	}
	at := make([]byte, 4*8)
	at[0], at[8], at[16] = 100, 48, 50
	for n, steps := range []int{1, 1 << 16, 1<<16 + 1} {
		_, err := reply(f, kindBurst, uint64(102+n), appendSteps(slices.Clip(at), stepsOf(steps)))
		if said := fmt.Sprint(err); strings.Contains(said, "the maximum of 65536") != (n == 2) || n == 0 && err != nil {
			t.Errorf("a burst of %d steps: %v", steps, err)
		}
	}
}

// A close ends the request in progress and those that wait for a lost one; repeats get the same answer.
func TestFarClose(t *testing.T) {
	chip := newSlow()
	f := begun(t, chip)
	var all sync.WaitGroup
	for _, number := range []uint64{101, 101, 103, 103, 104} { // 102 was lost
		all.Go(func() {
			if _, err := reply(f, kindApply, number, partOf(3)); !errors.Is(err, transport.ErrClosed) {
				t.Errorf("request %d: %v; want ErrClosed", number, err)
			}
		})
	}
	<-chip.waits
	for range 3 {
		if _, err := reply(f, kindClose, 104, nil); err != nil {
			t.Error(err)
		}
	}
	all.Wait()
	if !chip.closed || f.Close() != nil {
		t.Error("the transport is not closed")
	}
	if _, err := reply(f, kindPull, 102, []byte{0}); !errors.Is(err, transport.ErrClosed) {
		t.Errorf("after the close: %v", err)
	}
}

// The end of Answer's context ends the request in progress; a waiting request can be delivered again.
func TestFarContext(t *testing.T) {
	chip := newSlow()
	f := begun(t, chip)
	ctx, cancel := context.WithCancel(t.Context())
	q := request{kindApply, 102, partOf(1)}
	waits := make(chan []byte)
	go func() { waits <- f.Answer(ctx, q.append(nil)) }()
	cancel()
	if a := <-waits; a[0] != kindRefused {
		t.Errorf("a request that waited for another is answered by %q", a[0])
	}
	close(chip.letGo)
	for n := uint64(101); n <= 102; n++ {
		if _, err := reply(f, kindApply, n, partOf(1)); err != nil {
			t.Errorf("request %d: %v", n, err)
		}
	}
}
