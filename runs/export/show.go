package export

import (
	"encoding/json"
	"fmt"
	"io"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// ShowVector writes a vector as text: its source, its steps, and its expected samples, or the reference's if it has
// none. It ignores write errors, so w has to store the first one, as a bufio.Writer does.
func ShowVector(w io.Writer, t tile.Tile, job driver.Job) {
	v := job.Vector
	class, _ := tile.Dialect(t).Classes()
	fmt.Fprintf(w, "%s\n  file      %s:%d\n  document  %s\n  section   %s\n  row       %s\n",
		v.Name, job.File, v.Line, v.Source.Document, v.Source.Section, v.Source.Row)
	for _, field := range [][2]string{{"note", v.Note}, {"revision", v.Revision}, {class, v.Class}} {
		if field[1] != "" {
			fmt.Fprintf(w, "  %-9s %s\n", field[0], field[1])
		}
	}
	checks, whose := v.Checks, "the vector expects"
	if len(checks) == 0 {
		checks, whose = reference(t, v.Steps), "the reference expects"
	}
	table := printable.NewTable("step", "ui", "uio", "oe", "rst_n", "clk", "does", whose)
	for i, s := range v.Steps {
		expects := ""
		for len(checks) > 0 && checks[0].Step == i {
			expects += expectation(t, s.In, checks[0])
			checks = checks[1:]
		}
		rst := 1
		if s.Reset {
			rst = 0
		}
		table.Row(i+1, tile.Hex(s.In, 0), tile.Hex(s.IO, 0), tile.Hex(s.Drive, 0), rst, s.Clocks, tile.Describe(t, s),
			expects)
	}
	_ = table.Write(w, "\n")
}

// reference returns the known levels of the reference as checkpoints, or nil if the reference fails.
func reference(t tile.Tile, steps []transport.Step) (all []golden.Check) {
	want := make([]transport.Sample, len(steps))
	if tile.Expect(t, steps, want) != nil {
		return nil
	}
	for i, s := range want {
		c := golden.Check{Step: i, Out: golden.Bits{Level: s.Out, Mask: ^s.OutX},
			IO: golden.Bits{Level: s.IO, Mask: ^s.IOX &^ steps[i].Drive}}
		if c.Out.Mask|c.IO.Mask != 0 {
			all = append(all, c)
		}
	}
	return all
}

// expectation formats a checkpoint as bits, with x for an open bit, and lists the names of the high outputs.
func expectation(t tile.Tile, ui uint8, c golden.Check) string {
	text := ""
	if c.Out.Mask != 0 {
		text += " uo=" + tile.Binary(c.Out.Level, ^c.Out.Mask)
		text += " (" + tile.HighOutputs(t, ui, c.Out.Level&c.Out.Mask) + ")"
	}
	if c.IO.Mask != 0 {
		text += " uio=" + tile.HexOrBinary(c.IO.Level, ^c.IO.Mask)
	}
	return text[1:]
}

// ListSuites writes one line for each suite of the jobs: its name, vectors, steps and first document.
func ListSuites(w io.Writer, jobs []driver.Job) error {
	table := printable.NewTable("suite", "vectors", "steps", "first document")
	for len(jobs) > 0 {
		first, vectors, steps := jobs[0].Vector, 0, 0
		for len(jobs) > 0 && jobs[0].Vector.Suite() == first.Suite() {
			vectors++
			steps += len(jobs[0].Vector.Steps)
			jobs = jobs[1:]
		}
		table.Row(first.Suite(), vectors, steps, first.Source.Document)
	}
	return table.Write(w)
}

// ListVectors writes one line for each vector. w has to store write errors.
func ListVectors(w io.Writer, jobs []driver.Job) error {
	for _, j := range jobs {
		fmt.Fprintf(w, "%s\t%s\n", j.Vector.Name, j.Vector.Source)
	}
	return nil
}

// ListJSON writes one JSON object for each vector, one per line; see docs/formats.md.
func ListJSON(w io.Writer, jobs []driver.Job) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, j := range jobs {
		v := j.Vector
		err := enc.Encode(struct {
			Name     string `json:"name"`
			Suite    string `json:"suite"`
			File     string `json:"file"`
			Line     int    `json:"line"`
			Document string `json:"document"`
			Section  string `json:"section"`
			Row      string `json:"row"`
			Unicode  string `json:"unicode,omitempty"`
			Revision string `json:"revision,omitempty"`
			Steps    int    `json:"steps"`
		}{v.Name, v.Suite(), j.File, v.Line, v.Source.Document, v.Source.Section, v.Source.Row, v.Class,
			v.Revision, len(v.Steps)})
		if err != nil {
			return err
		}
	}
	return nil
}
