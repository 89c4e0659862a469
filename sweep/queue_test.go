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
	"utfbench/model"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// chipWith returns a mock with a fault, or without for "".
func chipWith(t testing.TB, text string) transport.Transport {
	t.Helper()
	config := mock.Config{Tile: utf.TT09}
	if text != "" {
		f, err := model.Bits.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		config.Faults = []fault.Fault{f}
	}
	return mock.Open(config)
}

func board(name string) *Provenance {
	return &Provenance{Bench: "test", Transport: name, Chip: report.Chip{Kind: "mock"}}
}

// together runs boards, by name and fault, concurrently and returns their errors.
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
	untilBusy(r, len(faults)) // so that no board finishes all blocks before the others start
	close(began)
	wg.Wait()
	return ended
}

// untilBusy waits, for at most a minute, until the given number of boards have a block.
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

// A waiting chip blocks until it is released.
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

// Boards that fail within blocks and return yield the same blocks as one chip, and each block's board is recorded.
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

// If one board is wrong and another right, both are in the finding, and the wrong board is excluded. Its wrong block
// counts, even after the journal is read again.
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
	for _, f := range found { // it may have started another block in the meantime
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

// If all boards are wrong in the same way, no board is excluded after a few second opinions.
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

// Likewise if a slow board first has many blocks to check.
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

// A single board does not wait for a second opinion, and an interrupt wakes one that waits for others.
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
