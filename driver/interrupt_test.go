package driver

import (
	"context"
	"testing"
	"testing/synctest"

	"utfbench/golden"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// An interrupt at any stage of a long vector stops the run before the vector ends.
func TestInterruptOfALongVector(t *testing.T) {
	jobs := []Job{{Vector: &golden.Vector{Name: "long/v", Sequence: golden.Sequence{
		Steps: make([]transport.Step, 2*BatchSteps)}}}}
	for _, c := range []struct{ here, there string }{{"lint", ""}, {"run", ""}, {"", "run"}, {"deduce", ""}} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			here := &interrupted{utf.TT09, c.here, cancel, ended, 0}
			there := &interrupted{utf.TT09, c.there, cancel, ended, 0}
			r := Runner{Tile: here, Transport: mock.Open(mock.Config{Tile: there})}
			tally, err := r.Run(ctx, jobs)
			close(ended)
			if tally.Verdicts[Aborted] != 1 || c.here == "run" && here.ran > BatchSteps ||
				c.there == "run" && there.ran > BatchSteps {
				t.Errorf("%q: %v, %v after %d and %d steps", c, tally.Verdicts, err, here.ran, there.ran)
			}
		})
	}
}

// interrupted is a tile that simulates an interrupt by the user during its lint, reference or deduction.
type interrupted struct {
	tile.Tile
	during    string
	interrupt func()
	ended     chan struct{} // closed after the run; work without a context blocks until then
	ran       int           // steps that its reference ran
}

func (i *interrupted) at(what string) {
	if what == i.during {
		i.interrupt()
		<-i.ended
	}
}

func (i *interrupted) Lint([]transport.Step) error {
	i.at("lint")
	return nil
}

func (i *interrupted) Deduce(_ []transport.Step, _, want []transport.Sample) tile.Deduction {
	i.at("deduce")
	clear(want)
	return tile.Deduction{}
}

func (i *interrupted) New() tile.Reference { return &followed{i.Tile.New(), i} }

// followed is the reference of an interrupted tile.
type followed struct {
	tile.Reference
	of *interrupted
}

func (c *followed) Run(steps []transport.Step, samples []transport.Sample) error {
	if c.of.ran += len(steps); c.of.during == "run" {
		c.of.interrupt()
	}
	return c.Reference.Run(steps, samples)
}
