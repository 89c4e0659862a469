package export

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/tile"
)

//go:embed testbench.v
var testbench string

// About describes a testbench and its tile.
type About struct {
	Tile   tile.Tile
	Source string // a description of the vectors
	Digest string // of the suites; see golden.Digest
	Bench  string // its version
}

// Verilog is a self-checking testbench of one module, which drives a tile as transport/verilog does.
type Verilog struct {
	to   io.Writer
	tile tile.Tile
	text []byte // not written yet
	err  error  // the first

	compared driver.Evidence
}

var _ Format = (*Verilog)(nil)

// NewVerilog begins a testbench.
func NewVerilog(w io.Writer, about About) *Verilog {
	v := &Verilog{to: w, tile: about.Tile}
	_, v.err = io.WriteString(w, about.head()+testbench+"  initial begin\n    begins;\n")
	return v
}

// TopModule returns the name of a tile's top module: its name on the shuttles, or its own.
func TopModule(t tile.Tile) string {
	if f, ok := t.(tile.Fabricated); ok {
		return f.Project()
	}
	return t.Name()
}

// SimulationCommand returns the command line that runs a testbench; path is quoted for a shell.
func SimulationCommand(path string) string {
	return "iverilog -g2012 -o tb " + path + " src/*.v && vvp tb"
}

// head returns the leading comment, and the module's macros.
func (a *About) head() string {
	project := TopModule(a.Tile)
	turns := uint8(0)
	if t, ok := a.Tile.(tile.Turner); ok {
		turns = t.DrivenLines()
	}
	var b strings.Builder
	for _, line := range []string{
		"A self-checking testbench, made by utfbench: " + a.Source + ".",
		"",
		"  tile      " + strings.TrimSpace(a.Tile.Name()+" "+a.Tile.Revision()),
		"  vectors   SHA-256 " + a.Digest,
		"  bench     " + a.Bench,
		"",
		"To run it, with the files of the design:",
		"",
		"  " + SimulationCommand("THIS.v"),
		"",
		"The top module is " + project + "; -DTOP=NAME selects another. A netlist with power pins needs",
		"-DUTFBENCH_VPWR (VPWR, VGND), -DUTFBENCH_VDD (VDD, VSS) or -DUTFBENCH_vccd1 (vccd1, vssd1).",
		"",
		"Each failing vector prints a line with its first wrong step; vvp tb +all prints the others too. The last",
		"line is PASS with the number of vectors, WEAK if they leave outputs out, FAIL, or ERROR: bench and tile both",
		"drove a line of uio, or the simulator has an X where a chip would have a level that nobody knows. A vector",
		"that compares nothing is SKIPPED. The exit code is 0 for PASS only, under Icarus.",
		"",
		"A step is 68 bits: ui, uio, the lines of uio that the bench drives (2 digits each), 1 for rst_n and 2 for",
		"lingering (1 digit), clocks, then uo and its mask, uio and its mask (2 digits each). A bit that the mask",
		"lacks is not compared.",
	} {
		b.WriteString(strings.TrimRight("// "+comment(line), " ") + "\n")
	}
	fmt.Fprintf(&b, "`ifndef TOP\n`define TOP %s\n`endif\n`define UTFBENCH_TURNS 8'h%02X\n\n", project, turns)
	return b.String()
}

// WriteVector implements Format.
func (v *Verilog) WriteVector(of *Vector) error {
	if v.err != nil {
		return v.err
	}
	v.compared.Add(of.Steps, of.Want)
	v.text = append(v.text[:0], '\n')
	if of.Place != "" {
		v.text = fmt.Appendf(v.text, "    // %s\n", comment(of.Place))
	}
	v.text = fmt.Appendf(v.text, "    vector(%s);\n", quoted(of.Title()))
	for i := range of.Steps {
		if v.step(of, i); len(v.text) >= textBytes {
			v.flush()
		}
	}
	v.flush()
	return v.err
}

// textBytes is the size of the write buffer.
const textBytes = 1 << 15

func (v *Verilog) flush() {
	if v.err == nil {
		_, v.err = v.to.Write(v.text)
	}
	v.text = v.text[:0]
}

func (v *Verilog) step(of *Vector, i int) {
	s, want := of.Steps[i], of.Want[i]
	v.text = fmt.Appendf(v.text, "    apply(68'h%02X_%02X_%02X_%X_%02X_%02X_%02X_%02X_%02X); // %d %s\n", s.In,
		s.IO&s.Drive, s.Drive, s.Flags()^1, s.Clocks, want.Out, ^want.OutX, want.IO, ^want.IOX, i+1,
		comment(tile.Describe(v.tile, s)))
}

// End implements Format.
func (v *Verilog) End() error {
	if v.err == nil {
		_, v.err = fmt.Fprintf(v.to, "\n    ends(%s);\n  end\nendmodule\n", quoted(v.compared.Tally(v.tile).Weakness()))
	}
	return v.err
}

// comment makes text safe for a comment: one line, without a trailing backslash, which would continue it.
func comment(s string) string { return strings.TrimRight(printable.Text(s), `\`) }

// nameBytes limits names in the testbench; vectors' names are shorter.
const nameBytes = 512

func quoted(s string) string {
	s = s[:min(len(s), nameBytes)]
	b := []byte{'"'}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ' || c > '~':
			b = fmt.Appendf(b, `\%03o`, c)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}
