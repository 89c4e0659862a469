package explain

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os/exec"
	"testing"
	"time"

	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/project"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// A long vector that passes hides no later one that fails: a mistake in the logic is no wire, by a model or by gates,
// in a simulation, in a run on a board, or in the recording of that run.
func TestLongPassingVector(t *testing.T) {
	testkit.Long(t) // TestGapBetweenExecutions of package diagnose holds why
	const budget = 300 * time.Millisecond
	tiles := []tile.Tile{utf.TT09}
	if _, err := exec.LookPath("yosys"); err == nil {
		for _, name := range []string{"still", "turn"} {
			p := testkit.Must(project.Open("../../tile/gates/testdata/" + name))(t)
			tiles = append(tiles, testkit.Must(yosys.Open(t.Context(), p, nil))(t))
		}
	}
	said := map[diagnose.Conclusion]int{}
	for n := range 40 {
		x, rng := tiles[n%len(tiles)], rand.New(rand.NewPCG(1, uint64(n)))
		results := mistaken(t, x, rng)
		for _, simulated := range []bool{true, false} {
			c := diagnose.Run{Tile: x, Simulated: simulated, Budget: budget}
			for _, r := range results {
				if err := c.AddResult(r); err != nil {
					t.Fatal(err)
				}
			}
			f := testkit.Must(c.Diagnose())(t)
			replayed := testkit.Must(DiagnoseRecordings(t.Context(), []Run{NewRun("last", recordingOf(t, results))},
				board(t, "rpi"), x, simulated, SearchOptions{Budget: budget}))(t)
			said[f.Conclusion]++
			if f.Conclusion == diagnose.Wire || string(f.Conclusion) != replayed.Conclusion {
				t.Errorf("%d, %s: %s, and of the recording %s", n, x.Name(), f.Conclusion, replayed.Conclusion)
			}
		}
	}
	t.Log(said)
}

// mistaken returns the results of a long vector and five short ones, in which an output is wrong when the parity of
// some inputs is odd while another is high.
func mistaken(t *testing.T, x tile.Tile, rng *rand.Rand) (results []*driver.Result) {
	line, mask, gate := rng.IntN(8), uint8(rng.IntN(255)+1), uint8(1<<rng.IntN(8))
	for i, n := range []int{3000, 300, 300, 300, 300, 300} {
		trace := &driver.Trace{Steps: testkit.Must(tile.RandomSteps(x, rng, n))(t), Got: make([]transport.Sample, n)}
		if err := tile.Expect(x, trace.Steps, trace.Got); err != nil {
			t.Fatal(err)
		}
		r := &driver.Result{Vector: &golden.Vector{Name: fmt.Sprint(i)}, Verdict: driver.Pass, Trace: trace}
		for j, s := range trace.Steps {
			if i > 0 && bits.OnesCount8(s.In&mask)%2 != 0 && s.In&gate != 0 {
				trace.Got[j].Out ^= 1 << line &^ trace.Got[j].OutX
				r.Verdict = driver.Fail
			}
		}
		results = append(results, r)
	}
	return results
}
