package station

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/tile/project"
)

// fabricated checks that a tile's sources match the commit on a shuttle, since a chip made from other sources would
// fail. The note is for the user. The error reports bad input.
func (t *Target) fabricated(ctx context.Context, p *project.Project, index *boards.Index,
	shuttle string) (note string, err error) {
	commit := p.Commits[shuttle]
	if s := index.Shuttle(shuttle); s != nil && commit == "" {
		if designs := s.DesignsNamed(p.Top); designs != nil {
			commit = designs[0].Commit
		}
	}
	if commit == "" {
		return fmt.Sprintf("of which commit %s was made on %s is not known: bench-tile.yaml may say it, under commits",
			p.Top, cmp.Or(shuttle, "this shuttle")), nil
	}
	same, head, err := false, "", project.ErrNoHistory
	if t.CompareCommit != nil {
		same, head, err = t.CompareCommit(ctx, p, commit)
	}
	switch {
	case errors.Is(err, project.ErrNoHistory):
		return fmt.Sprintf("%s carries commit %s, and these sources cannot be checked against it: no Git "+
			"repository has both", shuttle, commit), nil
	case err != nil:
		return "", err
	case same:
		return fmt.Sprintf("the sources are of commit %s, as %s", commit, shuttle), nil
	case t.Insist:
		return fmt.Sprintf("%s carries commit %s, and the sources differ from it (checked out is %s): --insist takes "+
			"them all the same", shuttle, commit, head), nil
	}
	return "", failure.Usagef("%s carries commit %s of %s, and the sources in %s differ from it (checked "+
		"out is %s): git checkout %s, or --insist", shuttle, commit, p.Top, p.Dir, head, commit)
}

// project returns the tile's name on its shuttles, or "".
func (t *Target) project() string {
	if f, ok := t.Tile.(tile.FabricatedTile); ok {
		return f.Project()
	}
	return ""
}

// revisionOn returns the revision of the tile on a shuttle, according to the fabricated commit. known is false if the
// tile is not on the shuttle, or if the shuttle's index or the commit is unknown.
func (t *Target) revisionOn(x *boards.Index, shuttle string) (rev tile.Tile, known bool) {
	f, ok := t.Tile.(tile.FabricatedTile)
	s := x.Shuttle(shuttle)
	if !ok || s == nil {
		return nil, false
	}
	own := s.DesignsNamed(f.Project())
	if own == nil {
		return nil, false
	}
	return f.RevisionOfCommit(own[0].Commit)
}
