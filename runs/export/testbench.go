// Package export writes vectors and runs for other programs and for people: a self-checking Verilog testbench
// ([Testbench]), waveforms of a vector as VCD files and SVG ([Excerpt]), a picture of the outputs at each clock of a
// long run ([VGA]), and a zip for a bug report ([Bundle]). docs/formats.md describes the files.
package export

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"iter"
	"strings"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

//go:embed testbench.v
var testbench string

// A Testbench writes vectors of a tile as a module that drives the tile like transport/verilog and compares each step
// with the reference. Fill in the exported fields and call Write.
type Testbench struct {
	Tile         tile.Tile
	Digest       string // digest of the suites; see golden.Digest
	BenchVersion string // version of the bench

	vectors, steps int // written so far
	omitted        int // number of vectors for another revision

	to       io.Writer
	text     []byte // text that is not written yet
	err      error  // the first write error
	compared driver.Evidence
}

// Write writes a testbench of vectors. The error reports a vector that is illegal or that the reference contradicts, or
// it comes from the reference, the writer or ctx.
func (b *Testbench) Write(ctx context.Context, w io.Writer, jobs iter.Seq2[int, driver.Job]) error {
	b.to, b.text = w, []byte(b.head()+testbench+"  initial begin\n    begins;\n")
	for _, job := range jobs {
		v := job.Vector
		if v.Revision != "" && v.Revision != b.Tile.Revision() {
			b.omitted++
			continue
		}
		want, err := b.expect(v)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", job.File, v.Line, err)
		}
		b.vector(job, want)
		if b.err != nil || ctx.Err() != nil {
			break
		}
	}
	b.text = fmt.Appendf(b.text, "\n    ends(%s);\n  end\nendmodule\n", quoted(b.compared.Tally(b.Tile).Weakness()))
	b.flush()
	return cmp.Or(ctx.Err(), b.err)
}

// IsEmpty reports whether no vector was written.
func (b *Testbench) IsEmpty() bool { return b.vectors == 0 }

// String counts the written vectors.
func (b *Testbench) String() string {
	text := printable.Count(b.vectors, "vector") + ", " + printable.Count(b.steps, "step")
	if b.omitted > 0 {
		text += ", " + b.OmissionNote()
	}
	return text
}

// OmissionNote counts the vectors that the testbench omits.
func (b *Testbench) OmissionNote() string {
	return fmt.Sprintf("without the %d that are for another revision", b.omitted)
}

// expect returns the reference's samples for a legal vector. Like the driver, it begins in an unknown state.
func (b *Testbench) expect(v *golden.Vector) ([]transport.Sample, error) {
	if err := b.Tile.Lint(v.Steps); err != nil {
		return nil, err
	}
	want := make([]transport.Sample, len(v.Steps))
	if err := tile.Expect(b.Tile, v.Steps, want); err != nil {
		return nil, fmt.Errorf("cannot determine the expected samples: %w", err)
	}
	for i := range v.Checks {
		if c := &v.Checks[i]; c.Fails(&want[c.Step]) {
			return nil, fmt.Errorf("the reference contradicts the vector at line %d, step %d: the bench is at "+
				"fault, so this vector cannot judge a chip", c.Line, c.Step+1)
		}
	}
	return want, nil
}

// TopModule returns the name of a tile's top module: its name on the shuttles, or else its own name.
func TopModule(t tile.Tile) string {
	if f, ok := t.(tile.FabricatedTile); ok {
		return f.Project()
	}
	return t.Name()
}

// SimulationCommand returns the shell command that runs the testbench in a file with a tile's sources, src/*.v for nil
// and for a tile without any.
func SimulationCommand(path string, of tile.Tile) string {
	words, sources := []string{path}, " src/*.v"
	if p := gates.ProjectOf(of); p != nil && len(p.Sources) > 0 {
		sources = ""
		for _, name := range p.Defines {
			words = append(words, "-D"+name)
		}
		for _, dir := range p.IncludeDirs {
			words = append(words, "-I"+dir)
		}
		for _, s := range p.Sources {
			words = append(words, s.Path)
		}
	}
	return printable.ProgramCommand("iverilog -g2012 -o tb", words...) + sources + " && vvp tb"
}

// head returns the leading comment and the macros of the module.
func (b *Testbench) head() string {
	project := TopModule(b.Tile)
	turns := uint8(0)
	if t, ok := b.Tile.(tile.Turner); ok {
		turns = t.DrivenLines()
	}
	var text strings.Builder
	for _, line := range []string{
		"A self-checking testbench, made by utfbench: vectors of " + b.Tile.Name() + ".",
		"",
		"  tile      " + strings.TrimSpace(b.Tile.Name()+" "+b.Tile.Revision()),
		"  vectors   SHA-256 " + b.Digest,
		"  bench     " + b.BenchVersion,
		"",
		"To run it, with the files of the design:",
		"",
		"  " + SimulationCommand("THIS.v", nil),
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
		text.WriteString(strings.TrimRight("// "+comment(line), " ") + "\n")
	}
	fmt.Fprintf(&text, "`ifndef TOP\n`define TOP %s\n`endif\n`define UTFBENCH_TURNS 8'h%02X\n\n", project, turns)
	return text.String()
}

func (b *Testbench) vector(job driver.Job, want []transport.Sample) {
	v := job.Vector
	b.compared.Add(v.Steps, want)
	b.text = fmt.Appendf(b.text, "\n    // %s\n    vector(%s);\n", comment(fmt.Sprintf("%s:%d", job.File, v.Line)),
		quoted(v.Name))
	for i, s := range v.Steps {
		w := &want[i]
		b.text = fmt.Appendf(b.text, "    apply(68'h%02X_%02X_%02X_%X_%02X_%02X_%02X_%02X_%02X); // %d %s\n", s.In,
			s.IO&s.Drive, s.Drive, s.Flags()^1, s.Clocks, w.Out, ^w.OutX, w.IO, ^w.IOX, i+1,
			comment(tile.Describe(b.Tile, s)))
		if len(b.text) >= textBytes {
			b.flush()
		}
	}
	b.flush()
	b.vectors, b.steps = b.vectors+1, b.steps+len(v.Steps)
}

// textBytes is the size of the write buffer.
const textBytes = 1 << 15

func (b *Testbench) flush() {
	if b.err == nil {
		_, b.err = b.to.Write(b.text)
	}
	b.text = b.text[:0]
}

// comment makes text safe for a comment: a single line that does not end in a backslash, which would continue it.
func comment(s string) string { return strings.TrimRight(printable.Text(s), `\`) }

// nameBytes limits a name in the testbench. The names of vectors are shorter.
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
