package sweep

import (
	"testing"

	"utfbench/tile"
	"utfbench/tile/utf"
)

func open(t testing.TB, s tile.Scope) (tile.Space, tile.Tile) {
	t.Helper()
	if s.Revision == "" {
		s.Revision = "tt09"
	}
	space, own, err := Open(utf.TT09, s)
	if err != nil {
		t.Fatal(err)
	}
	return space, own
}

func TestScopesAreChecked(t *testing.T) {
	for _, s := range []tile.Scope{{}, {Space: "all"}, {Space: "ops"}, {Space: "ops", Depth: 7},
		{Space: "bytes", Depth: 1},
		{Space: "ops", Depth: 1, Revision: "tt07"}} {
		if s.Revision == "" {
			s.Revision = "tt09"
		}
		if _, _, err := Open(utf.TT09, s); err == nil {
			t.Errorf("%+v is taken", s)
		}
	}
}

// Open returns the tile in the scope's revision, whichever tile is given.
func TestOpenKnowsTheRevision(t *testing.T) {
	for _, want := range []utf.Tile{utf.TT09, utf.TT08} {
		if _, own := open(t, tile.Scope{Space: "ops", Depth: 1, Revision: want.Revision()}); own != tile.Tile(want) {
			t.Errorf("%s: %v", want, own)
		}
	}
}
