package station

import (
	"strings"
	"testing"
	"time"

	"utfbench/tile/utf"
	"utfbench/transport"

	"utfbench/transport/mock"
	"utfbench/transport/rp2040"
)

// leaving is a board that says how it was left.
type leaving struct {
	*mock.Transport
	left rp2040.Left
}

func (l leaving) Left() rp2040.Left { return l.left }

// A board says how it is left, at speed too. One that did not say that it parked the chip is not called parked.
func TestLeft(t *testing.T) {
	for _, c := range []struct {
		left  rp2040.Left
		want  string
		never string
	}{
		{rp2040.Left{Installed: true, Started: true}, "the chip is parked, and tt is available", "not known"},
		{rp2040.Left{Installed: true}, "bench safe --reboot", "not known"},
		{rp2040.Left{}, "", "parked"},
		{rp2040.Left{Alone: 3 * time.Second}, "it is not known whether the chip is parked", "and tt is there"},
		{rp2040.Left{Installed: true, Started: true, Alone: 3 * time.Second}, "within 3s", "and tt is there"},
	} {
		slow := leaving{mock.Open(mock.Config{Tile: utf.TT09}), c.left}
		fast, err := transport.NewPlayer(t.Context(), slow, transport.Timing{Period: time.Microsecond})
		if err != nil {
			t.Fatal(err)
		}
		for _, tr := range []transport.Transport{slow, fast} {
			got := (&Chip{Transport: tr}).Left()
			if !strings.Contains(got, c.want) || strings.Contains(got, c.never) || (c.want == "") != (got == "") {
				t.Errorf("%+v: %q; want %q and no %q", c.left, got, c.want, c.never)
			}
		}
	}
}
