package sweep

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/files"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// sessionOf returns a sweep of four blocks of operations on a mock, with a certificate in dir.
func sessionOf(t *testing.T, dir string) *Session {
	t.Helper()
	scope := tile.Scope{Space: "ops", Depth: 4, Revision: "tt09"}
	space, own := open(t, scope)
	r := Range{0, 4}
	s := &Session{Runner: Runner{Space: space, Tile: own, Range: r}, Head: NewHead(scope, space, r, Hash{1}, made),
		Certificate: filepath.Join(dir, "c"), State: filepath.Join(dir, "c.part")}
	if err := s.Begin(); err != nil {
		t.Fatal(err)
	}
	s.Chips = []transport.Transport{mock.Open(mock.Config{Tile: utf.TT09})}
	return s
}

// A stopped session reports its progress and resumes; finally only the certificate is left.
func TestSessionGoesOn(t *testing.T) {
	dir := t.TempDir()
	s := sessionOf(t, dir)
	ctx, cancel := context.WithCancel(context.Background())
	c, err := s.Run(ctx, func(Answer) { cancel() })
	if !errors.Is(err, context.Canceled) || len(c.Blocks) != 1 {
		t.Fatalf("%d blocks, %v", len(c.Blocks), err)
	}
	if said := s.Left(len(c.Blocks), " with --seed 7"); said != "1 of 4 blocks done; the same command with --seed 7 "+
		"goes on from there, by "+s.State {
		t.Error(said)
	}
	if err := s.Keep(c); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.Certificate); err == nil {
		t.Error("a certificate of a part")
	}
	s.Close()
	s = sessionOf(t, dir)
	defer s.Close()
	if said := s.Before(); said != "1 block done before, says "+s.State {
		t.Error(said)
	}
	if c, err = s.Run(t.Context(), func(Answer) {}); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	if err := s.End(&said, c, "unsaid"); err != nil {
		t.Fatal(err)
	}
	if text := said.String(); !strings.HasPrefix(text, "certificate in "+s.Certificate+", root ") ||
		strings.Contains(text, "unsaid") ||
		!strings.Contains(text, "\nPASS  the chip answered ") ||
		!strings.Contains(text, " judged before) as the model says: ") {
		t.Error(text)
	}
	if kept, err := ReadFile(s.Certificate); err != nil || kept.Root() != c.Root() {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Error(left, err)
	}
	if err := (&Session{Certificate: s.Certificate}).CheckCertificate(); !errors.Is(err, files.ErrThere) ||
		!strings.Contains(err.Error(), "give --force") {
		t.Error(err)
	}
}

// A journal that cannot be written ends a sweep, even if the work goes on without the board that had the block.
func TestJournalThatFails(t *testing.T) {
	s := sessionOf(t, t.TempDir())
	defer s.Close()
	c, err := s.Sweep(func(Answer) { s.journal.file.Close() }, func() error {
		for s.Work(t.Context(), s.Chips[0], nil) != nil {
		}
		return nil
	})
	if !errors.Is(err, os.ErrClosed) || len(c.Blocks) == s.Head.Count {
		t.Errorf("%d blocks, %v", len(c.Blocks), err)
	}
}

// Select sets the space and the shard, and rejects invalid ones.
func TestSelect(t *testing.T) {
	scope := tile.Scope{Space: "ops", Depth: 4, Revision: "tt09"}
	s := &Session{Runner: Runner{Tile: utf.TT09}}
	if err := s.Select(scope, "1/2"); err != nil || s.Range != Shard(1, 2, s.Space.Blocks()) {
		t.Error(s.Range, err)
	}
	if err := s.Select(scope, "3/2"); err == nil || !strings.HasPrefix(err.Error(), "--shard ") {
		t.Error(err)
	}
	scope.Space = "nothing"
	if err := s.Select(scope, ""); err == nil || !strings.HasSuffix(err.Error(), "not for nothing") {
		t.Error(err)
	}
}

// Gather opens the maximum number of chips if possible, and reports its errors.
func TestGather(t *testing.T) {
	s := sessionOf(t, t.TempDir())
	defer s.Close()
	chip := func() transport.Transport { return mock.Open(mock.Config{Tile: utf.TT09}) }
	another := func(context.Context) (transport.Transport, error) { return chip(), nil }
	if err := s.Gather(t.Context(), chip(), another, 3); err != nil || len(s.Chips) != 3 {
		t.Error(len(s.Chips), err)
	}
	if err := s.Gather(t.Context(), chip(), nil, 3); err != nil || len(s.Chips) != 1 {
		t.Error(len(s.Chips), err)
	}
	gone := errors.New("it is gone")
	if err := s.Gather(t.Context(), chip(), func(context.Context) (transport.Transport, error) { return nil, gone },
		3); !errors.Is(err, gone) {
		t.Error(err)
	}
	var said bytes.Buffer
	s.WriteStart(&said, "mine", []string{"a note", ""})
	if text := said.String(); text != "mine, compared with the tt09 model: ops, "+s.Extent()+"\n  a note\n" {
		t.Error(text)
	}
}

// WriteDoubts prints the verdict and a limited number of doubtful blocks.
func TestDoubtsInWords(t *testing.T) {
	unsteady := certify(t, tile.Scope{Space: "ops", Depth: 4}, Range{0, 2})
	unsteady.Blocks[1].Unsteady = 1
	for _, c := range []struct {
		of   *Certificate
		want driver.Verdict
		said []string
	}{
		{certify(t, tile.Scope{Space: "ops", Depth: 4}, Range{0, 4}), driver.Pass,
			[]string{"PASS  as the model says: 4 blocks, "}},
		{unsteady, driver.Flaky, []string{"block 1, ", "FLAKY unsteady: 1 of 2 blocks"}},
		{certify(t, tile.Scope{Space: "ops", Depth: 4}, Range{0, 12}, "d3=stuck1"), driver.Fail,
			[]string{"\nand 2 blocks more\n", "\nFAIL    ", "\n        read  ", "\n        and 2 blocks more\n",
				"\nFAIL  not as the model says: 12 of 12 blocks"}},
	} {
		var said bytes.Buffer
		verdict, err := c.of.WriteDoubts(&said, utf.TT09, verify(t, c.of))
		if err != nil || verdict != c.want {
			t.Errorf("%v, %v; want %v", verdict, err, c.want)
		}
		for _, want := range c.said {
			if !strings.Contains(said.String(), want) {
				t.Errorf("no %q in\n%s", want, &said)
			}
		}
	}
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Range{"": {0, 10}, "1/1": {0, 10}, "2/3": {3, 6}, "10/10": {9, 10}} {
		if r, err := ParseShard(text, 10); err != nil || r != want {
			t.Errorf("%q: %v, %v; want %v", text, r, err, want)
		}
	}
	for _, text := range []string{"0/2", "3/2", "1/11", "1", "1/2/3", "+1/2", " 1/2", "01/2", "a/b"} {
		if r, err := ParseShard(text, 10); err == nil || !strings.Contains(err.Error(), "has to be K/N") {
			t.Errorf("%q: %v, %v", text, r, err)
		}
	}
}
