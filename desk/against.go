package desk

import (
	"fmt"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/identity"
	"utfbench/runs/record"
	"utfbench/tile/against"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/tile/rtl"
)

// Against is what a chip is compared with, in a user's words: KIND[:WHERE], "" for the tile's own reference.
type Against string

// AgainstKinds are the values of Against, for help.
const AgainstKinds = "verilog[:FILE,...], icarus[:FILE,...], gates, replay:RUN or none"

// Verilog says whether that is Verilog, of which files, "" for the tile's own, and in which simulator, "" for
// Verilator if it is there, and else Icarus.
func (a Against) Verilog() (files, simulator string, is bool) {
	switch kind, where := a.Kind(); kind {
	case "", "verilog":
		return where, "", true
	case "icarus":
		return where, kind, true
	}
	return "", "", false
}

// Gates reports whether that is the gates which Yosys makes of the tile's own RTL.
func (a Against) Gates() bool { return a == "gates" }

// Kind takes it apart.
func (a Against) Kind() (kind, where string) {
	kind, where, _ = strings.Cut(string(a), ":")
	return kind, where
}

// A Comparison is what a chip is compared with, instead of its tile's own reference. Close it.
type Comparison struct {
	Recording *record.Recording // nil if it is none

	against Against
}

// Comparison opens what a user says of it.
func (t *Target) Comparison(a Against) (*Comparison, error) {
	c := &Comparison{against: a}
	kind, where := a.Kind()
	_, _, simulated := a.Verilog()
	switch {
	case a == "", a == "none":
		return c, nil
	case simulated:
		if _, own := t.Tile.(*rtl.Tile); !own {
			return nil, failure.Usagef("--against %s: the reference of %s is the model in this program; --tile FOLDER "+
				"takes the Verilog of a project", a, t.Tile.Name())
		}
		return c, nil
	case a.Gates():
		if _, own := t.Tile.(*gates.Tile); !own {
			return nil, failure.Usagef("--against %s: the reference of %s is the model in this program; --tile FOLDER "+
				"takes the gates of a project", a, t.Tile.Name())
		}
		return c, nil
	case kind != "replay" || where == "":
		return nil, failure.Usagef("--against %q: allowed are %s", a, AgainstKinds)
	}
	rec, err := t.recording(where)
	if err != nil {
		return nil, failure.Usagef("--against replay: %w", err)
	}
	if is := rec.Start.Tile; is != "" && is != t.Tile.Name() {
		rec.Close()
		return nil, failure.Usagef("--against %s: it is of the tile %s, and this is %s", a, is, t.Tile.Name())
	}
	c.Recording = rec
	return c, nil
}

// Close closes the recording.
func (m *Comparison) Close() error {
	if m.Recording == nil {
		return nil
	}
	return m.Recording.Close()
}

// Lend gives a chip this reference in place of its tile's own, by which its wires were checked before.
func (m *Comparison) Lend(c *Chip) error {
	kind, where := m.against.Kind()
	switch {
	case kind == "replay":
		return m.lendRecorded(c)
	case kind == "none":
		c.Tile = against.NewVectors(c.Tile)
		c.Against = identity.Alone
	case kind == "gates":
		if own, is := c.Tile.(*gates.Tile); is && own.Yosys != "" {
			c.Against = "the gates of its RTL, by " + own.Yosys
		}
	case where != "":
		c.Against = "the design in " + where
	}
	return nil
}

// lendRecorded compares with the chip of a recorded run.
func (m *Comparison) lendRecorded(c *Chip) error {
	r := against.NewRecorded(c.Tile)
	failed, err := learn(r, m.Recording)
	if err != nil {
		return fmt.Errorf("--against %s: %w", m.against, err)
	}
	start := &m.Recording.Start
	c.Tile = r
	c.Against = fmt.Sprintf("what %s answered on %s", start.Transport, start.Time.Format(time.RFC3339))
	if failed > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d executions of that recording are no PASS "+
			"themselves, and are left out",
			failed))
	}
	if m.Recording.Cut != "" {
		c.Notes = append(c.Notes, "that recording is not whole: "+m.Recording.Cut)
	}
	if _, described := r.Tile.(project.Described); described {
		c.Notes = append(c.Notes, "there is no simulator, so what depends on the state at power-up is compared as well")
	}
	if n := r.Wavering(); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("at %d steps that chip did not always answer the same: lines that "+
			"changed are not compared there", n))
	}
	return nil
}

// learn takes in what passed, since a chip that is wrong is no reference, and says how many executions were no PASS.
func learn(r against.Recorded, rec *record.Recording) (failed int, err error) {
	learned := false
	for e, err := range rec.Executions() {
		if err != nil {
			return failed, err
		}
		if e.Verdict != driver.Pass {
			failed++
			continue
		}
		if err := r.Learn(e.Steps, e.Got); err != nil {
			return failed, err
		}
		learned = true
	}
	if !learned {
		return 0, failure.Usagef("no vector passed in it")
	}
	return failed, nil
}
