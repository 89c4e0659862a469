package station

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// paced is a transport that plays bursts in real time, slowed down by a factor. If it is deaf, it samples nothing.
type paced struct {
	*mock.Transport
	by   time.Duration
	deaf bool
}

func (p paced) Burst(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	at transport.Timing) error {
	for _, s := range steps {
		time.Sleep(time.Duration(at.Periods(s, s.Drive)) * at.Period * p.by)
	}
	if time.Sleep(5 * time.Millisecond); p.deaf {
		return ctx.Err()
	}
	return p.Transport.Burst(ctx, steps, samples, at)
}

// late is a transport with slow steps.
type late struct{ transport.Transport }

func (l late) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	time.Sleep(time.Duration(len(steps)) * 2 * slow)
	return l.Transport.Apply(ctx, steps, samples)
}

// pace reports slow steps.
func TestFirstPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chip := &Chip{Transport: late{mock.Open(mock.Config{Tile: utf.TT09})}, Tile: utf.TT09}
		e := examination{tell: func(f Finding) {
			if f.Mark != "NO" || !strings.HasPrefix(f.Text, "10ms a step") {
				t.Errorf("%v", f)
			}
		}}
		if err := e.pace(t.Context(), chip); err != nil || !e.differs {
			t.Errorf("%v; differs %v", err, e.differs)
		}
	})
}

// On first contact, bursts are compared with single steps, and the measured period of clk with the programmed one.
func TestFirstBursts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chip := mock.Open(mock.Config{Tile: utf.TT09})
		for want, tr := range map[string]transport.Transport{
			"ok bursts ok clk period longer by 1.996µs": paced{chip, 1, false},
			"ok bursts NO clk period longer by 3.992µs": paced{chip, 2, false},
			"NO bursts ok clk period longer by 1.996µs": paced{chip, 1, true},
			"-- bursts": struct{ transport.Transport }{chip},
		} {
			said := ""
			e := examination{tell: func(f Finding) {
				said += f.Mark + " " + f.Layer + " "
				if f.Layer == "clk period" {
					said += strings.Split(f.Text, ",")[0]
				}
			}}
			if err := e.bursts(t.Context(), &Chip{Transport: tr, Tile: utf.TT09}); err != nil ||
				strings.TrimSpace(said) != want || e.differs != strings.Contains(want, "NO") {
				t.Errorf("%q, %v; want %q", said, err, want)
			}
		}
	})
}
