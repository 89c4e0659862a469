package sweep

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"utfbench/fault"
	"utfbench/model/wired"
	"utfbench/runs/identity"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// chipWith is a mock with a fault; "" is none.
func chipWith(t testing.TB, text string) transport.Transport {
	t.Helper()
	config := mock.Config{Tile: utf.TT09}
	if text != "" {
		f, err := wired.Bits.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		config.Faults = []fault.Fault{f}
	}
	return mock.Open(config)
}

// board says who answers.
func board(name string) *Provenance {
	return &Provenance{Bench: "test", Transport: name, Chip: identity.Chip{Kind: "mock"}}
}

// together has boards by name, each with a fault or none, work at the same time, and gives what ended each.
func together(t *testing.T, r *Runner, faults map[string]string) map[string]error {
	t.Helper()
	ended, began := map[string]error{}, make(chan struct{})
	var mu sync.Mutex
	var wg sync.WaitGroup
	for name, with := range faults {
		chip := waiting{chipWith(t, with), began}
		wg.Go(func() {
			err := r.Work(t.Context(), chip, board(name))
			mu.Lock()
			defer mu.Unlock()
			ended[name] = err
		})
	}
	untilBusy(r, len(faults)) // no board has all blocks done alone
	close(began)
	wg.Wait()
	return ended
}

// untilBusy waits, a minute at most, until so many boards have a block.
func untilBusy(r *Runner, boards int) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		r.queue.mu.Lock()
		busy := r.queue.busy
		r.queue.mu.Unlock()
		if busy == boards {
			return
		}
	}
}

// A waiting chip answers nothing until it may.
type waiting struct {
	transport.Transport
	may chan struct{}
}

func (w waiting) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	<-w.may
	return w.Transport.Apply(ctx, steps, samples)
}

func newQueued(t *testing.T, blocks int) (*Runner, []Block) {
	t.Helper()
	scope := tile.Scope{Space: "ops", Depth: 4, Revision: "tt09"}
	whole, own := open(t, scope)
	space := thinned{whole, 16}
	want := certifyIn(t, space, scope, Range{0, blocks})
	return &Runner{Space: space, Tile: own, Range: Range{0, blocks}}, want.Blocks
}

func equalBlocks(t *testing.T, got, want []Block) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d blocks, not %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("block %d is another than that of one chip", want[i].Number)
		}
	}
}

// Boards that die within their blocks and come again leave what one chip does, and what each did is kept beside it.
func TestBoardsComeAndGo(t *testing.T) {
	r, want := newQueued(t, 48)
	path := filepath.Join(t.TempDir(), "state")
	head := NewHead(tile.Scope{Space: "ops"}, r.Space, r.Range, Hash{}, *board("lab"))
	j, _, _, err := OpenJournal(path, head)
	if err != nil {
		t.Fatal(err)
	}
	r.Finished = j.Add
	var wg sync.WaitGroup
	for i, name := range []string{"a", "b", "c"} {
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		wg.Go(func() {
			for deaths := 0; ; deaths++ {
				var left atomic.Int64
				left.Store(rng.Int64N(9))
				err := r.Work(t.Context(), dying{chipWith(t, ""), &left}, board(name))
				if err == nil {
					return
				}
				if !errors.Is(err, errCrash) || deaths > 1000 {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	equalBlocks(t, r.Blocks(), want)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j, _, done, err := OpenJournal(path, head)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	by := map[string]int{}
	for _, a := range done {
		by[a.By.Transport]++
	}
	if len(done) != len(want) || by["a"]+by["b"]+by["c"] != len(want) {
		t.Errorf("of %d blocks the journal has %d, by %v", len(want), len(done), by)
	}
}

// What one board gets wrong and another right is told of both, and the wrong one is asked no more. Nothing is lost: its
// wrong block counts, after the journal was read again too.
func TestSecondOpinion(t *testing.T) {
	r, want := newQueued(t, 48)
	var answers []Answer
	r.Finished = func(a Answer) error { answers = append(answers, a); return nil }
	ended := together(t, r, map[string]string{"good": "", "bad": "d0=stuck1", "fine": ""})
	var f *Finding
	if !errors.As(ended["bad"], &f) || f.Culprit().Transport != "bad" || ended["good"] != nil || ended["fine"] != nil {
		t.Fatalf("ended by %v", ended)
	}
	found, got := r.Findings(), r.Blocks()
	if len(found) == 0 || len(got) != len(want) {
		t.Fatalf("%d findings, %d blocks", len(found), len(got))
	}
	for _, f := range found { // it may have begun another block before it was found wrong
		n := f.Answers[0].Number
		if got[n].Failed == 0 || f.Culprit().Transport != "bad" {
			t.Errorf("%v, and the certificate has %+v", &f, got[n])
		}
		got[n] = want[n]
	}
	equalBlocks(t, got, want)
	again := &Runner{Space: r.Space, Tile: r.Tile, Range: r.Range, Done: answers}
	if err := again.Work(t.Context(), chipWith(t, ""), board("bad")); !errors.As(err, &f) {
		t.Errorf("a board that was found wrong before is asked again: %v", err)
	}
	if err := again.Work(t.Context(), chipWith(t, "d0=stuck1"), board("good")); err != nil {
		t.Errorf("something was left to do: %v", err)
	}
}

// Where all boards are wrong in the same way it is none of them, and a few second opinions say so.
func TestAllBoardsAlike(t *testing.T) {
	r, want := newQueued(t, 48)
	answers := 0
	r.Finished = func(Answer) error { answers++; return nil }
	for name, err := range together(t, r, map[string]string{"a": "d0=stuck1", "b": "d0=stuck1"}) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if found := r.Findings(); len(found) > 0 || len(r.Blocks()) != len(want) {
		t.Errorf("%d findings, %d of %d blocks", len(found), len(r.Blocks()), len(want))
	}
	if more := answers - len(want); more < secondOpinions || more > 2*secondOpinions {
		t.Errorf("%d second opinions", more)
	}
}

// That holds too where a slow board has many blocks to look at when it comes to the first.
func TestSlowBoardAlike(t *testing.T) {
	r, want := newQueued(t, 48)
	slow, answers := waiting{chipWith(t, "d0=stuck1"), make(chan struct{})}, 0
	r.Finished = func(Answer) error {
		if answers++; answers == len(want)-1 { // all but the one that the slow board has
			close(slow.may)
		}
		return nil
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := r.Work(t.Context(), slow, board("slow")); err != nil {
			t.Error(err)
		}
	})
	untilBusy(r, 1)
	if err := r.Work(t.Context(), chipWith(t, "d0=stuck1"), board("fast")); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if more := answers - len(want); more < secondOpinions || more > 2*secondOpinions {
		t.Errorf("%d second opinions", more)
	}
}

// A board that is alone waits for no second opinion, and one that waits for others is woken by an interrupt.
func TestAlone(t *testing.T) {
	r, want := newQueued(t, 4)
	if err := r.Work(t.Context(), chipWith(t, "d0=stuck1"), board("a")); err != nil || len(r.Blocks()) != len(want) {
		t.Errorf("%d of %d blocks, %v", len(r.Blocks()), len(want), err)
	}
	r, _ = newQueued(t, 1)
	never := waiting{chipWith(t, ""), make(chan struct{})}
	go r.Work(t.Context(), never, board("b"))
	untilBusy(r, 1)
	ctx, stop := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, stop)
	if err := r.Work(ctx, chipWith(t, ""), board("c")); !errors.Is(err, context.Canceled) {
		t.Errorf("one who waits for the last block of another: %v", err)
	}
	close(never.may)
}
