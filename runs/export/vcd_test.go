package export

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// excerpts generates whole vectors with random steps and samples, and with names that would end a comment.
var excerpts = rapid.Custom(func(t *rapid.T) *Excerpt {
	sample := func(label string) transport.Sample {
		b := rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, label)
		if rapid.Bool().Draw(t, "known") {
			b[1], b[3] = 0, 0
		}
		return transport.Sample{Out: b[0] &^ b[1], OutX: b[1], IO: b[2] &^ b[3], IOX: b[3]}
	}
	tr := driver.Trace{Tile: utf.TT09}
	for range rapid.IntRange(1, 12).Draw(t, "steps") {
		b := rapid.SliceOfN(rapid.Byte(), 3, 3).Draw(t, "step")
		tr.Steps = append(tr.Steps, transport.Step{In: b[0], IO: b[1], Drive: b[2],
			Reset:  rapid.Bool().Draw(t, "reset"),
			Clocks: rapid.SampledFrom([]uint8{0, 1, 1, 1, 2, 255}).Draw(t, "clocks"),
			Linger: rapid.Bool().Draw(t, "linger")})
		want := sample("want")
		tr.Want = append(tr.Want, want)
		if rapid.Bool().Draw(t, "alike") {
			tr.Got = append(tr.Got, want)
		} else {
			tr.Got = append(tr.Got, sample("got"))
		}
	}
	r := &driver.Result{Vector: &golden.Vector{Name: rapid.SampledFrom([]string{"a/b", "$end #7",
		"ö\n$end\x00\\"}).Draw(t, "name")}, Iteration: 1}
	for i := range tr.Got {
		if tr.Differ(i) != 0 {
			r.FirstMismatch = &driver.Mismatch{Index: i}
			break
		}
	}
	tr.Got = tr.Got[:rapid.IntRange(0, len(tr.Got)).Draw(t, "answered")]
	if r.FirstMismatch != nil && r.FirstMismatch.Index >= len(tr.Got) {
		r.FirstMismatch = nil
	}
	r.Trace = &tr
	return WholeVector(r)
})

func TestVCDHoldsTheTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := excerpts.Draw(t, "excerpt")
		var b bytes.Buffer
		if err := WriteVCD(&b, e); err != nil {
			t.Fatal(err)
		}
		compareTrace(t, parseVCD(t, b.String()), e)
	})
}

// GTKWave's own reader accepts the file, and writes it back with the same values.
func TestGTKWaveReadsIt(t *testing.T) {
	for _, tool := range []string{"vcd2fst", "fst2vcd"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s (Debian package gtkwave)", tool)
		}
	}
	dir := t.TempDir()
	vcd, fst := filepath.Join(dir, "a.vcd"), filepath.Join(dir, "a.fst")
	for seed := range 20 {
		e := excerpts.Example(seed)
		var b bytes.Buffer
		if err := WriteVCD(&b, e); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(vcd, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("vcd2fst", vcd, fst).CombinedOutput(); err != nil {
			t.Fatalf("vcd2fst: %v\n%s", err, out)
		}
		again, err := exec.Command("fst2vcd", fst).Output()
		if err != nil {
			t.Fatalf("fst2vcd: %v", err)
		}
		compareTrace(t, parseVCD(t, string(again)), e)
	}
}

// compareTrace checks the levels before, at and after the sample of each step.
func compareTrace(t rapid.TB, f *dump, e *Excerpt) {
	begin := 0
	for i, s := range e.Trace.Steps {
		look := begin + 60
		if s.Clocks > 1 {
			look += 20 * (int(s.Clocks) - 1)
		}
		same := func(name string, at int, want string) {
			if got := f.at(name, at); got != want {
				t.Fatalf("step %d, %d ns: %s is %q, want %q", i+1, at, name, got, want)
			}
		}
		rst := "1"
		if s.Reset {
			rst = "0"
		}
		if i > 0 { // the bench releases uio before it sets ui, and drives uio afterwards
			before := e.Trace.Steps[i-1]
			held := transport.LingeringLines(e.Trace.Steps, i)
			same("bench.uio_drive", begin+19, letters(before.IO, 0, ^before.Drive|^(s.Drive|held)))
			same("bench.uio_drive", begin+29, letters(before.IO&held|s.IO&^held, 0, ^(s.Drive|held)))
			same("bench.ui", begin+9, fmt.Sprintf("%08b", before.In))
		}
		same("bench.step", begin, fmt.Sprintf("%032b", i+1))
		same("bench.ui", begin+10, fmt.Sprintf("%08b", s.In))
		same("bench.ui4_READ", look, fmt.Sprint(s.In>>4&1))
		same("bench.rst_n", look, rst)
		same("bench.uio_drive", begin+30, letters(s.IO, 0, ^s.Drive))
		same("bench.clk", begin+29, "0")
		if n := f.rises("bench.clk", begin, look); n != int(s.Clocks) {
			t.Fatalf("step %d: %d pulses, want %d", i+1, n, s.Clocks)
		}
		for _, name := range []string{"got.got_uo", "got.got_uio", "want.want_uo", "want.want_uio"} {
			same(name, begin, "xxxxxxxx")
			same(name, look-1, "xxxxxxxx")
		}
		same("check.mismatch", look-1, "0")
		w := e.Trace.Want[i]
		out, io := letters(w.Out, w.OutX, 0), letters(w.IO, w.IOX, 0)
		gotOut, gotIO := "xxxxxxxx", "xxxxxxxx"
		diffOut, diffIO := "00000000", "00000000"
		if i < len(e.Trace.Got) {
			g := e.Trace.Got[i]
			gotOut, gotIO = letters(g.Out, g.OutX, 0), letters(g.IO, g.IOX, 0)
			diffOut, diffIO = unlike(gotOut, out), unlike(gotIO, io)
		}
		any := "0"
		if strings.Contains(diffOut+diffIO, "1") {
			any = "1"
		}
		for _, at := range []int{look, look + 39} {
			same("want.want_uo", at, out)
			same("want.want_uio", at, io)
			same("got.got_uo", at, gotOut)
			same("got.got_uio", at, gotIO)
			same("got.got_uo3_OVERLONG_or_HIGHCHAR", at, gotOut[4:5])
			same("check.mismatch_uo", at, diffOut)
			same("check.mismatch_uio", at, diffIO)
			same("check.mismatch", at, any)
		}
		begin = look + 40
	}
	if f.end != begin {
		t.Fatalf("ends at %d ns, want %d", f.end, begin)
	}
}

func letters(v, x, z uint8) string {
	s := []byte(fmt.Sprintf("%08b", v))
	for i := range s {
		switch bit := uint8(0x80) >> i; {
		case x&bit != 0:
			s[i] = 'x'
		case z&bit != 0:
			s[i] = 'z'
		}
	}
	return string(s)
}

// unlike marks the characters where got does not match want.
func unlike(got, want string) string {
	s := []byte("00000000")
	for i := range s {
		if want[i] != 'x' && got[i] != want[i] {
			s[i] = '1'
		}
	}
	return string(s)
}

func TestAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := excerpts.Draw(t, "excerpt")
		r := &driver.Result{Vector: &golden.Vector{Name: "a/b"}, Trace: &whole.Trace}
		if whole.DivergenceIndex >= 0 {
			r.FirstMismatch = &driver.Mismatch{Index: whole.DivergenceIndex}
		}
		tr := whole.Trace
		steps := slices.Clone(tr.Steps)
		e := AroundDivergence(r)
		clear(tr.Steps) // the excerpt must have copied the trace
		n := len(e.Trace.Steps)
		if n == 0 || n > StepsBeforeDivergence+1+StepsAfterDivergence || len(e.Trace.Want) != n ||
			len(e.Trace.Got) > n || !slices.Equal(e.Trace.Steps, steps[e.FirstStep:e.FirstStep+n]) {
			t.Fatalf("steps %d to %d of %d, %d expected, %d answered", e.FirstStep, e.FirstStep+n, e.VectorSteps,
				len(e.Trace.Want),
				len(e.Trace.Got))
		}
		if whole.DivergenceIndex >= 0 && e.FirstStep+e.DivergenceIndex != whole.DivergenceIndex ||
			whole.DivergenceIndex < 0 && e.DivergenceIndex != -1 {
			t.Fatalf("the divergence is at %d here and %d there", e.DivergenceIndex, whole.DivergenceIndex)
		}
	})
}
