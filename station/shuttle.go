package station

import (
	"utfbench/boards/shuttles"
	"utfbench/tile"
)

// project returns the tile's name on its shuttles, or "".
func (t *Target) project() string {
	if t.named != "" {
		return t.named
	}
	if f, ok := t.Tile.(tile.Fabricated); ok {
		return f.Project()
	}
	return ""
}

// revisionOn returns the revision of the tile on a shuttle, by the fabricated commit. known is false if the shuttle
// lacks the tile, the index lacks the shuttle, or the commit has not been read.
func (t *Target) revisionOn(x *shuttles.Index, shuttle string) (rev tile.Tile, known bool) {
	f, ok := t.Tile.(tile.Fabricated)
	s := x.Shuttle(shuttle)
	if !ok || s == nil {
		return nil, false
	}
	own := s.Named(f.Project())
	if own == nil {
		return nil, false
	}
	return f.OfCommit(own[0].Commit)
}
