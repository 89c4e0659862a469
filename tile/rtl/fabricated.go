package rtl

import "utfbench/tile"

// Project implements tile.Fabricated.
func (t *Tile) Project() string { return t.About.Top }

// OfCommit implements tile.Fabricated: whether the sources are those of a commit, Commit says.
func (t *Tile) OfCommit(string) (tile.Tile, bool) { return t, true }
