package station

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/runs/record"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/replay"
)

// Replay returns the kind of a run that was recorded.
func Replay() Kind {
	return Kind{Name: "replay", Recorded: true, Open: openReplay}
}

// openReplay replays the recording of the run WHERE, with its board and revision as defaults.
func openReplay(_ context.Context, t *Target, where string, c *Chip) (transport.Transport, error) {
	if where == "" {
		return nil, failure.Usagef("transport replay: after replay: comes a recording, which bench run --record " +
			"wrote, " +
			"or the number of a run in the history")
	}
	rec, err := t.recording(where)
	if err != nil {
		return nil, err // which names the run, however the user did
	}
	start := rec.Start
	if name := cmp.Or(start.Tile, utf.Name); name != t.Tile.Name() {
		rec.Close()
		return nil, failure.Usage(&OtherTile{Tile: name, Target: start.Target, run: where, is: t.Tile.Name()})
	}
	if t.Revision == "" && start.Revision != "" { // a tile that was compared without its Verilog had none
		var ok bool
		if c.Tile, ok = tile.ByRevision(t.Tile, start.Revision); !ok {
			rec.Close()
			if !tile.HasModel(start.Revision) && !tile.HasModel(t.Tile.Revision()) {
				return nil, failure.Usage(&OtherSources{Was: start.Revision, Is: t.Tile.Revision(), run: where})
			}
			return nil, failure.Usagef("%s was compared with the revision %q, which this bench does not "+
				"know: give --revision", where,
				start.Revision)
		}
	}
	c.Recording, c.Asked, c.Seed, c.Firmware = rec, start.Chip, start.Seed, start.Firmware
	c.Target = start.Target
	c.Board = &boards.Board{Name: start.Board}
	if b, err := boards.Open(start.Board); err == nil {
		c.Board = b
	}
	made := fmt.Sprintf("recorded at %s by bench %s from %s", start.Time.Format(time.RFC3339),
		start.Bench, start.Transport)
	c.Notes = append([]string{made}, start.Notes...)
	if start.Against != "" {
		c.Notes = append(c.Notes, "it was compared with "+start.Against+", and is not here")
	}
	return replay.Open(rec, func(*record.Execution) bool { return true }), nil
}

// An OtherTile is the error of a recording that is of another tile than the target's.
type OtherTile struct {
	Tile   string   // by name
	Target []string // the flags of the run

	run, is string
}

func (e *OtherTile) Error() string {
	says := ""
	if at := slices.Index(e.Target, "--tile") + 1; at > 0 && at < len(e.Target) {
		says = "; the run says " + strconv.Quote(e.Target[at])
	}
	return fmt.Sprintf("%s is of the tile %s, and this is %s: name its folder with --tile%s", e.run, e.Tile, e.is, says)
}

// OtherSources is the error of a recording of a tile whose sources have changed since.
type OtherSources struct {
	Was, Is string // revisions

	run string
}

func (e *OtherSources) Error() string {
	run := e.run
	if _, err := strconv.Atoi(run); err == nil {
		run = "run " + run
	} else if run == "last" {
		run = "the last run"
	}
	return fmt.Sprintf("the tile's sources have changed since %s (%s, now %s): check those sources out, or run the "+
		"new ones: bench again %s", run, e.Was, e.Is, e.run)
}

// recording opens a RUN.
func (t *Target) recording(run string) (*record.Recording, error) {
	path := run
	if t.Recordings != nil {
		var err error
		if path, err = t.Recordings(run); err != nil {
			return nil, err
		}
	}
	return record.Open(path)
}
