package utf

import (
	_ "embed"

	"utfbench/tile"
)

//go:embed smoke.txt
var smoke string

var _ tile.Smoked = TT09

// Smoke implements tile.Smoked. The list serves both revisions.
func (Tile) Smoke() string { return smoke }
