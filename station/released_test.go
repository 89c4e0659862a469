package station

import (
	"context"
	"errors"
	"strings"
	"testing"

	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A loaded chip has drivers on lines of uio; a pull overrides the weak ones.
type loaded struct {
	transport.Transport
	high, low      uint8 // against anybody
	up, down       uint8 // against pulls, and not against the bench
	moving         uint8
	pull           transport.Pull
	looked, pulled int
	cannot         bool // pull
}

func (l *loaded) Apply(ctx context.Context, steps []transport.Step, got []transport.Sample) (int, error) {
	n, err := l.Transport.Apply(ctx, steps, got)
	for i, s := range steps[:n] {
		l.looked++
		free := ^s.Drive
		level := s.IO & s.Drive
		if l.pull == transport.PullUp {
			level |= free
		}
		if level |= l.up & free; l.looked%2 == 1 {
			level |= l.moving & free
		}
		got[i].IO, got[i].IOX = (level&^(l.down&free)|l.high)&^l.low, 0
	}
	return n, err
}

func (l *loaded) Pull(_ context.Context, p transport.Pull) error {
	if l.cannot {
		return errors.ErrUnsupported
	}
	l.pull, l.pulled = p, l.pulled+1
	return nil
}

// Drivers of uio while the chip is in reset are found with and without pulls, and reported with the remedy.
func TestUIO(t *testing.T) {
	for _, c := range []struct {
		of   loaded
		mark string
		want string
	}{
		{loaded{}, "ok", "none is held while released"},
		{loaded{cannot: true}, "ok", "none is held while released"},
		{loaded{high: 0x81}, "NO", "something drives uio0, uio7 high against the bench, and the chip is in reset"},
		{loaded{low: 0x08, cannot: true}, "NO", "something drives uio3 low against the bench, and the chip"},
		{loaded{up: 0x03, down: 0x10}, "ok", "uio0-uio1 held high, uio4 held low while released, by " +
			"something weak: if vectors fail, unplug the uio PMOD header"},
		{loaded{up: 0x03, down: 0x10, cannot: true}, "ok", "uio0-uio1 held high while released"},
		{loaded{moving: 0x20, cannot: true}, "ok", "uio5 seen changing while released"},
	} {
		chip := c.of
		chip.Transport = mock.Open(mock.Config{Tile: utf.TT09})
		var found []Finding
		e := examination{tell: func(f Finding) { found = append(found, f) }}
		if err := e.uio(t.Context(), &Chip{Transport: &chip, Tile: utf.TT09}); err != nil || len(found) != 1 ||
			found[0].Mark != c.mark || !strings.HasPrefix(found[0].Text, c.want) || e.ill != (c.mark == "NO") {
			t.Errorf("%+v: %+v, %v; want %s %s", c.of, found, err, c.mark, c.want)
		}
		if chip.pull != transport.PullNone || !c.of.cannot && chip.pulled != 3 {
			t.Errorf("%+v: the pull is left at %d, after %d", c.of, chip.pull, chip.pulled)
		}
	}
}
