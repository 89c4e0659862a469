package sweep

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/internal/files"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

var opsScope = tile.Scope{Space: "ops", Depth: 3, Revision: "tt09"}

func headOf(tags ...string) *Header {
	said, _ := files.ParseTags(tags)
	return &Header{Schema: files.DocumentSchema, Bench: "v1", Scope: opsScope, Transport: "mock",
		Chip: report.Chip{Kind: "mock"}, Tags: said}
}

func chipWith(t testing.TB, faults ...string) transport.Transport {
	t.Helper()
	config := mock.Config{Tile: utf.TT09}
	for _, text := range faults {
		config.Faults = append(config.Faults, testkit.Must(model.Bits.Parse(text))(t))
	}
	return mock.Open(config)
}

// resultOf sweeps the space on a chip, except finished blocks, and returns the result.
func resultOf(t testing.TB, chip transport.Transport, done ...Block) *Result {
	t.Helper()
	space, own := open(t, opsScope)
	r := Runner{Space: space, Tile: own, Chips: []transport.Transport{chip}, EarlierBlocks: done}
	about := report.About{DocumentHead: files.NewDocumentHead("v1"), Transport: "mock"}
	about.Revision = own.Revision()
	return NewResult(about, opsScope, space, testkit.Must(r.Run(t.Context()))(t))
}

var errDied = errors.New("the cable is out")

// dying is a transport that fails after some batches.
type dying struct {
	transport.Transport
	left *int
}

func (d dying) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if *d.left--; *d.left < 0 {
		return 0, errDied
	}
	return d.Transport.Apply(ctx, steps, samples)
}

// A sweep that is interrupted and resumed, even with a truncated or damaged last line, has the same root.
func TestResumed(t *testing.T) {
	want := resultOf(t, chipWith(t))
	path := filepath.Join(t.TempDir(), "state")
	space, own := open(t, opsScope)
	for _, tail := range []string{"", `{"block":2,"ca`, "{}\n", "\x00\x00"} {
		s, blocks, err := OpenState(path, headOf())
		if err != nil {
			t.Fatal(err)
		}
		left := 70
		r := Runner{Space: space, Tile: own, Chips: []transport.Transport{dying{chipWith(t), &left}},
			EarlierBlocks: blocks, OnBlock: s.Add}
		if _, err := r.Run(t.Context()); err != nil && !errors.Is(err, errDied) {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		f := testkit.Must(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))(t)
		f.WriteString(tail)
		f.Close()
	}
	s, blocks, err := OpenState(path, headOf())
	if err != nil || len(blocks) == 0 {
		t.Fatalf("%d blocks, %v", len(blocks), err)
	}
	if got := resultOf(t, chipWith(t), blocks...); got.Root == nil || *got.Root != *want.Root {
		t.Errorf("root %v, want %v", got.Root, want.Root)
	}
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the state is still there")
	}
}

// A file is rejected and left unchanged if it is the state of another sweep, no state at all, or in use.
func TestStatesRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	s, _, err := OpenState(path, headOf("vdd=1.8"))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := OpenState(path, headOf()); err == nil || !strings.Contains(err.Error(), "is using it") {
		t.Errorf("in use: %v", err)
	}
	s.Close()
	for want, change := range map[string]func(*Header){
		"what is swept":          func(h *Header) { h.Depth = 2 },
		"the bench":              func(h *Header) { h.Bench = "v2" },
		"the list of conditions": func(h *Header) { h.Conditions = "--at 1MHz" },
		"the list of faults":     func(h *Header) { h.Faults = "uo0=stuck0" },
		"the list of tags":       func(h *Header) { h.Tags = files.Tags{"vdd": "3.3"} },
		"the transport":          func(h *Header) { h.Transport = "gpio" },
	} {
		h := headOf()
		change(h)
		if _, _, err := OpenState(path, h); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	h := headOf()
	if s, _, err = OpenState(path, h); err != nil || h.Tags["vdd"] != "1.8" {
		t.Errorf("without tags: %v, %v", h.Tags, err)
	}
	s.Close()
	for _, text := range []string{"precious", "precious\n", "{}\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := OpenState(path, headOf())
		if left, _ := os.ReadFile(path); err == nil || string(left) != text {
			t.Errorf("%q became %q, %v", text, left, err)
		}
	}
}

// After MaxFailures no further block is started, and the result has no root.
func TestMaxFailures(t *testing.T) {
	space, own := open(t, opsScope)
	r := Runner{Space: space, Tile: own, Chips: []transport.Transport{chipWith(t, "uo0=stuck0")}, MaxFailures: 1}
	blocks := testkit.Must(r.Run(t.Context()))(t)
	got := NewResult(report.About{}, opsScope, space, blocks)
	if len(blocks) != 1 || got.Root != nil || got.Verdict != "FAIL" {
		t.Errorf("%d blocks, root %v, %s", len(blocks), got.Root, got.Verdict)
	}
}

// ReadFile returns a result as it was written, and rejects a modified one.
func TestChangedResults(t *testing.T) {
	var text bytes.Buffer
	if err := resultOf(t, chipWith(t)).Write(&text); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.json")
	for from, to := range map[string]string{"": "", `"steps": `: `"steps": 1`, `"samples": "`: `"samples": "0`,
		`"PASS"`: `"FAIL"`, `"failed": 0`: `"failed": 1`, `"of": `: `"of": 1`, `"block": 0`: `"block": 9`,
		`"schema": 1`: `"schema": 2`} {
		changed := strings.Replace(text.String(), from, to, 1)
		if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(path); (err == nil) != (from == "") {
			t.Errorf("%s as %s: %v", from, to, err)
		}
	}
}

// Diff shows which blocks of two chips differ. It says that nothing was compared if the results have no common block.
func TestDiff(t *testing.T) {
	good, bad := resultOf(t, chipWith(t)), resultOf(t, chipWith(t, "uo3=stuck1"))
	half := NewResult(good.About, opsScope, count{blocks: good.TotalBlocks}, good.Blocks[:1])
	other := *good
	other.Depth = 2
	dir := t.TempDir()
	write := func(name string, r *Result) string {
		path := filepath.Join(dir, name)
		f := testkit.Must(os.Create(path))(t)
		defer f.Close()
		if err := r.Write(f); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a := write("good", good)
	for _, c := range []struct {
		b    string
		want string
	}{{a, "the same: all 4 blocks\n"}, {write("bad", bad), "different: 4 of 4 blocks\n"},
		{write("half", half), "undecided: 1 block the same, 3 not in both\n"}, {write("other", &other), ""}} {
		var said strings.Builder
		_, err := Diff(&said, [2]string{a, c.b})
		if (err != nil) != (c.want == "") || !strings.HasSuffix(said.String(), c.want) {
			t.Errorf("%s: %q, %v", c.b, said.String(), err)
		}
	}
}

// The hash tree has the shape of RFC 6962: five leaves are split into four and one.
func TestRoot(t *testing.T) {
	blocks := make([]Block, 5)
	for i := range blocks {
		blocks[i].Samples[0] = byte(i)
	}
	leaf := func(i int) Hash { return Root(blocks[i : i+1]) }
	node := func(a, b Hash) Hash { return merkle([]Hash{a, b}) }
	want := node(node(node(leaf(0), leaf(1)), node(leaf(2), leaf(3))), leaf(4))
	if got := Root(blocks); got != want {
		t.Errorf("%x; want %x", got, want)
	}
}
