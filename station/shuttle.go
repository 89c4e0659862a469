package station

import (
	"utfbench/boards/shuttles"
	"utfbench/tile"
)

// project is the tile's name on the shuttles that carry it; "" if it was never made.
func (t *Target) project() string {
	if t.named != "" {
		return t.named
	}
	if f, ok := t.Tile.(tile.Fabricated); ok {
		return f.Project()
	}
	return ""
}

// revisionOn is the revision of the tile on a shuttle: that of the commit which was fabricated. known is false if the
// shuttle does not carry the tile, the index does not know the shuttle, or nobody has read the commit.
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
