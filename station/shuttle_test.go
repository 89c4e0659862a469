package station

import (
	"testing"

	"utfbench/boards"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport/rp2040"
)

// The revisions of this project's chip on ten shuttles match a table made by hand.
func TestOwnChipOnEachShuttle(t *testing.T) {
	x := boards.Shuttles()
	type row struct {
		number int
		rev    tile.Tile
		known  bool
	}
	table := map[string]row{
		"tt08":     {901, utf.TT08, true},
		"tt09":     {897, utf.TT09, true},
		"ttcad25a": {903, utf.TT08, true},
		"ttihp0p2": {519, utf.TT09, true},
		"ttihp25a": {367, utf.TT09, true},
		"ttihp26a": {785, utf.TT09, true},
		"ttsky25a": {903, utf.TT09, true},
		"ttsky25b": {207, utf.TT09, true},
		"ttsky26a": {905, utf.TT09, true},
		"ttsky26b": {704, utf.TT09, false},
	}
	target := NewTarget("mock")
	for _, name := range append(x.ShuttleNames(), "unknown", "") {
		want, carries := table[name]
		if rev, known := target.revisionOn(x, name); known != want.known || known && rev != want.rev {
			t.Errorf("%q carries %s, known %v; want %s, %v", name, rev, known, want.rev, want.known)
		}
		var own []boards.Design
		if s := x.Shuttle(name); s != nil {
			own = s.DesignsNamed(target.project())
		}
		if carries && (len(own) != 1 || own[0].Number != want.number) || !carries && own != nil {
			t.Errorf("%q has the chip at %+v; want it at %d, or nowhere", name, own, want.number)
		}
	}
}

// If a design has no revisions, said mentions none.
func TestSaid(t *testing.T) {
	rom := &rp2040.ROM{Shuttle: "tt09", Commit: "c9701782"}
	for revision, want := range map[string]string{
		"":     "the chip's ROM says tt09, commit c9701782",
		"tt08": "the chip's ROM says tt09, commit c9701782, so its revision is tt08",
	} {
		if got := said(rom, revision); got != want {
			t.Errorf("revision %q: %q; want %q", revision, got, want)
		}
	}
}
