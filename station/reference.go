package station

import (
	"slices"

	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/gates"
)

// setReference removes a reference that the user declined, after the wiring check, or notes that it is missing.
func (r *Run) setReference() {
	c, why := r.Chip, gates.MissingReference(r.Chip.Tile)
	switch {
	case r.Target.NoReference:
		c.dropReference()
	case why != nil:
		c.ReferenceName = report.NoReference
		c.Notes = append(c.Notes, "there is no reference: "+why.Error())
	}
}

func (c *Chip) dropReference() {
	c.Tile, c.ReferenceName = tile.WithoutReference(c.Tile), report.NoReference
}

// replayedWithReference is the note on a replay that has a reference although its run had none.
const replayedWithReference = "the run was compared with the vectors alone; this replay has a reference"

// ApplyRecordedReference removes the reference of a replayed chip if its run had none.
func (c *Chip) ApplyRecordedReference() {
	if c.Recording.Start.ReferenceName == report.NoReference {
		c.Notes = slices.DeleteFunc(c.Notes, func(note string) bool { return note == replayedWithReference })
		c.dropReference()
	}
}
