package sweep

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

var made = Provenance{Bench: "test", Transport: "mock:tt09", Chip: report.Chip{Kind: "rp2040",
	Board: "mock", Device: "1234"}}

// certify sweeps a range in one run, possibly with faults.
func certify(t testing.TB, scope tile.Scope, r Range, faults ...string) *Certificate {
	t.Helper()
	scope.Revision = "tt09"
	space, _ := open(t, scope)
	if r == (Range{}) {
		r.End = space.Blocks()
	}
	return certifyIn(t, space, scope, r, faults...)
}

func certifyIn(t testing.TB, space tile.Space, scope tile.Scope, r Range, faults ...string) *Certificate {
	t.Helper()
	config := mock.Config{Tile: utf.TT09}
	for _, text := range faults {
		f := testkit.Must(model.Bits.Parse(text))(t)
		config.Faults = append(config.Faults, f)
	}
	runner := Runner{Space: space, Tile: utf.TT09, Range: r, Chips: []transport.Transport{mock.Open(config)}}
	blocks := testkit.Must(runner.Run(context.Background()))(t)
	return &Certificate{NewHead(scope, space, r, Hash{1, 2, 3}, made), blocks}
}

// small are sweeps with short certificates.
var small = []tile.Scope{{Space: "values", Values: 6000, Seed: 3}, {Space: "ops", Depth: 2}}

func verify(t testing.TB, c *Certificate) []Doubt {
	t.Helper()
	return testkit.Must(Verify(context.Background(), c, utf.TT09, 2, nil))(t)
}

func TestCertificatesVerify(t *testing.T) {
	for _, scope := range small {
		c := certify(t, scope, Range{})
		again := testkit.Must(Read(bytes.NewReader(c.Text())))(t)
		if !bytes.Equal(again.Text(), c.Text()) {
			t.Error("read and written anew it is another")
		}
		if doubts := verify(t, again); doubts != nil {
			t.Errorf("%+v: %v", scope, doubts)
		}
	}
}

// Signed cases are equivalent to carried ones. A run with a wrong signature and right repeated steps is FLAKY.
func TestSignedCertificates(t *testing.T) {
	whole := certify(t, small[0], Range{})
	signed := &Certificate{whole.Head, slices.Clone(whole.Blocks)}
	signed.Blocks[0].Signed = signed.Blocks[0].Cases
	if signed.Verdict() != driver.Pass || verify(t, signed) != nil {
		t.Errorf("signed: %v, doubts %v; want PASS and none", signed.Verdict(), verify(t, signed))
	}
	signed.Blocks[0].Signed++
	if verify(t, signed) == nil {
		t.Error("more cases signed than there are, and no doubt")
	}

	unsteady := &Certificate{whole.Head, slices.Clone(whole.Blocks)}
	unsteady.Blocks[1].Unsteady = 1
	again, err := Read(bytes.NewReader(unsteady.Text()))
	if err != nil || again.Verdict() != driver.Flaky || !bytes.Contains(unsteady.Text(), []byte(`"verdict":"FLAKY"`)) {
		t.Errorf("unsteady: %v, %v; want FLAKY", again.Verdict(), err)
	}
	doubts := verify(t, again)
	if len(doubts) != 1 || doubts[0].Block != 1 || !strings.Contains(doubts[0].Why, "unsteady") {
		t.Errorf("unsteady: doubts %+v; want block 1", doubts)
	}
}

// A certificate with any byte changed, removed or added is rejected.
func TestAnyByteChangedDoesNotVerify(t *testing.T) {
	for name, c := range map[string]*Certificate{
		"PASS": certify(t, tile.Scope{Space: "ops", Depth: 2}, Range{}),
		"FAIL": certify(t, tile.Scope{Space: "ops", Depth: 1}, Range{}, "v7=stuck0"),
	} {
		text := c.Text()
		changed := bytes.Clone(text)
		for i := range text {
			for _, flip := range []byte{1, 2, 4, 8, 16, 32, 64, 128, 255, 1 + byte(i%254)} {
				changed[i] = text[i] ^ flip
				if _, err := Read(bytes.NewReader(changed)); err == nil {
					t.Fatalf("%s: byte %d may be %q instead of %q", name, i, changed[i], text[i])
				}
			}
			changed[i] = text[i]
			if _, err := Read(bytes.NewReader(text[:i])); err == nil {
				t.Fatalf("%s: the first %d bytes of %d will do", name, i, len(text))
			}
			if _, err := Read(strings.NewReader(string(text[:i]) + string(text[i+1:]))); err == nil {
				t.Fatalf("%s: it will do without byte %d", name, i)
			}
		}
		for _, more := range []string{" ", "\n", "x", "{}\n", string(text)} {
			if _, err := Read(strings.NewReader(string(text) + more)); err == nil {
				t.Errorf("%s: it will do with %q after it", name, more)
			}
		}
	}
}

// A well-formed forgery with a correct digest is detected.
func TestForgedCertificatesDoNotVerify(t *testing.T) {
	good := certify(t, small[0], Range{})
	for name, forge := range map[string]func(c *Certificate){
		"a sample":    func(c *Certificate) { c.Blocks[1].Samples[7] ^= 1 },
		"coverage":    func(c *Certificate) { c.Blocks[1].Covered[7] ^= 1 },
		"cases":       func(c *Certificate) { c.Blocks[1].Cases++ },
		"steps":       func(c *Certificate) { c.Blocks[1].Steps-- },
		"failures":    func(c *Certificate) { c.Blocks[1].Failed = 3 },
		"a first one": func(c *Certificate) { c.Blocks[1].First = &Wrong{3, "00"} },
		"the seed":    func(c *Certificate) { c.Head.Seed++ },
		"the chip":    func(c *Certificate) { c.Head.Revision = "tt08"; c.Head.Space, c.Head.Depth = "ops", 1 },
		"the blocks":  func(c *Certificate) { c.Blocks[0], c.Blocks[1] = c.Blocks[1], c.Blocks[0] },
	} {
		forged := &Certificate{good.Head, append([]Block(nil), good.Blocks...)}
		forge(forged)
		c, err := Read(bytes.NewReader(forged.Text()))
		if err != nil {
			continue
		}
		if doubts, err := Verify(context.Background(), c, utf.TT09, 1, nil); err == nil && len(doubts) == 0 {
			t.Errorf("%s: verifies", name)
		}
	}
}

// A faulty chip's certificate lists the failed blocks and does not verify as a PASS.
func TestFailedBlocksAreDoubted(t *testing.T) {
	c := certify(t, tile.Scope{Space: "values", Values: 6000}, Range{}, "v30=stuck1")
	if !strings.Contains(string(c.Text()), `"verdict":"FAIL"`) {
		t.Error("the verdict is not FAIL")
	}
	doubts := verify(t, c)
	if len(doubts) != len(c.Blocks) || !strings.Contains(doubts[0].Why, "as the certificate says itself") {
		t.Errorf("%d doubts about %d blocks: %+v", len(doubts), len(c.Blocks), doubts)
	}
	space, rev := open(t, c.Head.Scope)
	f, err := FirstFailure(space, rev, c.Blocks)
	if err != nil || f.Result.First.Got == f.Result.First.Want {
		t.Errorf("%+v, %v", f, err)
	}
}

// Verification detects a chip of another revision.
func TestOtherRevisionIsFound(t *testing.T) {
	space, _ := open(t, tile.Scope{Space: "ops", Depth: 3})
	r := Runner{Space: space, Tile: utf.TT09, Range: Range{0, 1},
		Chips: []transport.Transport{mock.Open(mock.Config{Tile: utf.TT08})}}
	blocks, err := r.Run(context.Background())
	if err != nil || blocks[0].Failed == 0 {
		t.Errorf("%+v, %v", blocks, err)
	}
}

func FuzzReadCertificate(f *testing.F) {
	for _, scope := range small {
		f.Add(certify(f, scope, Range{}).Text())
	}
	f.Add(certify(f, tile.Scope{Space: "ops", Depth: 1}, Range{}, "retry=stuck1").Text())
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Read(bytes.NewReader(text))
		if err == nil && !bytes.Equal(c.Text(), text) {
			t.Errorf("%q is taken and is written as %q", text, c.Text())
		}
	})
}

func FuzzJournal(f *testing.F) {
	head := certify(f, tile.Scope{Space: "ops", Depth: 1}, Range{}).Head
	c := certify(f, tile.Scope{Space: "ops", Depth: 1}, Range{}, "retry=stuck1")
	f.Add(append(recordOf(&head), recordOf(&c.Blocks[0])...))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := t.TempDir() + "/state"
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		j, _, done, err := OpenJournal(path, head)
		if err != nil {
			return
		}
		defer j.Close()
		for _, a := range done {
			if a.Number < 0 || a.Number >= head.Count {
				t.Errorf("block %d", a.Number)
			}
		}
	})
}

// A certificate by an older bench without the chip's kind is unchanged, byte by byte.
func TestOlderCertificate(t *testing.T) {
	c := certify(t, tile.Scope{Space: "ops", Depth: 1}, Range{})
	c.Head.Made = []Provenance{{Bench: "v0", Transport: "mock:tt09", Chip: report.Chip{Board: "mock", Device: "1"}}}
	text := c.Text()
	if want := `"made":[{"bench":"v0","transport":"mock:tt09","board":"mock","device":"1"}]}`; !strings.Contains(
		string(text), want) {
		t.Errorf("it has no %s:\n%s", want, text)
	}
	if _, err := Read(bytes.NewReader(text)); err != nil {
		t.Error(err)
	}
}
