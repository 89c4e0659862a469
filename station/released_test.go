package station

import (
	"context"
	"strings"
	"testing"

	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// loaded is a transport with drivers on uio lines that the bench cannot override.
type loaded struct {
	transport.Transport
	high, low uint8
}

func (l *loaded) Apply(ctx context.Context, steps []transport.Step, got []transport.Sample) (int, error) {
	n, err := l.Transport.Apply(ctx, steps, got)
	for i, s := range steps[:n] {
		got[i].IO, got[i].IOX = (s.IO&s.Drive|l.high)&^l.low, 0
	}
	return n, err
}

// Drivers of uio are found while the chip is in reset, and reported with the remedy.
func TestUIO(t *testing.T) {
	for _, c := range []struct {
		of   loaded
		mark string
		want string
	}{
		{loaded{}, "ok", "nothing drives them against the bench"},
		{loaded{high: 0x81}, "NO", "something drives uio0, uio7 high against the bench, and the chip is in reset"},
		{loaded{low: 0x08}, "NO", "something drives uio3 low against the bench, and the chip"},
	} {
		chip := c.of
		chip.Transport = mock.Open(mock.Config{Tile: utf.TT09})
		var found []Finding
		e := examination{tell: func(f Finding) { found = append(found, f) }}
		if err := e.uio(t.Context(), &Chip{Transport: &chip, Tile: utf.TT09}); err != nil || len(found) != 1 ||
			found[0].Mark != c.mark || !strings.HasPrefix(found[0].Text, c.want) || e.ill != (c.mark == "NO") {
			t.Errorf("%+v: %+v, %v; want %s %s", c.of, found, err, c.mark, c.want)
		}
	}
}
