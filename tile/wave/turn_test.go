package wave

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/transport"
)

// A byteTile stores a byte: it takes uio at an edge while ui0 is 1 and ui7 is 0, and shows it on uo. While ui7 is 1 it
// drives the byte on uio. If slow is set, it does so while ui7 was 1 at the latest edge; if echo is set, it drives the
// byte after each edge at which it took one. flip inverts bit 0 of the input.
type byteTile struct{ slow, echo, flip bool }

func (b byteTile) open(t *testing.T) tile.Tile {
	t.Helper()
	oe, turn, first := "ui_in[7]", "ui_in[7]", "uio_in[0]"
	if b.echo {
		oe, turn = "turned", "write"
	}
	var v strings.Builder
	v.WriteString(`module tt_um_byte (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe,
  input ena, clk, rst_n);
  inv read (.A(ui_in[7]), .Y(writes)); inv first (.A(uio_in[0]), .Y(flipped));
  nand2 a (.A(writes), .B(ui_in[0]), .Y(b));
  inv c (.A(b), .Y(write)); dfxtp turn (.CLK(clk), .D(` + turn + `), .Q(turned));
`)
	if b.slow {
		oe = "turned"
	}
	if b.flip {
		first = "flipped"
	}
	for i := range 8 {
		in := fmt.Sprintf("uio_in[%d]", i)
		if i == 0 {
			in = first
		}
		fmt.Fprintf(&v, `  mux2 m%d (.A0(q%[1]d), .A1(%s), .S(write), .X(d%[1]d));
  dfxtp f%[1]d (.CLK(clk), .D(d%[1]d), .Q(q%[1]d));
  assign uo_out[%[1]d] = q%[1]d; assign uio_out[%[1]d] = q%[1]d; assign uio_oe[%[1]d] = %[3]s;
`, i, in, oe)
	}
	text := testkit.SkyWaterCells(v.String() + "endmodule\n")
	c, _, err := gates.ReadNetlist(gates.Source{File: "byte.v", Text: text}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return gates.New(&project.Project{Top: "tt_um_byte"}, testkit.Must(gates.Compile(c))(t), "0123456789abcdef")
}

// simulate returns the waveform of a test that repeatedly writes a byte and reads it in the next clock. Its inputs
// change at the edges; with BeforeEdge the tile takes the new levels.
func (b byteTile) simulate(times int, rule Rule) string {
	var v strings.Builder
	v.WriteString(header() + "#0\n0c\n1r\nb0 i\nb0 j\nb0 p\nb0 e\n" + out(0))
	rng := rand.New(rand.NewPCG(1, 1))
	var held, drives, ui, uio uint8
	for clock := range 2 * times {
		sees, byte := ui, uio
		if ui, uio = 0x81, uint8(rng.Uint32()); clock%2 == 0 {
			ui = 1
		}
		if rule == BeforeEdge {
			sees, byte = ui, uio
		}
		if sees == 1 {
			held = byte
		}
		switch drives = -(ui >> 7); {
		case b.slow:
			drives = -(sees >> 7)
		case b.echo:
			drives = -(sees>>7 ^ 1) & -(sees & 1)
		}
		fmt.Fprintf(&v, "#%d\n1c\nb%08b i\nb%08b j\nb%08b p\nb%08b e\n%s#%d\n0c\n", 10*clock+10, ui, uio, held, drives,
			out(held), 10*clock+15)
	}
	return v.String()
}

// imported simulates the tile, imports the waveform, and returns the suite and the steps of its only vector.
func (b byteTile) imported(t *testing.T, times int, rule Rule, release bool) (*Suite, []transport.Step) {
	t.Helper()
	w, err := Read(strings.NewReader(b.simulate(times, rule)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, own := &Suite{Name: "byte", File: "byte.vcd", Wave: w, Release: release}, b.open(t)
	if err := s.choose(own, nil); err != nil || s.Fit.Rule != rule {
		t.Fatal(s.Fit.Rule, err)
	}
	if s.Parts, err = w.Parts(own, s.Fit); err != nil || len(s.Parts) != 1 {
		t.Fatalf("%d parts, %v", len(s.Parts), err)
	}
	s.settle(own)
	if err := s.Write(io.Discard, own); err != nil {
		t.Fatal(err)
	}
	steps, shows, err := s.asked(own, s.Parts[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Parts[0] {
		s.Parts[0][i].keep(shows[i], steps[i].Drive)
	}
	return s, steps
}

// wrong returns the number of steps at which another tile differs from a vector's expectations.
func wrong(t *testing.T, other tile.Tile, steps []transport.Step, part []Piece) (n int) {
	t.Helper()
	if err := other.Lint(steps); err != nil {
		t.Fatal(err)
	}
	shows := make([]transport.Sample, len(steps))
	if err := tile.Expect(other, steps, shows); err != nil {
		t.Fatal(err)
	}
	return differs(part, shows)
}

// differs returns the number of steps at which samples differ from a part's expectations.
func differs(part []Piece, shows []transport.Sample) (n int) {
	for i, p := range part {
		want := transport.Sample{Out: p.Out.Level, OutX: ^p.Out.Mask, IO: p.IO.Level, IOX: ^p.IO.Mask}
		if shows[i].Differ(want) != 0 {
			n++
		}
	}
	return n
}

// If uio_oe follows ui, a test that writes at an edge and reads from that edge on is replayed completely: the bench
// drives the byte until after the edge. A wrong bit of the byte is detected.
func TestDriveUntilTheEdge(t *testing.T) {
	const times = 500
	s, steps := byteTile{}.imported(t, times, AfterEdge, false)
	if s.UncheckedBits() != 0 || s.Fit.WrongSteps != 0 || s.CheckedBits < 16*times {
		t.Errorf("%d bits are checked, %d are not, %d steps differ", s.CheckedBits, s.UncheckedBits(), s.Fit.WrongSteps)
	}
	if n := wrong(t, byteTile{}.open(t), steps, s.Parts[0]); n != 0 {
		t.Errorf("the tile itself differs at %d steps", n)
	}
	if n := wrong(t, byteTile{flip: true}.open(t), steps, s.Parts[0]); n < times {
		t.Errorf("a wrong bit is seen at %d steps, want %d", n, times)
	}
	if words := strings.Join(s.Summary(), "\n") + s.Weakness(); strings.Contains(words, "not checked, since") ||
		strings.Contains(words, "check only") {
		t.Error(words)
	}
}

// If the tile begins to drive at the edge at which it takes a byte, the steps linger, and the waveform is replayed
// completely. Without lingering steps, the dependent bits are counted as unchecked.
func TestLinger(t *testing.T) {
	const times = 500
	for _, rule := range []Rule{AfterEdge, BeforeEdge} {
		s, steps := byteTile{echo: true}.imported(t, times, rule, false)
		// the chip may drive uio at power-up, until the first edges
		if s.UncheckedBits() > 24 || s.Fit.WrongSteps != 0 || s.CheckedBits < 15*times || s.LingeringSteps < times-2 {
			t.Errorf("%s: %d bits are checked, %d are not, %d steps differ, %d linger", rule, s.CheckedBits,
				s.UncheckedBits(), s.Fit.WrongSteps, s.LingeringSteps)
		}
		if n := wrong(t, byteTile{echo: true}.open(t), steps, s.Parts[0]); n != 0 {
			t.Errorf("%s: the tile itself differs at %d steps", rule, n)
		}
		shown := make([]transport.Sample, len(steps))
		if err := fault.New(tile.WiredChip(byteTile{echo: true}.open(t)), nil, 1).Run(steps, shown); err != nil {
			t.Fatal(err)
		}
		if n := differs(s.Parts[0], shown); n != 0 {
			t.Errorf("%s: at the end of wires the tile differs at %d steps", rule, n)
		}
		if n := wrong(t, byteTile{echo: true, flip: true}.open(t), steps, s.Parts[0]); n < times {
			t.Errorf("%s: a wrong bit is seen at %d steps, want %d", rule, n, times)
		}
		s, steps = byteTile{echo: true}.imported(t, times, rule, true)
		if s.UncheckedBits() < 7*times || s.LingeringSteps != 0 || slices.ContainsFunc(steps, lingers) {
			t.Errorf("%s: %d bits are not checked, %d steps linger", rule, s.UncheckedBits(), s.LingeringSteps)
		}
	}
}

func lingers(s transport.Step) bool { return s.Linger }

// If the tile drives until the edge at which it takes the byte, no bench can drive the byte. The dependent bits are
// counted as unchecked, and no expectation is wrong.
func TestBitsLeftOutAreCounted(t *testing.T) {
	const times = 500
	s, steps := byteTile{slow: true}.imported(t, times, AfterEdge, false)
	if s.Fit.WrongSteps != 0 || s.UncheckedBits() < 7*times {
		t.Errorf("%d bits are checked, %d are not, %d steps differ", s.CheckedBits, s.UncheckedBits(), s.Fit.WrongSteps)
	}
	if n := wrong(t, byteTile{slow: true}.open(t), steps, s.Parts[0]); n != 0 {
		t.Errorf("the tile itself differs at %d steps", n)
	}
	all := s.CheckedBits + s.UncheckedBits() + s.Fit.UnknownToReference
	want := fmt.Sprintf("check %d of the %d output bits", s.CheckedBits, all)
	note := fmt.Sprintf("note: %d bits are not checked, since they depend on levels that the test put on lines of uio",
		s.UncheckedBits())
	if words := strings.Join(s.Summary(), "\n"); !strings.Contains(words, want) || !strings.Contains(words, note) {
		t.Errorf("%s\nwant %q and %q", words, want, note)
	}
	s.Ambiguous = true
	if !strings.Contains(s.Summary()[0], "inputs that change at an edge come after it; before it would fit as well") {
		t.Error(s.Summary()[0])
	}
}

// A waveform does not fit a tile that drives different lines of uio, whether fewer or more.
func TestDirections(t *testing.T) {
	own := byteTile{}.simulate(9, AfterEdge)
	for from, c := range map[string]struct{ to, want string }{
		"b11111111 e": {"b00000000 e", " uio7, which the gates drive and the waveform does not; "},
		"b00000000 e": {"b11111111 e", " uio7, which the waveform drives and the gates do not; "},
	} {
		w := testkit.Must(Read(strings.NewReader(strings.ReplaceAll(own, from, c.to)), Options{}))(t)
		if _, _, err := w.Calibrate(byteTile{}.open(t)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// The waveform of a tile with state that no reset sets is kept as one vector, since separate parts would check less.
func TestPartsKnowAsMuch(t *testing.T) {
	s, _ := byteTile{}.imported(t, 50, AfterEdge, false)
	pieces := s.Wave.Pieces[AfterEdge]
	for i := range pieces {
		pieces[i].Reset = i%20 == 0
	}
	parts, err := s.Wave.Parts(byteTile{}.open(t), s.Fit)
	if err != nil || len(parts) != 1 {
		t.Errorf("%d parts, %v", len(parts), err)
	}
}

// keep drops expected bits that the reference does not know or contradicts, or that the bench drives.
func TestKeep(t *testing.T) {
	p := Piece{Out: golden.Bits{Mask: 0xFF, Level: 0xF0}, IO: golden.Bits{Mask: 0xFF, Level: 0xF0}}
	n := p.keep(transport.Sample{Out: 0x80, OutX: 0x33, IO: 0x80, IOX: 0x33}, 0x04)
	out, io := golden.Bits{Mask: 0x8C, Level: 0x80}, golden.Bits{Mask: 0x88, Level: 0x80}
	if n != 5 || p.Out != out || p.IO != io {
		t.Errorf("%d bits, uo %+v, uio %+v", n, p.Out, p.IO)
	}
}

// A suite that checks less than half of the bits known to the waveform has a Weakness, whatever the reason.
func TestWeak(t *testing.T) {
	for _, c := range []struct {
		checked, known, open int
		weak                 bool
	}{{50, 100, 0, false}, {49, 100, 0, true}, {60, 100, 21, true}, {0, 0, 1, true}} {
		s := Suite{CheckedBits: c.checked, Fit: Fit{KnownBits: c.known, UnknownToReference: c.open}}
		if s.Weakness() != "" != c.weak {
			t.Errorf("%+v: %q", c, s.Weakness())
		}
	}
}
