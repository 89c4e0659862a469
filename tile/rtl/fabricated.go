package rtl

import "utfbench/tile"

// Project implements tile.Fabricated.
func (t *Tile) Project() string { return t.About.Top }

// OfCommit implements tile.Fabricated: there is one revision. Whether the sources are
// those of a commit, project.Is says.
func (t *Tile) OfCommit(string) (tile.Tile, bool) { return t, true }
