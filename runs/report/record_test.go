package report

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/printable"
	"utfbench/internal/testkit"
	"utfbench/tile/utf"
	"utfbench/transport"
)

var someSteps = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) transport.Step {
	return transport.Step{In: rapid.Byte().Draw(t, "ui"), IO: rapid.Byte().Draw(t, "uio"),
		Drive: rapid.Byte().Draw(t, "drive"),
		Reset: rapid.Bool().Draw(t, "reset"), Clocks: rapid.Byte().Draw(t, "clocks")}
}), 0, 40)

var aSample = rapid.Custom(func(t *rapid.T) transport.Sample {
	b := rapid.Byte()
	return transport.Sample{Out: b.Draw(t, "out"), OutX: b.Draw(t, "outx"), IO: b.Draw(t, "io"), IOX: b.Draw(t, "iox")}
})

var someExecutions = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Execution {
	p := Execution{Vector: rapid.Map(rapid.String(), printable.Text).Draw(t, "name"), Iteration: rapid.IntRange(1,
		1e6).Draw(t, "iteration"), Reason: rapid.Map(rapid.String(), printable.Text).Draw(t, "reason"),
		Verdict: rapid.SampledFrom([]driver.Verdict{driver.Pass, driver.Skipped, driver.Aborted, driver.Fail,
			driver.Wiring, driver.Error}).Draw(t, "verdict"), Steps: someSteps.Draw(t, "steps")}
	p.Got = rapid.SliceOfN(aSample, 0, len(p.Steps)).Draw(t, "got")
	return p
}), 0, 20)

// write returns a recording in which a block ends after every breaks-th execution; 0 means a single block.
func write(t interface{ Fatal(...any) }, executions []Execution, breaks int, suites ...*golden.Suite) []byte {
	var b bytes.Buffer
	w := NewWriter(&b, suites...)
	if err := w.Start(Run{Version: "v1", Transport: "mock", Identity: Identity{Revision: "tt09",
		Chip: Chip{Kind: "mock"}}, Iterations: 1, Started: time.Unix(1e9, 0)}); err != nil {
		t.Fatal(err)
	}
	for i, p := range executions {
		res := &driver.Result{Tile: utf.TT09, Vector: &golden.Vector{Name: p.Vector}, Iteration: p.Iteration,
			Verdict: p.Verdict, Reason: p.Reason}
		if len(p.Steps) > 0 {
			res.Trace = &driver.Trace{Tile: utf.TT09, Steps: p.Steps, Got: p.Got}
		}
		if err := w.Result(res); err != nil {
			t.Fatal(err)
		}
		if breaks > 0 && i%breaks == breaks-1 {
			w.flush()
		}
	}
	if err := w.End(Outcome{Tally: &driver.Tally{}}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func load(file []byte) (*Recording, []Execution, error) {
	r := &Recording{file: bytes.NewReader(file)}
	err := r.read(int64(len(file)))
	if err != nil {
		return nil, nil, err
	}
	var all []Execution
	for p, err := range r.Executions() {
		if err != nil {
			return r, all, err
		}
		c := *p
		c.Steps = append([]transport.Step(nil), p.Steps...)
		c.Got = append([]transport.Sample(nil), p.Got...)
		all = append(all, c)
	}
	return r, all, nil
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		executions := someExecutions.Draw(t, "executions")
		for i := range executions {
			if len(executions[i].Steps) == 0 {
				executions[i].Steps, executions[i].Got = nil, nil
			}
			if len(executions[i].Got) == 0 {
				executions[i].Got = nil
			}
		}
		r, got, err := load(write(t, executions, rapid.IntRange(0, 5).Draw(t, "breaks")))
		if err != nil || r.CutReason != "" || r.End == nil || r.Start.Bench != "v1" {
			t.Fatal(err, r)
		}
		if len(got) != len(executions) {
			t.Fatalf("%d executions of %d", len(got), len(executions))
		}
		for i := range got {
			if d := cmp.Diff(executions[i], got[i]); d != "" {
				t.Fatal(d)
			}
		}
	})
}

func threeExecutions() []Execution {
	steps := []transport.Step{{In: 0xFF, Reset: true, Clocks: 1}, {In: 0x6F, IO: 0x41, Drive: 0xFF, Clocks: 1},
		{In: 0xFF}}
	got := []transport.Sample{{Out: 0xC0}, {Out: 1, IO: 0x41}, {Out: 1, IOX: 0xFF}}
	return []Execution{
		{Vector: "a/1", Iteration: 1, Steps: steps, Got: got},
		{Vector: "a/2", Iteration: 1, Verdict: driver.Skipped, Reason: "not for this chip"},
		{Vector: "a/3", Iteration: 1, Verdict: driver.Error, Reason: "the cable is out", Steps: steps, Got: got[:2]},
	}
}

// FirstExecutions returns the first executions with a verdict.
func TestFirst(t *testing.T) {
	r, _, err := load(write(t, threeExecutions(), 0))
	if err != nil {
		t.Fatal(err)
	}
	if p, err := r.FirstExecutions(driver.Error, 2); err != nil || p[0].Vector != "a/3" || len(p[0].Steps) != 3 {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := r.FirstExecutions(driver.Fail, 2); err != nil || p != nil {
		t.Errorf("%+v, %v", p, err)
	}
}

// If a file is cut at any byte, its complete blocks can be read. Without a complete block, there is an error.
func TestCutAtEveryByte(t *testing.T) {
	suite, err := golden.Parse("own.vec", "suite own\ndocument d.md\nsection \"s\"\nvector a \"r\"\n  write utf8 "+
		"41\n  status READY\n", utf.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	whole := write(t, threeExecutions(), 1, suite)
	known := 0 // number of executions in the shorter file
	for n := range len(whole) {
		r, executions, err := load(whole[:n])
		if err != nil {
			if known > 0 || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "recording") {
				t.Fatalf("cut at %d: %v", n, err)
			}
			continue
		}
		if r.End != nil || r.CutReason == "" {
			t.Fatalf("cut at %d is taken for whole", n)
		}
		if len(executions) < known || len(executions) > known+1 {
			t.Fatalf("cut at %d: %d executions after %d", n, len(executions), known)
		}
		for i, p := range executions {
			if p.Vector != threeExecutions()[i].Vector {
				t.Fatalf("cut at %d: execution %d is %s", n, i, p.Vector)
			}
		}
		known = len(executions)
	}
	if known != 3 {
		t.Fatalf("%d executions before the end block", known)
	}
	if r, _, err := load(append(bytes.Clone(whole), 0)); err != nil || r.CutReason == "" {
		t.Fatal("a byte too many is not noticed")
	}
}

// A changed byte never changes an execution: the damaged block and all later blocks are skipped.
func TestDamageAtEveryByte(t *testing.T) {
	whole := write(t, threeExecutions(), 1)
	_, want, _ := load(whole)
	for n := range whole {
		bad := bytes.Clone(whole)
		bad[n] ^= 0x41
		r, executions, err := load(bad)
		if err != nil {
			continue
		}
		if r.CutReason == "" {
			t.Fatalf("byte %d changed and nothing was said", n)
		}
		for i := range executions {
			if d := cmp.Diff(want[i], executions[i]); d != "" {
				t.Fatalf("byte %d: %s", n, d)
			}
		}
	}
}

// OpenBrief reads the start and the end as Open does, and counts executions without reading them.
func TestBrief(t *testing.T) {
	whole := write(t, threeExecutions(), 1, &golden.Suite{File: "own.vec", Text: "suite own"})
	for n := range len(whole) + 1 {
		all := &Recording{file: bytes.NewReader(whole[:n])}
		brief := &Recording{file: bytes.NewReader(whole[:n]), brief: true}
		err, berr := all.read(int64(n)), brief.read(int64(n))
		if fmt.Sprint(err) != fmt.Sprint(berr) || all.CutReason != brief.CutReason || brief.SuiteFiles != nil ||
			cmp.Diff(all.Start, brief.Start) != "" || cmp.Diff(all.End, brief.End) != "" ||
			fmt.Sprint(all.spans) != fmt.Sprint(brief.spans) {
			t.Fatalf("cut at %d: %v %q, and without texts %v %q", n, err, all.CutReason, berr, brief.CutReason)
		}
	}
	blocks := split(t, whole)
	lost := bytes.Join(slices.Delete(blocks, 3, 4), nil)
	r := &Recording{file: bytes.NewReader(lost), brief: true}
	if err := r.read(int64(len(lost))); err != nil || r.CutReason != "it has 2 of 3 executions" {
		t.Errorf("%v, %q", err, r.CutReason)
	}
}

func split(t interface{ Fatal(...any) }, file []byte) (parts [][]byte) {
	n := len(magic) + 1
	for len(file) > 0 {
		if len(file) < n {
			t.Fatal("no recording")
		}
		parts, file = append(parts, file[:n:n]), file[n:]
		if len(file) > blockHead {
			n = blockHead + int(binary.LittleEndian.Uint32(file[1:])) + blockTail
		}
	}
	return parts
}

// A recording with a block missing, repeated or moved is reported as incomplete, although each block is intact.
func TestBlocksLostDoubledExchanged(t *testing.T) {
	random := rand.New(rand.NewPCG(72, 9))
	for range 200 {
		var executions []Execution
		for i := range 2 + random.IntN(8) {
			executions = append(executions, Execution{Vector: fmt.Sprint("a/", i%5), Iteration: 1 + i/5,
				Verdict: driver.Pass, Steps: make([]transport.Step, 1+random.IntN(9))})
		}
		blocks := split(t, write(t, executions, 1+random.IntN(2), &golden.Suite{File: "own.vec", Text: "suite own"}))
		i := 1 + random.IntN(len(blocks)-1) // index 0 is the head
		j := 1 + (i+random.IntN(len(blocks)-2))%(len(blocks)-1)
		exchanged := slices.Clone(blocks)
		exchanged[i], exchanged[j] = exchanged[j], exchanged[i]
		for what, parts := range map[string][][]byte{
			"lost":      slices.Concat(blocks[:i], blocks[i+1:]),
			"doubled":   slices.Insert(slices.Clone(blocks), i, blocks[i]),
			"exchanged": exchanged,
		} {
			r, _, err := load(bytes.Join(parts, nil))
			if err == nil && r.CutReason == "" && !bytes.Equal(blocks[i], blocks[j]) {
				t.Fatalf("%s: blocks %d and %d of %d", what, i, j, len(blocks))
			}
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty": "", "text": "{\"event\":\"start\"}\n",
		"newer": magic + "\x09", "older": magic + "\x00"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.HasPrefix(err.Error(), path+": ") ||
			!strings.Contains(err.Error(), "recording") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(dir); err == nil {
		t.Error("a folder was opened")
	}
}

// A whole run can be read back unchanged, and its size is as stated in docs/formats.md.
func TestRun(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	steps := play(t, w)
	r, executions, err := load(b.Bytes())
	if err != nil || r.End == nil {
		t.Fatal(err, r.CutReason)
	}
	got := 0
	for _, p := range executions {
		got += len(p.Got)
	}
	if got != steps || got == 0 {
		t.Errorf("%d samples of %d steps", got, steps)
	}
	t.Logf("%d steps in %d bytes, %.2f a step", steps, b.Len(), float64(b.Len())/float64(steps))
}

// A block whose header claims more data than a bench writes is rejected before it is read or decompressed.
func TestLimits(t *testing.T) {
	var b bytes.Buffer
	if err := NewWriter(&b).Start(Run{Identity: Identity{Revision: "tt09"}}); err != nil {
		t.Fatal(err)
	}
	start := b.Bytes()
	var strangers []byte
	for n := range golden.MaxVectors + 1 {
		strangers = (&Execution{Vector: fmt.Sprint("a/", n)}).append(strangers)
	}
	mebibyte := []byte("a.vec\x00" + strings.Repeat("#", 1<<20))
	for name, c := range map[string]struct {
		block []byte
		want  string
	}{
		"claim": {[]byte("P\x00\x00\x00\x40 and no more"), "claims 1073741824 bytes, and at most 25264128 are " +
			"allowed of its kind"},
		"bomb": {appendBlock(nil, kindExecutions, compressed(t, make([]byte, maxExecutions+1))),
			"it holds more than 25165824 bytes of executions"},
		"texts": {bytes.Repeat(appendBlock(nil, kindText, mebibyte), 97), "its suites have more than 100663296 bytes"},
		"names": {appendBlock(nil, kindExecutions, compressed(t, strangers)), "it has more than 30000 vectors"},
		"one name": {appendBlock(nil, kindExecutions,
			compressed(t, (&Execution{Vector: strings.Repeat("x", maxName+1)}).append(nil))),
			"it has an invalid execution"},
	} {
		r, _, err := load(append(bytes.Clone(start), c.block...))
		if said := fmt.Sprint(err, r.CutReason); !strings.Contains(said, c.want) {
			t.Errorf("%s: %s; want %q", name, said, c.want)
		}
	}
}

func compressed(t *testing.T, b []byte) []byte {
	pack := bytes.NewBuffer(make([]byte, countSize))
	w := testkit.Must(flate.NewWriter(pack, flate.BestSpeed))(t)
	w.Write(b)
	w.Close()
	return pack.Bytes()
}

// The end of a run fits into its block even if the maximum number of vectors is flaky.
func TestLongestEnd(t *testing.T) {
	end := End{FlakyVectors: make([]FlakyVector, golden.MaxVectors)}
	for i := range end.FlakyVectors {
		end.FlakyVectors[i] = FlakyVector{strings.Repeat("x", 300), 1e9, 1e8, 0.1 / 3, 0.2 / 3}
	}
	text, err := json.Marshal(shortened(end))
	if err != nil || int64(len(text)) > maxPayload[kindEnd] || !bytes.Contains(text, []byte("xxx")) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(write(f, threeExecutions(), 1))
	f.Add(write(f, nil, 0))
	seed, _ := hex.DecodeString("7574")
	f.Add(seed)
	f.Fuzz(func(t *testing.T, file []byte) {
		_, _, err := load(file)
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Error(err)
		}
	})
}

// FuzzRecording reads recordings with valid checksums, so that their blocks are decoded.
func FuzzRecording(f *testing.F) {
	pack := bytes.NewBuffer(make([]byte, countSize))
	w := testkit.Must(flate.NewWriter(pack, flate.BestSpeed))(f)
	w.Write(threeExecutions()[0].append(nil))
	w.Close()
	start := `{"event":"start","schema":1,"revision":"tt09"}`
	f.Add([]byte(start), []byte("a.vec\x00suite a"), pack.Bytes(), []byte(`{"end":{"event":"end"}}`))
	f.Add([]byte(start), []byte("a.vec\x00suite a\ndocument d\nsection \"s\"\nvector v \"r\"\n write utf8 "+
		"41\n status READY\n"), []byte{}, []byte(`{}`))
	f.Fuzz(func(t *testing.T, start, text, executions, end []byte) {
		file := appendBlock([]byte(magic+"\x03"), kindStart, start)
		if len(text) > 0 {
			file = appendBlock(file, kindText, text)
		}
		file = appendBlock(appendBlock(file, kindExecutions, executions), kindEnd, end)
		r, all, err := load(file)
		if err != nil && (strings.Contains(err.Error(), "\n") || err.Error() == "") {
			t.Errorf("no sentence: %q", err)
		}
		for _, p := range all {
			if len(p.Got) > len(p.Steps) || len(p.Vector) > maxName {
				t.Errorf("%+v", p)
			}
		}
		if r != nil {
			for _, text := range r.SuiteFiles {
				s, err := golden.Parse(printable.Text(text.Name), text.Text, utf.Dialect)
				if err == nil && (s == nil || len(s.Vectors) == 0) {
					t.Errorf("a suite without vectors")
				}
			}
		}
	})
}

// FuzzExecution decodes arbitrary bytes, as from a block with a valid checksum.
func FuzzExecution(f *testing.F) {
	for _, p := range threeExecutions() {
		f.Add(p.append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var p Execution
		rest, err := p.read(b)
		if err != nil {
			return
		}
		var again Execution
		if _, err := again.read(p.append(nil)); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(p, again); d != "" {
			t.Fatal(d, rest)
		}
	})
}

func BenchmarkRecord(b *testing.B) {
	steps := 0
	for b.Loop() {
		var buf bytes.Buffer
		steps += play(b, NewWriter(&buf))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
}

func BenchmarkWithout(b *testing.B) {
	steps := 0
	for b.Loop() {
		steps += play(b, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
}

var ctx = context.Background()

// Control characters are removed from the texts of a recording, since a terminal and a page show these texts.
func TestNothingHidden(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	if err := w.Start(Run{Identity: Identity{Chip: Chip{ROM: "tt09\x1b[2J\nPASS"}},
		Notes: []string{"a\rb"}}); err != nil {
		t.Fatal(err)
	}
	r := &Recording{file: bytes.NewReader(b.Bytes())}
	err := r.read(int64(b.Len()))
	if err != nil || r.Start.ROM != `tt09\x1b[2J\nPASS` || r.Start.Notes[0] != `a\rb` {
		t.Errorf("%+v, %v", r, err)
	}
}

// All texts of a recording together must not exceed the size limit of a single file.
func TestTextLimit(t *testing.T) {
	s := scan{Recording: &Recording{text: golden.MaxText}}
	if err := s.block(kindText, 1, 0); err == nil || !strings.Contains(err.Error(), "its suites have more than ") {
		t.Error(err)
	}
}
