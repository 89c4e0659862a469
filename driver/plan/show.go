package plan

import (
	"fmt"
	"io"

	"utfbench/driver"
)

// Show writes a vector for people: where it is from, its steps, and what it expects of them. A write that fails is left to w to
// tell, as a bufio.Writer does.
func Show(w io.Writer, job driver.Job) {
	v := job.Vector
	fmt.Fprintf(w, "%s\n  file      %s:%d\n  document  %s\n  section   %s\n  row       %s\n",
		v.Name, job.File, v.Line, v.Source.Document, v.Source.Section, v.Source.Row)
	for _, field := range [][2]string{{"note", v.Note}, {"revision", v.Revision}, {"unicode", v.Unicode.String()}} {
		if field[1] != "" {
			fmt.Fprintf(w, "  %-9s %s\n", field[0], field[1])
		}
	}
	fmt.Fprintf(w, "\n%4s  %-2s %-3s %-2s  %s  %s  %-44s %s\n", "step", "ui", "uio", "oe", "rst_n", "clk", "does", "the vector expects")
	var q driver.Sequence
	q.Compile(v)
	checks := q.Checks
	for i, s := range q.Steps {
		expects := ""
		for len(checks) > 0 && checks[0].Step == i {
			expects += expectation(s.In, checks[0])
			checks = checks[1:]
		}
		rst := 1
		if s.Reset {
			rst = 0
		}
		fmt.Fprintf(w, "%4d  %02X %02X  %02X    %d    %3d  %-44s %s\n", i+1, s.In, s.IO, s.Drive, rst, s.Clocks, driver.Describe(s), expects)
	}
}

// expectation writes a checkpoint in bits, and in words where it is about flags. A bit that it leaves open is x.
func expectation(ui uint8, c driver.Check) string {
	text := ""
	if c.Out.Mask != 0 {
		text += " uo=" + driver.Binary(c.Out.Level, ^c.Out.Mask)
		text += " (" + driver.Flags(ui, c.Out.Level&c.Out.Mask) + ")"
	}
	if c.IO.Mask != 0 {
		text += " uio=" + driver.Hex(c.IO.Level, ^c.IO.Mask)
	}
	return text[1:]
}
