package timing

import (
	"context"
	"slices"

	"utfbench/driver"
	"utfbench/tile"
)

// A choice holds the vectors selected so far.
type choice struct {
	exercising
	few  []driver.Job
	have [16]int // numbers of edges that change each output
}

// madeSteps is the number of random steps that are generated if the vectors do not suffice.
const madeSteps = 20_000

// ChooseJobs selects a few vectors in which edges change each output often enough, or as often as in all vectors, and
// in which a late level of each input would be detected often enough. If the vectors do not suffice, it adds random
// legal steps. If edges change no output in these either, it returns all vectors.
func ChooseJobs(ctx context.Context, t tile.Tile, jobs []driver.Job) (few []driver.Job, err error) {
	c := choice{exercising: exercising{tile: t}}
	if err := c.choose(ctx, jobs); err != nil {
		return nil, err
	}
	if slices.Min(c.have[:]) >= enough && slices.Min(c.exercising.have[:]) >= enough {
		return c.few, nil
	}
	if len(c.few) == 0 && stepsOf(jobs) >= madeSteps {
		return jobs, nil
	}
	made, err := tile.RandomSuite(ctx, t, 2, madeSteps)
	if err != nil {
		return nil, err
	}
	var more []driver.Job
	for i := range made.Vectors {
		more = append(more, driver.Job{Vector: &made.Vectors[i], File: made.File})
	}
	c.misses = [17]int{}
	if err := c.choose(ctx, more); err != nil {
		return nil, err
	}
	if len(c.few) == 0 {
		return jobs, nil
	}
	return c.few, nil
}

// choose adds vectors: first the ones in which edges most often change outputs that need more; then, in scattered
// order, vectors that exercise the inputs, until each input is exercised often enough or no vector exercises it.
func (c *choice) choose(ctx context.Context, jobs []driver.Job) error {
	counts, taken := make([][16]int, len(jobs)), make([]bool, len(jobs))
	for i, job := range jobs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if taken[i] = c.tile.Lint(job.Vector.Steps) != nil || !job.Vector.AppliesTo(c.tile.Revision()); taken[i] {
			continue // the run reports the reason
		}
		var err error
		if counts[i], err = edges(c.tile, job.Vector); err != nil {
			return err
		}
	}
	for {
		best, most := 0, 0
		for i := range jobs {
			if n := missing(c.have, counts[i]); n > most {
				best, most = i, n
			}
		}
		if most == 0 {
			break
		}
		if _, err := c.add(jobs[best].Vector); err != nil {
			return err
		}
		c.few, taken[best] = append(c.few, jobs[best]), true
		for line, n := range counts[best] {
			c.have[line] += n
		}
	}
	for _, i := range scattered(len(jobs)) {
		if taken[i] {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if useful, err := c.add(jobs[i].Vector); err != nil {
			return err
		} else if useful {
			c.few = append(c.few, jobs[i])
		}
	}
	return nil
}

// scattered returns the numbers below n in an order that keeps neighbours far apart.
func scattered(n int) (all []int) {
	const prime = 7919
	for i := range n {
		all = append(all, i*prime%n)
	}
	if n%prime == 0 {
		slices.Sort(all)
		all = slices.Compact(all)
	}
	return all
}

func stepsOf(jobs []driver.Job) (n int) {
	for _, job := range jobs {
		n += len(job.Vector.Steps)
	}
	return n
}

// missing returns the number of edges in more that bring the counts in have closer to enough.
func missing(have, more [16]int) (n int) {
	for line := range have {
		n += min(max(0, enough-have[line]), more[line])
	}
	return n
}
