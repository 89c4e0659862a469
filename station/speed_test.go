package station

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/cause/timing"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/tile/utf"
	"utfbench/transport"

	"utfbench/transport/mock"
)

// brief is a transport that plays only short bursts.
type brief struct{ *mock.Transport }

func (b brief) Grid(ctx context.Context) (transport.Grid, error) {
	g, err := b.Transport.Grid(ctx)
	g.Steps = 100
	return g, err
}

// unready is a transport that cannot return its grid of times.
type unready struct {
	*mock.Transport
	err error
}

func (u unready) Grid(context.Context) (transport.Grid, error) { return transport.Grid{}, u.err }

// If a board is lost or lacks a resource when bursts are prepared, that is an ERROR. If it can never play bursts, or
// not at the given clock, that is a usage error.
func TestNotReadyForBursts(t *testing.T) {
	tr := mock.Open(mock.Config{Tile: utf.TT09})
	for _, c := range []struct {
		tr     transport.Transport
		period time.Duration
		want   failure.Kind
	}{{unready{tr, errors.New("the board is silent")}, time.Microsecond, failure.Bench},
		{unready{tr, errors.New("PIO 0 is in use")}, time.Microsecond, failure.Bench},
		{unready{tr, transport.ErrNoBursts}, time.Microsecond, failure.User}, {tr, 1, failure.User}} {
		err := (&Chip{Transport: c.tr, Tile: utf.TT09}).hurry(t.Context(), transport.Timing{Period: c.period})
		if err == nil || failure.KindOf(err) != c.want {
			t.Errorf("%v is of kind %v; want %v", err, failure.KindOf(err), c.want)
		}
	}
}

// deaf is a transport that plays bursts but samples only low levels.
type deaf struct{ *mock.Transport }

func (d deaf) Burst(ctx context.Context, steps []transport.Step, samples []transport.Sample, _ transport.Timing) error {
	clear(samples)
	return ctx.Err()
}

// If a board does not play bursts correctly, the run ends with an ERROR before the first vector, not with a FAIL.
func TestBurstsAreChecked(t *testing.T) {
	capture := &driver.Capture{Clocks: 9}
	for _, c := range []struct {
		broken, explored bool
		capture          *driver.Capture
	}{{true, false, nil}, {true, true, nil}, {true, false, capture}, {false, false, capture}, {false, false, nil}} {
		broken := c.broken
		var tr transport.Transport = mock.Open(mock.Config{Tile: utf.TT09})
		if broken {
			tr = deaf{tr.(*mock.Transport)}
		}
		p, err := transport.NewPlayer(t.Context(), tr, transport.Timing{Period: 100, Sample: transport.SampleAtFall})
		if err != nil {
			t.Fatal(err)
		}
		r := Run{Chip: &Chip{Transport: p, Tile: utf.TT09, HasWires: true}, NoWiring: true}
		r.Vectors.Tile, r.Vectors.Capture = utf.TT09, c.capture
		if r.VectorPlan, err = r.Vectors.Plan(1); err != nil {
			t.Fatal(err)
		}
		if err := r.checkBursts(t.Context()); errors.Is(err, timing.ErrBurstsFail) != broken ||
			(err != nil) != broken || err != nil && failure.KindOf(err) != failure.Bench {
			t.Errorf("bursts are played wrongly %v: %v", broken, err)
		}
	}
}

// The note on split vectors appears if and only if a vector is longer than a burst.
func TestParted(t *testing.T) {
	slow := brief{mock.Open(mock.Config{Tile: utf.TT09})}
	p := testkit.Must(transport.NewPlayer(t.Context(), slow, transport.Timing{Period: time.Microsecond}))(t)
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
		if said := c.SplitNote(); !strings.HasPrefix(said, x.want) || x.want == "" && said != "" {
			t.Errorf("after %d steps it says %q", x.steps, said)
		}
	}
	if said := (&Chip{Transport: mock.Open(mock.Config{Tile: utf.TT09})}).SplitNote(); said != "" {
		t.Errorf("slowly it says %q", said)
	}
}

// The author's clock is the one in the project's description, or the nearest clock of the board.
func TestAuthorsClock(t *testing.T) {
	for hertz, want := range map[int]string{
		25_000_000: "at speed: period 40ns, sample after 19ns, inputs 20ns before the edge, which is 25MHz",
		25_175_000: "at speed: period 40ns, sample after 19ns, inputs 20ns before the edge, which is 25MHz, the " +
			"nearest to 25.175MHz (-0.7 %)",
		300_000_000: "at speed: a clock of 300MHz: allowed is 4ns to 1ms, in steps of 1 ns; the " +
			"nearest is 4ns (250MHz)",
		100: "at speed: a clock of 100Hz: allowed is 4ns to 1ms, in steps of 1 ns; the nearest is 1ms (1kHz)",
		0:   "--at author: the author of tt_um_x states no clock: give one, as in --at 20MHz",
	} {
		author := gates.DescribedTile{About: &project.Project{Top: "tt_um_x", ClockHz: hertz}}
		at, err := (&Speed{Clock: AuthorsClock}).timing(author)
		c := &Chip{Transport: mock.Open(mock.Config{Tile: utf.TT09}), Tile: utf.TT09}
		if err == nil {
			err = c.hurry(t.Context(), at)
		}
		if got := append(c.Notes, fmt.Sprint(err))[0]; got != want {
			t.Errorf("%d Hz: %q; want %q", hertz, got, want)
		}
	}
}

// unwired is a tile whose reference cannot be simulated behind wires.
type unwired struct{ utf.Tile }

func (u unwired) New() tile.Reference { return struct{ tile.Reference }{u.Tile.New()} }

// CheckBursts finds an inverted clk, even if the first vectors do not depend on clk's edge.
func TestInvertedClock(t *testing.T) {
	faults := []fault.Fault{{Kind: fault.Inverted, A: transport.Clk}}
	p, err := transport.NewPlayer(t.Context(), mock.Open(mock.Config{Tile: utf.TT09, Faults: faults}),
		transport.Timing{Period: time.Microsecond, Sample: transport.SampleAtFall})
	if err != nil {
		t.Fatal(err)
	}
	jobs := testkit.AllJobs[driver.Job](t)
	still := *jobs[0].Vector
	still.Steps, still.Checks = still.Steps[:1], nil // the reset
	for _, first := range [][]driver.Job{nil, slices.Repeat([]driver.Job{{Vector: &still}}, 2*fewBursts)} {
		for _, of := range []tile.Tile{utf.TT09, unwired{utf.TT09}} {
			c := &Chip{Transport: p, Tile: of, HasWires: true}
			err := c.CheckBursts(t.Context(), slices.Concat(first, jobs))
			if !errors.Is(err, timing.ErrBurstsFail) || !strings.Contains(err.Error(), "inverts clk") {
				t.Errorf("%T, after %d resets: %v", of, len(first), err)
			}
		}
	}
}
