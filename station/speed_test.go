package station

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/model"
	"utfbench/tile/project"
	"utfbench/tile/utf"
	"utfbench/transport"

	"utfbench/transport/mock"
)

// brief plays short bursts.
type brief struct{ *mock.Transport }

func (b brief) Grid(ctx context.Context) (transport.Grid, error) {
	g, err := b.Transport.Grid(ctx)
	g.Steps = 100
	return g, err
}

// A vector that is longer than a burst says so, and one that is not does not.
func TestParted(t *testing.T) {
	slow := brief{mock.Open(mock.Config{Tile: utf.TT09})}
	p, err := transport.NewPlayer(t.Context(), slow, transport.Timing{Period: time.Microsecond})
	if err != nil {
		t.Fatal(err)
	}
	c := &Chip{Transport: p}
	for _, x := range []struct {
		steps int
		want  string
	}{{100, ""}, {301, "a burst has 100 steps and 16777216 periods at most, and some vectors have more: " +
		"clk rested 3 times"}} {
		steps := slices.Repeat([]transport.Step{{In: model.Idle, Clocks: 1}}, x.steps)
		steps[0].Reset = true
		if _, err := p.Apply(t.Context(), steps, make([]transport.Sample, len(steps))); err != nil {
			t.Fatal(err)
		}
		if said := c.Parted(); !strings.HasPrefix(said, x.want) || x.want == "" && said != "" {
			t.Errorf("after %d steps it says %q", x.steps, said)
		}
	}
	if said := (&Chip{Transport: mock.Open(mock.Config{Tile: utf.TT09})}).Parted(); said != "" {
		t.Errorf("slowly it says %q", said)
	}
}

// The author's clock is the one that the project states, or the nearest that there is.
func TestAuthorsClock(t *testing.T) {
	for hertz, want := range map[int]string{
		25_000_000: "at speed: period 40ns, sample after 19ns, inputs 20ns before the edge, which is 25MHz",
		25_175_000: "at speed: period 40ns, sample after 19ns, inputs 20ns before the edge, which is 25MHz, the " +
			"nearest to 25.175MHz (-0.7 %)",
		500_000_000: "at speed: a period of 2ns (500MHz): allowed is 4ns to 1ms, in steps of 1 ns",
		0:           "--at author: the author of tt_um_x states no clock: give one, as in --at 20MHz",
	} {
		author := project.Described{About: &project.Project{Top: "tt_um_x", ClockHz: hertz}}
		at, err := (&Speed{At: AuthorsClock}).timing(author)
		c := &Chip{Transport: mock.Open(mock.Config{Tile: utf.TT09}), Tile: utf.TT09}
		if err == nil {
			err = c.hurry(t.Context(), at)
		}
		if got := append(c.Notes, fmt.Sprint(err))[0]; got != want {
			t.Errorf("%d Hz: %q; want %q", hertz, got, want)
		}
	}
}
