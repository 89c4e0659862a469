package station

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/gates"
)

// Against names a reference as KIND[:WHERE]; "" means the tile's own reference.
type Against string

// AgainstKinds are the values of Against, for help.
const AgainstKinds = "gates[:FILE,...], replay:RUN or none"

// Gates reports whether gates were named.
func (a Against) Gates() bool {
	kind, _ := a.Kind()
	return kind == "gates"
}

// Files returns the files of another design than the tile's own, with commas between them; "" for its own.
func (a Against) Files() string {
	if _, where := a.Kind(); a.Gates() {
		return where
	}
	return ""
}

// Kind returns its parts.
func (a Against) Kind() (kind, where string) {
	kind, where, _ = strings.Cut(string(a), ":")
	return kind, where
}

// A comparison is a reference other than the tile's own. Close it.
type comparison struct {
	Recording *report.Recording // nil if it is none

	against Against
}

// compared opens the reference that the user names.
func (t *Target) compared() (*comparison, error) {
	a := t.Against
	c := &comparison{against: a}
	kind, where := a.Kind()
	switch {
	case a == "", a == "none":
		return c, nil
	case a.Gates():
		if _, is := t.Tile.(*gates.Tile); !is {
			return nil, failure.Usagef("--against %s: the reference of %s is the model in this program; --tile FOLDER "+
				"takes the RTL of a project", a, t.Tile.Name())
		}
		return c, nil
	case kind != Replay().Name || where == "":
		return nil, failure.Usagef("--against %q: allowed are %s", a, AgainstKinds)
	}
	rec, err := t.recording(where)
	if err != nil {
		return nil, failure.Usagef("--against replay: %w", err)
	}
	if is := rec.Start.Tile; is != t.Tile.Name() {
		rec.Close()
		return nil, failure.Usagef("--against %s: it is of the tile %s, and this is %s", a, is, t.Tile.Name())
	}
	c.Recording = rec
	return c, nil
}

// Close closes the recording, if any.
func (m *comparison) Close() error {
	if m == nil || m.Recording == nil {
		return nil
	}
	return m.Recording.Close()
}

// lend gives a chip this reference in place of its tile's own, by which its wires were checked before.
func (m *comparison) lend(c *Chip) error {
	kind, where := m.against.Kind()
	why := gates.MissingReference(c.Tile)
	switch {
	case m.against == "" && why != nil:
		c.Against = report.NoReference
		c.Notes = append(c.Notes, "there is no reference: "+why.Error())
	case kind == Replay().Name:
		return m.lendRecorded(c)
	case kind == "none":
		c.Tile = tile.WithoutReference(c.Tile)
		c.Against = report.NoReference
	case where != "":
		c.Against = "the gates of " + where
	}
	return nil
}

// RestoreReference takes the reference from a replayed chip if its run had none.
func (c *Chip) RestoreReference() error {
	if c.Recording.Start.Against != report.NoReference {
		return nil
	}
	c.Notes = slices.DeleteFunc(c.Notes, func(note string) bool { return note == elsewhere(report.NoReference) })
	return (&comparison{against: "none"}).lend(c)
}

// elsewhere is the note of a replay about the reference of its run.
func elsewhere(against string) string { return "it was compared with " + against + ", and is not here" }

// lendRecorded compares with the chip of a recorded run.
func (m *comparison) lendRecorded(c *Chip) error {
	start := &m.Recording.Start
	switch was, is := start.Revision, c.Tile.Revision(); {
	case was == is || was == "" || is == "": // a tile without its Verilog has none
	case tile.HasModel(was) && tile.HasModel(is):
		return failure.Usagef("--against %s: it is of revision %s, and this is %s", m.against, was, is)
	default:
		c.Notes = append(c.Notes, fmt.Sprintf("the tile's sources have changed since that recording (%s, now %s)",
			was, is))
	}
	r := tile.NewRecorded(c.Tile)
	failed, err := learn(r, m.Recording)
	if err != nil {
		return fmt.Errorf("--against %s: %w", m.against, err)
	}
	c.Tile = r
	c.Against = fmt.Sprintf("what %s answered on %s", start.Transport, start.Time.Format(time.RFC3339))
	if failed > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d executions of that recording are no PASS themselves and are skipped",
			failed))
	}
	if m.Recording.CutReason != "" {
		c.Notes = append(c.Notes, "that recording is incomplete: "+m.Recording.CutReason)
	}
	if _, silent := r.Tile.New().(tile.SilentReference); silent {
		c.Notes = append(c.Notes, "there is no reference of its own, so what depends on the state at power-up is "+
			"compared as well")
	}
	if n := r.VaryingSteps(); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("at %d steps that chip did not always answer the same: lines that "+
			"changed are not compared there", n))
	}
	return nil
}

// learn takes in what passed, since a chip that is wrong is no reference, and says how many executions were no PASS.
func learn(r tile.Recorded, rec *report.Recording) (failed int, err error) {
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
