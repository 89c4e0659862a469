package plan

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/tile"
)

// RandomSuite is the name of the suite of random steps.
const RandomSuite = "random"

// stepsByChance is the length of a random vector, including its reset. Vectors isolate failures: no vector depends on
// another's steps.
const stepsByChance = 200

// MostRandom limits random steps, since their text is kept with the run.
const MostRandom = golden.MostText / 32

// usualRandom is the default number of random steps for a tile without vectors.
const usualRandom = 20_000

// Random returns a suite of about n random legal steps, determined by the seed, in vectors judged only by the tile's
// reference.
func Random(t tile.Tile, seed uint64, n int) (*golden.Suite, error) {
	if n > MostRandom {
		return nil, failure.Usagef("--random %d: at most %d steps fit in one run", n, MostRandom)
	}
	seed = cmp.Or(seed, 1) // the default steps are the same everywhere
	rng := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	fmt.Fprintf(&b, "suite %s\n\ndocument --random\nsection \"seed %d\"\n", RandomSuite, seed)
	for i := 0; n > 0; i++ {
		steps, err := tile.Random(t, rng, min(max(n, 2), stepsByChance))
		if err != nil {
			return nil, err
		}
		writeVector(&b, i, "legal steps", steps)
		n -= len(steps)
	}
	return golden.Parse(RandomSuite, b.String(), tile.Dialect(t))
}
