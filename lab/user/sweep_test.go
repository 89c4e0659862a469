package user_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/lab"
	"utfbench/lab/labtest"
	"utfbench/lab/user"
	"utfbench/sweep"
	"utfbench/tile"
	"utfbench/tile/utf"
)

var scope = tile.Scope{Space: "ops", Depth: 3, Revision: "tt09"}

func newSweep(s *lab.Store, id string, said *strings.Builder) *user.Sweep {
	return &user.Sweep{Store: s, ID: id, Tile: utf.TT09, Scope: scope, OnBlock: func(_, _, _ int) {},
		OnError: func(text string) { said.WriteString(text + "\n") }}
}

// root returns the root of the model's blocks.
func root(t *testing.T) sweep.Hash {
	t.Helper()
	space, own, err := sweep.Open(utf.TT09, scope)
	if err != nil {
		t.Fatal(err)
	}
	model := sweep.NewBlockRunner(space, own, nil)
	var blocks []sweep.Block
	for n := range space.Blocks() {
		blocks = append(blocks, testkit.Must(model.Run(t.Context(), n))(t))
	}
	return sweep.Root(blocks)
}

// A sweep on several boards yields the model's root although one board is faulty, since another board computes its
// wrong blocks. A user that was stopped resumes the sweep, and publishes no block twice.
func TestSweep(t *testing.T) {
	l := labtest.Serve(t, nil)
	own, s := l.Enter("pi1", lab.HostRole), l.Enter("alice", lab.UserRole)
	l.Join("pi1", own, labtest.Mocks("", "uo3=stuck1"))
	l.AwaitBoards(s, 2)
	var said strings.Builder
	stopped, stop := context.WithCancel(t.Context())
	first := newSweep(s, "sweep1", &said)
	first.OnBlock = func(_, _, _ int) { stop() }
	if _, err := first.Run(stopped); err == nil {
		t.Error("it was not stopped")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	again := newSweep(s, "sweep1", &said)
	blocks, err := again.Run(ctx)
	if err != nil || sweep.Root(blocks) != root(t) {
		t.Fatalf("%d blocks, %v, another root; %s", len(blocks), err, &said)
	}
	for _, b := range blocks {
		if b.Failed > 0 {
			t.Errorf("%+v", b)
		}
	}
	published := testkit.Must(own.JetStream.Stream(t.Context(), lab.BlocksStream))(t).CachedInfo().State.LastSeq
	if want := len(blocks) + again.WrongBlocks["pi1.m1"]; published != uint64(want) {
		t.Errorf("%d blocks were published, want %d", published, want)
	}
}

// If two boards are faulty, or the only board is, the sweep is a FAIL.
func TestWrongSweep(t *testing.T) {
	for _, faults := range [][]string{{"uo3=stuck1"}, {"uo3=stuck1", "uo3=stuck1"}} {
		l := labtest.Serve(t, nil)
		l.Join("pi1", l.Enter("pi1", lab.HostRole), labtest.Mocks(faults...))
		s := l.Enter("alice", lab.UserRole)
		l.AwaitBoards(s, len(faults))
		var said strings.Builder
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		blocks, err := newSweep(s, "wrong", &said).Run(ctx)
		cancel()
		if err != nil || sweep.Root(blocks) == root(t) || blocks[0].Failed == 0 || blocks[0].First == nil {
			t.Errorf("%v: %d blocks, %v; %s", faults, len(blocks), err, &said)
		}
	}
}

// Select selects boards by patterns that match their names or kinds.
func TestSelect(t *testing.T) {
	all := []lab.Board{{Host: "pi1", Name: "a", Kind: "mock"}, {Host: "pi1", Name: "b", Kind: "gpio"},
		{Host: "pi2", Name: "a", Kind: "gpio"}}
	for on, want := range map[string]int{"": 3, "pi1.*": 2, "a": 2, "gpio": 2, "pi2.a,b": 2, "pi3.*": 0, "[": 0} {
		if some, err := user.Select(all, on); len(some) != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d boards, %v; want %d", on, len(some), err, want)
		}
	}
	if _, err := user.Select(nil, ""); err == nil {
		t.Error("no boards are some")
	}
}
