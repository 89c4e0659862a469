package station

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport"
)

// Replay returns the kind of a recorded run.
func Replay() Kind {
	return Kind{Name: "replay", Recorded: true, Open: openReplay}
}

// openReplay replays the recording of a run, WHERE. The run's board and revision are the defaults.
func openReplay(ctx context.Context, t *Target, where string, c *Chip) (transport.Transport, error) {
	if where == "" {
		return nil, failure.Usagef("transport replay: after replay: comes a recording, which bench run --record " +
			"wrote, or the number of a run in the history")
	}
	rec, err := t.recording(where)
	if err != nil {
		return nil, err // the error names the run as the user did
	}
	start := rec.Start
	if name := start.Tile; name != t.Tile.Name() {
		if err := t.takeTile(ctx, where, name, &start); err != nil {
			rec.Close()
			return nil, err
		}
		c.Tile = t.Tile
	}
	if t.Revision == "" && start.Revision != "" { // a tile without its Verilog has no revision
		var ok bool
		if c.Tile, ok = tile.FindRevision(t.Tile, start.Revision); !ok {
			rec.Close()
			if !tile.HasModel(start.Revision) && !tile.HasModel(t.Tile.Revision()) {
				return nil, failure.Usage(&OtherSourcesError{start.Revision, t.Tile.Revision(), where})
			}
			return nil, failure.Usagef("%s was compared with the revision %q, which this bench does not "+
				"know: give --revision", where, start.Revision)
		}
	}
	c.Recording, c.Info, c.Seed, c.Firmware = rec, start.Chip, start.Seed, start.Firmware
	c.TargetArgs = start.Target
	c.Board = &boards.Board{Name: start.Board}
	if b, err := boards.Open(start.Board); err == nil {
		c.Board = b
	}
	made := fmt.Sprintf("recorded at %s by bench %s from %s", start.Time.Format(time.RFC3339),
		start.Bench, start.Transport)
	c.Notes = append([]string{made}, start.Notes...)
	if start.ReferenceName != "" {
		c.Notes = append(c.Notes, replayedWithReference)
	}
	return report.NewReplay(rec, func(*report.Execution) bool { return true }), nil
}

// IsOwnRun reports whether a RUN names a run in the user's history rather than a file.
func IsOwnRun(run string) bool {
	_, err := strconv.Atoi(run)
	return err == nil || run == "last"
}

// takeTile sets the target's tile to a run's if the user named none and the run is in the user's history. A recording
// from elsewhere may name another person's tile. Opening that tile can run its author's code, so the user names it.
func (t *Target) takeTile(ctx context.Context, run, name string, start *report.Start) error {
	other := NewTarget("")
	_, _ = other.Parse(start.Target)
	says, where := "", "FOLDER"
	_, builtIn := BuiltIn(name)
	switch {
	case builtIn:
		where = name
	case other.TileName != "" && !filepath.IsAbs(other.TileName):
		says = fmt.Sprintf(" (that run had --tile %q, in the folder where it was started)", other.TileName)
	case other.TileName != "":
		says = fmt.Sprintf(" (it was run with --tile %q)", other.TileName)
	}
	err := failure.Usage(&OtherTileError{Recorded: name, Current: t.Tile.Name(), run: run, give: where + says})
	if !IsOwnRun(run) || other.TileName == "" || t.TileName != "" || t.TileOpener == nil {
		return err
	}
	other.TileOpener = t.TileOpener
	if oerr := other.OpenTile(ctx); oerr != nil || other.Tile.Name() != name {
		return err
	}
	t.Tile, t.TileName = other.Tile, other.TileName
	return nil
}

// OtherTileError reports that a recording's tile is not the target's.
type OtherTileError struct {
	Recorded, Current string // names

	run, give string
}

func (e *OtherTileError) Error() string {
	return fmt.Sprintf("%s is of the tile %s, and this is %s: give --tile %s", runWords(e.run), e.Recorded, e.Current,
		e.give)
}

// OtherSourcesError reports that the sources of a recording's tile have changed since the run.
type OtherSourcesError struct {
	Recorded, Current string // revisions of the tile

	run string
}

func (e *OtherSourcesError) Error() string {
	return fmt.Sprintf("the tile's sources have changed since %s (%s, now %s): check those sources out, or run the "+
		"new ones: bench run --again %s", runWords(e.run), e.Recorded, e.Current, e.run)
}

func runWords(run string) string {
	switch {
	case run == "last":
		return "the last run"
	case IsOwnRun(run):
		return "run " + run
	}
	return run
}

func (t *Target) recording(run string) (*report.Recording, error) {
	path := run
	if t.FindRecording != nil {
		var err error
		if path, err = t.FindRecording(run); err != nil {
			return nil, err
		}
	}
	return report.Open(path)
}

// CheckRepeatable returns an error if the run cannot be repeated on the chip. If same is set, it must be the run's
// chip. changed means that the sources of the tile have changed since the run.
func (c *Chip) CheckRepeatable(name string, run *report.Start, same, changed bool) error {
	was := run.Identity
	switch {
	case c.Recording != nil:
		return failure.Usagef("-t replay: a recording cannot run again: give the chip, or use bench diff")
	case !same:
		return nil
	}
	if changed {
		was.Revision = c.Tile.Revision()
	}
	if changed && c.Info.Chipless() {
		was.Design, was.Sources = c.Info.Design, c.Info.Sources
	}
	return was.CheckSame(name, c.Info, c.Tile.Revision())
}
