package sweep

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"utfbench/fault"
	"utfbench/internal/document"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

var errCrash = errors.New("the lights went out")

// A dying chip fails after a number of batches, together with the bench's other chips.
type dying struct {
	transport.Transport
	left *atomic.Int64
}

func (d dying) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if d.left.Add(-1) < 0 {
		return 0, errCrash
	}
	return d.Transport.Apply(ctx, steps, samples)
}

// attempt continues a sweep until it completes or its chips die.
func attempt(t *testing.T, space tile.Space, path string, head Head, faults []fault.Fault, batches int64) (*Certificate,
	error) {
	t.Helper()
	j, head, done, err := OpenJournal(path, head)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var left atomic.Int64
	left.Store(batches)
	r := Runner{Space: space, Tile: utf.TT09, Range: head.Range(), Done: done, Finished: j.Add}
	for range 3 {
		r.Chips = append(r.Chips, dying{mock.Open(mock.Config{Tile: utf.TT09, Faults: faults}), &left})
	}
	blocks, err := r.Run(context.Background())
	return &Certificate{head, blocks}, err
}

// A sweep that is interrupted repeatedly, with its journal damaged at the end, yields the same certificate as an
// uninterrupted one, for a good and for a faulty chip.
func TestKilledSweepsLeaveTheSameCertificate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	scope := tile.Scope{Space: "ops", Depth: 4, Revision: "tt09"}
	whole, _ := open(t, scope)
	space := thinned{whole, 4} // three batches per block
	for faults, least := range map[string]int{"": 50, "d3=stuck1": 10} {
		want := certifyIn(t, space, scope, Range{0, 12}, strings.Fields(faults)...)
		var config []fault.Fault
		for _, text := range strings.Fields(faults) {
			f, _ := model.Bits.Parse(text)
			config = append(config, f)
		}
		kills := 0
		for round := 0; kills < least; round++ {
			path := filepath.Join(t.TempDir(), "state")
			for {
				got, err := attempt(t, space, path, want.Head, config, rng.Int64N(24))
				if err == nil {
					if !bytes.Equal(got.Text(), want.Text()) {
						t.Fatalf("round %d, after %d kills: another certificate", round, kills)
					}
					break
				}
				if !errors.Is(err, errCrash) {
					t.Fatal(err)
				}
				kills++
				tear(t, path, rng)
			}
		}
	}
}

// tear removes bytes from a file's end or appends garbage, as a crash does.
func tear(t *testing.T, path string, rng *rand.Rand) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	switch rng.IntN(4) {
	case 0:
		text = text[:len(text)-min(len(text), rng.IntN(400))]
	case 1:
		text = append(text, make([]byte, rng.IntN(4096))...)
	case 2:
		text = text[:rng.IntN(len(text)+1)]
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// A journal of another sweep is rejected and not changed.
func TestJournalsOfOthersAreRefused(t *testing.T) {
	c := certify(t, tile.Scope{Space: "ops", Depth: 1}, Range{})
	path := filepath.Join(t.TempDir(), "state")
	j, _, _, err := OpenJournal(path, c.Head)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(j.Add(Answer{Block: c.Blocks[0]}), j.Close()); err != nil {
		t.Fatal(err)
	}
	kept, _ := os.ReadFile(path)
	for what, change := range map[string]func(h *Head){
		"what is swept":             func(h *Head) { h.Revision = utf.TT08.String() },
		"the range of blocks":       func(h *Head) { h.First, h.Of = 1, 2 },
		"the hash of the vectors":   func(h *Head) { h.Vectors[0]++ },
		"the bench":                 func(h *Head) { h.Made = by(func(p *Provenance) { p.Bench = "new" }) },
		"the kind of transport":     func(h *Head) { h.Made = by(func(p *Provenance) { p.Kind = "gpio" }) },
		"the list of conditions":    func(h *Head) { h.Made = by(func(p *Provenance) { p.Conditions = "--at 20MHz" }) },
		"the board":                 func(h *Head) { h.Made = by(func(p *Provenance) { p.Board = "pico" }) },
		"the board's id":            func(h *Head) { h.Made = by(func(p *Provenance) { p.Device = "other" }) },
		"the SHA-256 of the design": func(h *Head) { h.Made = by(func(p *Provenance) { p.Sources = "edited" }) },
	} {
		head := c.Head
		change(&head)
		var stranger *OtherSweepError
		if _, _, _, err := OpenJournal(path, head); !errors.As(err, &stranger) || stranger.What != what {
			t.Errorf("%s has changed: %v", what, err)
		}
	}
	moved := c.Head
	moved.Made = by(func(p *Provenance) { p.Transport = "rp2040:/dev/ttyACM1" })
	j, head, done, err := OpenJournal(path, moved)
	if err != nil || !head.Made[0].equal(&made) || len(done) != 1 {
		t.Fatalf("a board at another port: %+v, %v, %v", head, done, err)
	}
	j.Close()
	if now, _ := os.ReadFile(path); !bytes.Equal(now, kept) {
		t.Error("the journal has changed")
	}
	for _, text := range []string{"precious", "precious\nlines\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := OpenJournal(path, c.Head); err == nil ||
			!strings.Contains(err.Error(), "no state of a sweep") {
			t.Errorf("%q is taken for a journal: %v", text, err)
		}
		if now, _ := os.ReadFile(path); string(now) != text {
			t.Errorf("%q was overwritten", text)
		}
	}
	if _, _, _, err := OpenJournal(filepath.Join(path, "no", "folder"), c.Head); !errors.As(err, new(*fs.PathError)) {
		t.Errorf("no folder: %v", err)
	}
}

// A resumed sweep keeps its tags if it has the same or none; different tags are rejected.
func TestJournalsKeepTheirTags(t *testing.T) {
	c := certify(t, tile.Scope{Space: "ops", Depth: 1}, Range{})
	of := func(set document.Tags) Head {
		head := c.Head
		head.Made = by(func(p *Provenance) { p.Tags = set })
		return head
	}
	for _, began := range []document.Tags{nil, {"vdd": "1.8"}} {
		path := filepath.Join(t.TempDir(), "state")
		j, _, _, err := OpenJournal(path, of(began))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(j.Add(Answer{Block: c.Blocks[0]}), j.Close()); err != nil {
			t.Fatal(err)
		}
		for _, set := range []document.Tags{nil, began} {
			j, head, done, err := OpenJournal(path, of(set))
			if err != nil || head.Made[0].Tags.String() != began.String() || len(done) != 1 {
				t.Fatalf("%v after %v: %+v, %v, %v", set, began, head, done, err)
			}
			j.Close()
		}
		var stranger *OtherSweepError
		if _, _, _, err := OpenJournal(path, of(document.Tags{"vdd": "3.3"})); !errors.As(err, &stranger) ||
			!strings.Contains(err.Error(), `without --tag, was "`+began.String()+`" there and is "vdd=3.3" here`) {
			t.Errorf("other tags after %v: %v", began, err)
		}
	}
}

// An open journal cannot be opened again, under any name, until it is closed.
func TestJournalsInUseAreRefused(t *testing.T) {
	c := certify(t, tile.Scope{Space: "ops", Depth: 1}, Range{})
	dir := t.TempDir()
	path := filepath.Join(dir, "state")
	j, _, _, err := OpenJournal(path, c.Head)
	if err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(dir, "..", filepath.Base(dir), "state")
	if _, _, _, err := OpenJournal(again, c.Head); !errors.Is(err, ErrInUse) {
		t.Errorf("two sweeps write it: %v", err)
	}
	if err := errors.Join(j.Add(Answer{Block: c.Blocks[0]}), j.Close()); err != nil {
		t.Fatal(err)
	}
	j, _, done, err := OpenJournal(again, c.Head)
	if err != nil || len(done) != 1 {
		t.Fatalf("after it was closed: %v, %v", done, err)
	}
	if err := j.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after it was removed: %v", err)
	}
}

// MaxFailures ends a sweep early, with no gaps before its last block.
func TestMaxFailures(t *testing.T) {
	space, rev := open(t, tile.Scope{Space: "ops", Depth: 4})
	f, _ := model.Bits.Parse("d0=stuck1")
	r := Runner{Space: space, Tile: rev, Range: Range{0, space.Blocks()}, MaxFailures: 1,
		Chips: []transport.Transport{mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}}),
			mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}})}}
	blocks, err := r.Run(context.Background())
	if err != nil || len(blocks) == 0 || len(blocks) > 2 || blocks[0].Number != 0 {
		t.Errorf("%d blocks, %v", len(blocks), err)
	}
}

// A sweep returns the error of an interrupt or of Finished.
func TestSweepsStop(t *testing.T) {
	space, rev := open(t, tile.Scope{Space: "ops", Depth: 3})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := Runner{Space: space, Tile: rev, Range: Range{0, 1},
		Chips: []transport.Transport{mock.Open(mock.Config{Tile: utf.TT09})}}
	if _, err := r.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupt: %v", err)
	}
	r.Finished = func(Answer) error { return errCrash }
	if _, err := r.Run(context.Background()); !errors.Is(err, errCrash) {
		t.Errorf("a full disk: %v", err)
	}
}

// by returns the provenance after a change.
func by(change func(*Provenance)) []Provenance {
	p := made
	change(&p)
	return []Provenance{p}
}

// A journal of an older bench without the chip's kind is rejected, and so is one with no chip or two.
func TestJournalsWithoutIdentity(t *testing.T) {
	c := certify(t, tile.Scope{Space: "ops", Depth: 1}, Range{})
	for name, m := range map[string][]Provenance{"older": by(func(p *Provenance) { p.Kind = "" }), "nobody's": {},
		"two": append(by(func(*Provenance) {}), made)} {
		path := filepath.Join(t.TempDir(), "state")
		old := c.Head
		old.Made = m
		if err := os.WriteFile(path, recordOf(&old), 0o600); err != nil {
			t.Fatal(err)
		}
		var stranger *OtherSweepError
		if _, _, _, err := OpenJournal(path, c.Head); !errors.As(err, &stranger) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
