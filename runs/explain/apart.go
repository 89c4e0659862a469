package explain

import (
	"context"
	"slices"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/golden"
	"utfbench/tile"
	"utfbench/transport"
)

// RandomSteps describes random steps of bench run --random STEPS --seed SEED.
type RandomSteps struct {
	Steps int    `json:"steps"`
	Seed  uint64 `json:"seed"`
}

// If no vector of the tile distinguishes the causes, random steps of a few seeds are tried. Seed 1 is the default of
// runs.
const (
	stepsMade           = 1000
	firstSeed, lastSeed = 2, 4
)

// mostAsked is the maximum number of suggested vectors.
const mostAsked = 3

// tellApart suggests vectors that were not run and would distinguish causes: the tile's, else random steps of a seed
// that no run had.
func (d *Diagnosis) tellApart(ctx context.Context, t tile.Tile, fits []search.Fit, asked map[string]bool,
	runs []Run) error {
	speed := runs[0].Speed
	jobs, err := legal(t)
	if err != nil {
		return err
	}
	var vectors []golden.Vector
	for _, j := range jobs {
		if !asked[j.Vector.Name] {
			vectors = append(vectors, *j.Vector)
		}
	}
	if err := d.ask(ctx, t, fits, vectors, speed); err != nil {
		return err
	}
	for seed := uint64(firstSeed); d.SuggestedVectors == nil && d.several && seed <= lastSeed; seed++ {
		if slices.ContainsFunc(runs, func(r Run) bool { return r.rec.Start.Seed == seed }) {
			continue
		}
		if err := d.askRandom(ctx, t, fits, RandomSteps{stepsMade, seed}, speed); err != nil {
			return err
		}
	}
	return nil
}

// askRandom suggests random steps if they distinguish causes.
func (d *Diagnosis) askRandom(ctx context.Context, t tile.Tile, fits []search.Fit, r RandomSteps,
	speed *transport.Timing) error {
	suite, err := tile.RandomSuite(ctx, t, r.Seed, r.Steps)
	if err != nil {
		return err
	}
	if err := d.ask(ctx, t, fits, suite.Vectors, speed); err != nil || d.SuggestedVectors == nil {
		return err
	}
	d.Random = &r
	return nil
}

// ask suggests the vectors that distinguish causes, if any do.
func (d *Diagnosis) ask(ctx context.Context, t tile.Tile, fits []search.Fit, vectors []golden.Vector,
	speed *transport.Timing) error {
	var sequences [][]transport.Step
	for _, v := range vectors {
		sequences = append(sequences, released(t, v.Steps))
	}
	picked, err := search.DistinguishingSequences(ctx, t, fits, sequences, speed, mostAsked)
	for _, i := range picked {
		d.SuggestedVectors = append(d.SuggestedVectors, vectors[i].Name)
	}
	return err
}

// released returns the steps as the bench applies them after a divergence; see driver.ReleaseLines.
func released(t tile.Tile, steps []transport.Step) []transport.Step {
	turner, turns := t.(tile.Turner)
	if !turns {
		return steps
	}
	steps = slices.Clone(steps)
	if at := driver.TurnaroundSteps(steps, turner.DrivenLines()); len(at) > 0 {
		driver.ReleaseLines(steps[at[0]:], turner.DrivenLines())
	}
	return steps
}
