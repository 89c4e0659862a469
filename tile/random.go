package tile

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"

	"utfbench/golden"
	"utfbench/internal/failure"
)

// stepsByChance is the length of a random vector, including its reset. Vectors isolate failures: no vector depends on
// another's steps.
const stepsByChance = 200

// mostRandom limits random steps, since their text is kept with the run.
const mostRandom = golden.MostText / 32

// RandomSuite returns the suite random, of about n random legal steps, determined by the seed, in vectors judged only
// by the tile's reference.
func RandomSuite(t Tile, seed uint64, n int) (*golden.Suite, error) {
	if n > mostRandom {
		return nil, failure.Usagef("--random %d: at most %d steps fit in one run", n, mostRandom)
	}
	seed = cmp.Or(seed, 1) // the default steps are the same everywhere
	rng := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	fmt.Fprintf(&b, "suite random\n\ndocument --random\nsection \"seed %d\"\n", seed)
	for i := 0; n > 0; i++ {
		steps, err := Random(t, rng, min(max(n, 2), stepsByChance))
		if err != nil {
			return nil, err
		}
		golden.WriteVector(&b, i, "legal steps", steps[1:])
		n -= len(steps)
	}
	return golden.Parse("random", b.String(), Dialect(t))
}
