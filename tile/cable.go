package tile

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/transport"
)

// WiringTester is a tile with steps that distinguish faulty wires from a faulty chip: they drive each line to both
// levels, in each of its directions.
type WiringTester interface {
	WiringSteps(ctx context.Context) ([]transport.Step, error)
}

// UnusedLineLister is a tile with unused lines, whose wiring no step can test.
type UnusedLineLister interface {
	UnusedLines() []string // names
}

// UnusedLines returns the lines that the tile is known not to use.
func UnusedLines(t Tile) []string {
	if s, ok := t.(UnusedLineLister); ok {
		return s.UnusedLines()
	}
	return nil
}

// WiringSteps returns the tile's steps for the wiring check, or random legal ones. It may fail with the reference.
func WiringSteps(ctx context.Context, t Tile) ([]transport.Step, error) {
	if c, ok := t.(WiringTester); ok {
		return c.WiringSteps(ctx)
	}
	return FixedRandomSteps(t, 600)
}

// FixedRandomSteps returns a reset and n random legal steps, always the same ones. Errors come from the reference.
func FixedRandomSteps(t Tile, n int) ([]transport.Step, error) {
	return RandomSteps(t, rand.New(rand.NewPCG(1, 1)), n)
}

// Enumerable is a tile that may be stateless, so that few steps cover all combinations of its inputs.
type Enumerable interface {
	// AllInputs returns a step for each combination of the inputs of a tile without state, or none.
	AllInputs() []transport.Step
}

// RandomSteps returns n legal steps, the first a reset. Levels mostly stay or change in one bit, so that counters count
// and edges occur; the bench drives every uio line that the chip does not drive. Errors come from the reference.
func RandomSteps(t Tile, rng *rand.Rand, n int) ([]transport.Step, error) {
	return random(context.Background(), t, rng, n)
}

// random is like RandomSteps, but stops when ctx ends.
func random(ctx context.Context, t Tile, rng *rand.Rand, n int) ([]transport.Step, error) {
	steps := []transport.Step{ResetStep(t)}
	turner, turns := t.(Turner)
	s := transport.Step{In: t.Idle(), Reset: !steps[0].Reset}
	for len(steps) < n {
		if rng.IntN(100) == 0 {
			steps = append(steps, ResetStep(t))
			continue
		}
		s.In, s.IO = move(rng, s.In), move(rng, s.IO)
		s.Clocks = clocks(rng)
		if s.Drive = 0xFF; !turns {
			s.Drive = ^t.Drives(s)
		}
		one := s
		one.IO &= one.Drive
		steps = append(steps, one)
	}
	if !turns {
		return steps, nil
	}
	err := turner.ReleaseDriven(ctx, steps)
	for i := range steps {
		steps[i].IO &= steps[i].Drive
	}
	return steps, err
}

// move returns the same levels, the levels with one bit changed, or random levels.
func move(rng *rand.Rand, levels uint8) uint8 {
	switch rng.IntN(4) {
	case 0, 1:
		return levels
	case 2:
		return levels ^ 1<<rng.IntN(8)
	}
	return uint8(rng.Uint32())
}

// clocks returns a random number of clocks: mostly one, sometimes none, rarely more.
func clocks(rng *rand.Rand) uint8 {
	switch n := rng.IntN(20); {
	case n < 2:
		return 0
	case n < 18:
		return 1
	}
	return uint8(2 + rng.IntN(30))
}

// stepsByChance is the maximum length of a random vector, including its reset. Short vectors isolate failures, since no
// vector depends on another's steps.
const stepsByChance = 200

// maxRandom limits the number of random steps, since their text is kept with the run.
const maxRandom = golden.MaxText / 32

// GeneratedFile stands in for the file name of generated vectors.
const GeneratedFile = "(generated)"

// RandomSuite returns the suite "random" of about n random legal steps, which depend only on the tile and the seed.
// Only the tile's reference judges its vectors. It rejects too large an n; other errors come from the reference or ctx.
func RandomSuite(ctx context.Context, t Tile, seed uint64, n int) (*golden.Suite, error) {
	if n > maxRandom {
		return nil, failure.Usagef("--random %d: at most %d steps fit in one run", n, maxRandom)
	}
	seed = cmp.Or(seed, 1) // the default steps are the same everywhere
	rng := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	fmt.Fprintf(&b, "suite random\n\ndocument random steps\nsection \"seed %d\"\n", seed)
	for i := 0; n > 0; i++ {
		steps, err := random(ctx, t, rng, min(max(n, 2), stepsByChance))
		if err != nil {
			return nil, err
		}
		golden.WriteVector(&b, i, fmt.Sprint("vector ", i+1), steps[1:])
		n -= len(steps)
	}
	return golden.Parse(GeneratedFile, b.String(), Dialect(t))
}
