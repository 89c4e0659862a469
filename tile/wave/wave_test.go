package wave

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/transport"
)

// header returns a VCD header with a tile's ports; uo_out consists of single bits, as some simulators write it.
func header() string {
	var b strings.Builder
	b.WriteString("$date today $end\n$timescale 1ps $end\n$scope module tb $end\n$var wire 1 c clk $end\n" +
		"$scope module user_project $end\n$var wire 1 c clk $end\n$var wire 1 r rst_n $end\n" +
		"$var wire 8 i ui_in [7:0] $end\n$var wire 8 j uio_in[7:0] $end\n$var wire 8 p uio_out [7:0] $end\n" +
		"$var wire 8 e uio_oe [7:0] $end\n")
	for bit := range 8 {
		fmt.Fprintf(&b, "$var wire 1 o%d uo_out [%d] $end\n", bit, bit)
	}
	b.WriteString("$var wire 1 n ena $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n")
	return b.String()
}

// out formats a byte of uo bit by bit.
func out(b uint8) string {
	var s strings.Builder
	for bit := range 8 {
		fmt.Fprintf(&s, "%do%d\n", b>>bit&1, bit)
	}
	return s.String()
}

// byHand returns a hand-written waveform with a reset, an input that changes with an edge, one that changes between
// edges, and a bus that changes direction.
func byHand() string {
	return header() + "#0\n$dumpvars\n0c\n0r\nb0 i\nb101 j\nb0 p\nb0 e\n" + out(0) + "$end\n" +
		"#10\n1c\n#15\n0c\n#20\n1r\n" +
		"#30\n1c\nb11 i\n" + out(3) + "#35\n0c\n" + // with the edge
		"#42\nb111 i\n" + out(7) + // between edges
		"#50\n1c\nb11111111 e\nb1010zx10 p\n#55\n0c\n#70\n1c\n#75\n0c\n#90\n1c\n#95\n0c\n"
}

func TestRead(t *testing.T) {
	w := testkit.Must(Read(strings.NewReader(byHand()), Options{}))(t)
	bits := func(b uint8) golden.Bits { return golden.Bits{Mask: 0xFF, Level: b} }
	five := transport.Step{IO: 5, Drive: 0xFF} // the test drives all of uio, whatever the tile does
	with := func(s transport.Step, in, clocks uint8, reset bool) transport.Step {
		s.In, s.Clocks, s.Reset = in, clocks, reset
		return s
	}
	turns := Piece{with(five, 7, 1, false), bits(7), golden.Bits{Mask: 0xF3, Level: 0xA2}, 0}
	turned := turns
	turned.Clocks = 2                       // the first clock with other outputs is a step of its own
	none, off := golden.Bits{}, uint8(0xFF) // uio is not driven
	want := [2][]Piece{AfterEdge: {
		{with(five, 0, 0, true), bits(0), none, off}, {with(five, 0, 1, true), bits(0), none, off},
		{with(five, 0, 0, false), bits(0), none, off}, {Step: with(five, 0, 1, false)},
		{with(five, 3, 0, false), bits(3), none, off}, {with(five, 7, 0, false), bits(7), none, off}, turns,
		turned,
	}, BeforeEdge: {
		{with(five, 0, 0, true), bits(0), none, off}, {with(five, 0, 1, true), bits(0), none, off},
		{with(five, 0, 0, false), bits(0), none, off}, {with(five, 3, 1, false), bits(3), none, off},
		{with(five, 7, 0, false), bits(7), none, off}, turns, turned,
	}}
	for rule, pieces := range want {
		got := w.Pieces[rule]
		for i, p := range pieces {
			if i >= len(got) || got[i] != p {
				t.Fatalf("inputs come %s: step %d\n got %+v\nwant %+v", Rule(rule), i+1, got, pieces)
			}
		}
		if len(got) != len(pieces) {
			t.Errorf("inputs come %s: %d steps, not %d", Rule(rule), len(got), len(pieces))
		}
	}
	if w.Scope != "tb.user_project" || w.Clocks != 5 || w.Oddities.EdgeChanges != 1 || w.Oddities.LowChanges != 2 ||
		w.Oddities.MergedClocks != 1 || w.Oddities.HighChanges != 0 || w.Oddities.IrregularPeriods != 0 {
		t.Errorf("%+v", *w)
	}
}

// Words may be on separate lines or share one, and comments and real numbers change no port.
func TestWords(t *testing.T) {
	want := testkit.Must(Read(strings.NewReader(byHand()), Options{}))(t)
	head, changes := header(), byHand()[len(header()):]
	for _, text := range []string{
		strings.ReplaceAll(changes, "\n", " "),
		strings.ReplaceAll(changes, "\n", "\t\t"),
		strings.ReplaceAll(changes, " ", "\r\n"),
		strings.ReplaceAll(changes, "#35", "$comment b1 i 1c $end r1.5 c r0 0\npD 1c 1c\n#35"),
	} {
		got, err := Read(strings.NewReader(head+text+"\n"), Options{})
		shown := func(w *Wave) string { return fmt.Sprint(w.Pieces, w.Oddities, w.Clocks) }
		if err != nil || shown(got) != shown(want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Read takes levels that only VHDL has for unknown.
func TestVHDL(t *testing.T) {
	want := testkit.Must(Read(strings.NewReader(strings.Replace(byHand(), "1o2", "xo2", 1)), Options{}))(t)
	for _, level := range []string{"u", "W", "l", "h", "-"} {
		text := strings.Replace(byHand(), "1o2", level+"o2", 1)
		if got := testkit.Must(Read(strings.NewReader(text), Options{}))(t); !slices.Equal(got.Pieces[AfterEdge],
			want.Pieces[AfterEdge]) {
			t.Errorf("%so2: %+v", level, got.Pieces[AfterEdge])
		}
	}
}

// A port may be declared in several parts.
func TestParts(t *testing.T) {
	want := testkit.Must(Read(strings.NewReader(byHand()), Options{}))(t)
	text := strings.NewReplacer("$var wire 8 i ui_in [7:0] ",
		"$var wire 5 I ui_in [7:3] $end $var wire 1 H ui_in[2:2] $end $var wire 2 i ui_in [1:0] ",
		"b0 i\n", "b0 i\nb0 I\n0H\n", "b111 i", "b1 H", "rst_n", "rst_n [0:0]").Replace(byHand())
	got := testkit.Must(Read(strings.NewReader(text), Options{}))(t)
	if fmt.Sprint(got.Pieces) != fmt.Sprint(want.Pieces) {
		t.Errorf("\n got %+v\nwant %+v", got.Pieces, want.Pieces)
	}
}

// A file cut off anywhere, as by a killed simulation, yields the first steps of the whole file.
func TestCut(t *testing.T) {
	whole := byHand() + "#100\n"
	want := testkit.Must(Read(strings.NewReader(whole), Options{}))(t)
	for end := len(header()); end < len(whole); end++ {
		got, err := Read(strings.NewReader(whole[:end]), Options{})
		if err != nil && strings.Contains(err.Error(), "nothing changes") {
			continue
		}
		if err != nil {
			t.Fatalf("%q: %v", whole[len(header()):end], err)
		}
		for rule, pieces := range got.Pieces {
			last := &pieces[len(pieces)-1]
			if all := want.Pieces[rule]; len(pieces) <= len(all) && all[len(pieces)-1].Clocks > last.Clocks {
				last.Clocks = all[len(pieces)-1].Clocks // the file may lack some of its clocks
			}
			if !slices.Equal(pieces, want.Pieces[rule][:min(len(pieces), len(want.Pieces[rule]))]) {
				t.Fatalf("%q: %+v", whole[len(header()):end], pieces)
			}
		}
	}
}

// A series of more clocks than fit into a step becomes several steps.
func TestManyClocks(t *testing.T) {
	var b strings.Builder
	b.WriteString(header() + "#0\n0c\n0r\nb0 i\nb0 j\nb0 p\nb0 e\n" + out(0))
	for n := range 1000 {
		fmt.Fprintf(&b, "#%d\n1c\n#%d\n0c\n", 10*n+5, 10*n+10)
	}
	w := testkit.Must(Read(strings.NewReader(b.String()), Options{}))(t)
	clocks := 0
	for _, p := range w.Pieces[AfterEdge] {
		clocks += int(p.Clocks)
	}
	if clocks != 1000 || len(w.Pieces[AfterEdge]) > 6 {
		t.Errorf("%d clocks in %d steps", clocks, len(w.Pieces[AfterEdge]))
	}
}

// Text that is not a tile's waveform is rejected with one sentence.
func TestMistakes(t *testing.T) {
	lacks := strings.Replace(header(), "uio_oe", "other", 1)
	module := header()[strings.Index(header(), "$scope module user"):strings.Index(header(), "$upscope")]
	twice := strings.Replace(header(), module, module+"$upscope $end\n"+strings.Replace(module, "user_", "a_", 1), 1)
	for text, want := range map[string]string{
		"":                            "no $enddefinitions",
		"$scope module a $end\n":      "no $enddefinitions",
		"$enddefinitions $end\n#0\n":  "no scope has a port of a tile",
		lacks + "#0\n0c\n":            "no scope has all ports of a tile: tb.user_project has no uio_oe",
		twice:                         "tb.user_project and tb.a_project have all ports of a tile: choose one",
		header():                      "nothing changes at the ports of tb.user_project",
		header() + "#5\n0c\n#4\n1c\n": `"#4" is no time after 5`,
		header() + "#5\nb o1\n":       "a value without digits",
	} {
		if _, err := Read(strings.NewReader(text), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
	for scope, want := range map[string]string{
		"tb":  "the scope tb has no rst_n, ui_in, uio_in, uo_out, uio_out, uio_oe",
		"dut": "no scope dut has a port of a tile: tb.user_project has all",
	} {
		if _, err := Read(strings.NewReader(byHand()), Options{Scope: scope}); err == nil || err.Error() != want {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// follower is a tile that shows on uo the levels of ui at the last edge, or the current ones.
type follower struct {
	tile.Tile
	clocked bool
}

func (f follower) New() tile.Reference { return &following{clocked: f.clocked} }
func (follower) Idle() uint8           { return 0 }
func (follower) Name() string          { return "follower" }

type following struct {
	clocked bool
	held    uint8
}

func (f *following) FaultChip() fault.Chip { return f }

func (f *following) Settle(in fault.Levels) {
	if !f.clocked {
		f.held = uint8(in.V >> fault.UI)
	}
}

func (f *following) ClockEdge(in fault.Levels) { f.held = uint8(in.V >> fault.UI) }

func (f *following) Drives(fault.Levels) (out fault.Levels, lines uint32) {
	return fault.Levels{V: uint32(f.held) << fault.UO}, fault.MaskUO
}

func (f *following) Run(steps []transport.Step, samples []transport.Sample) error {
	for i, s := range steps {
		if s.Clocks > 0 || !f.clocked {
			f.held = s.In
		}
		samples[i] = transport.Sample{Out: f.held, IO: s.IO, IOX: ^s.Drive}
	}
	return nil
}

// Calibrate finds the rule under which the reference fits, and rejects another design's waveform.
func TestCalibrate(t *testing.T) {
	wave := func(show func(n int) uint8) *Wave {
		var b strings.Builder
		b.WriteString(header() + "#0\n0c\n1r\nb0 i\nb0 j\nb0 p\nb0 e\n" + out(0))
		for n := 1; n < 100; n++ {
			fmt.Fprintf(&b, "#%d\n1c\nb%08b i\n%s#%d\n0c\n", 10*n, n*7%256, out(show(n)), 10*n+5)
		}
		return testkit.Must(Read(strings.NewReader(b.String()), Options{}))(t)
	}
	old := wave(func(n int) uint8 { return uint8((n - 1) * 7) })
	new := wave(func(n int) uint8 { return uint8(n * 7) })
	for _, c := range []struct {
		name string
		w    *Wave
		of   follower
		rule Rule
		both bool
	}{
		{"a register that took the old level", old, follower{clocked: true}, AfterEdge, false},
		{"a register that took the new level", new, follower{clocked: true}, BeforeEdge, false},
		{"no register", new, follower{}, AfterEdge, true},
	} {
		fit, both, err := c.w.Calibrate(c.of)
		if err != nil || fit.Rule != c.rule || both != c.both || fit.WrongSteps != 0 || fit.KnownBits == 0 {
			t.Errorf("%s: %+v, both %v, %v", c.name, fit, both, err)
		}
	}
	_, _, err := wave(func(n int) uint8 { return uint8(n * n) }).Calibrate(follower{clocked: true})
	e, is := err.(*NoFitError)
	if !is || !strings.Contains(err.Error(), "the first at 10 ps on uo0") ||
		!strings.Contains(err.Error(), ", where the waveform shows uo ") ||
		!strings.HasSuffix(err.Error(), ": is it of other sources of follower, or of another tile (--tile)?") ||
		strings.ContainsAny(err.Error(), "\n=") {
		t.Fatalf("another design: %v", err)
	}
	for i := range e.Fits {
		e.Fits[i].First.OnlyWaveDrives = e.Fits[i].First.Lines
	}
	if !strings.Contains(err.Error(), " on uo0, which the waveform drives and the gates do not; ") {
		t.Errorf("a line that the gates do not drive: %v", err)
	}
	e.Fits[1].WrongSteps, e.Fits[1].Steps = 2, 1620
	if !strings.Contains(err.Error(), "at the edge of clk with =, in place of <=") {
		t.Errorf("a race of the test bench: %v", err)
	}
	e.Fits[1].Steps = 100
	if e.wave.Oddities.UnknownChanges = 3; !strings.Contains(err.Error(), ": inputs become unknown 3 times, ") {
		t.Errorf("unknown inputs: %v", err)
	}
}

// An FST is rejected with advice on how to convert it.
func TestFST(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.fst")
	if err := os.WriteFile(path, fstMagic, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := open(path, Options{}); err == nil || !strings.Contains(err.Error(), "fst2vcd converts it") {
		t.Error(err)
	}
}

// FuzzRead checks that any file yields steps or an error of one sentence, and as many clocks as the file has edges.
func FuzzRead(f *testing.F) {
	f.Add(byHand())
	f.Add(header() + "#0 0c b o1 $comment 1c $end r1 c\n#1 1c")
	f.Add(header() + "#0\n\x000c\n1c \v0r\n")
	f.Add(header() + "#0\nbxz i\n1c\nb1 c\n#18446744073709551615\n0c\n")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := Read(strings.NewReader(text), Options{})
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("no sentence: %q", err)
			}
			return
		}
		for rule, pieces := range w.Pieces {
			clocks := 0
			for _, p := range pieces {
				clocks += int(p.Clocks)
				if p.Step.IO&^p.Drive != 0 {
					t.Errorf("rule %d: a level that nobody knows: %+v", rule, p)
				}
			}
			if clocks != w.Clocks {
				t.Errorf("rule %d: %d clocks of %d", rule, clocks, w.Clocks)
			}
		}
	})
}

// A waveform that ends before the outputs can have followed its last edge is read without that edge.
func TestLate(t *testing.T) {
	clocks := "#0\n$dumpvars\n0c\n1r\nb0 i\nb0 j\nb0 p\nb0 e\n" + out(0) + "$end\n" +
		"#10000\n1c\n#11000\n" + out(1) + "#15000\n0c\n#20000\n1c\n#21000\n" + out(2) + "#25000\n0c\n#30000\n1c\n"
	for end, want := range map[string]int{"#30001\n": 2, "#31000\n" + out(3) + "#31001\n": 3} {
		w, err := Read(strings.NewReader(header()+clocks+end), Options{})
		if err != nil || w.Clocks != want || (w.Oddities.LateEdges == 1) != (want == 2) {
			t.Fatalf("%q: %+v, %v", end, w, err)
		}
		last := w.Pieces[AfterEdge][len(w.Pieces[AfterEdge])-1]
		if last.Out.Level != uint8(want) || strings.Contains(strings.Join(w.Notes(), " "), "left out") != (want == 2) {
			t.Errorf("%q: %+v, %q", end, last, w.Notes())
		}
	}
	w := &Wave{times: [2][]uint64{{4750000, 4750}}, unit: "1ps"}
	if got := w.at(AfterEdge, 0) + " " + w.at(AfterEdge, 1); got != "4750 ns 4750 ps" {
		t.Error(got)
	}
}
