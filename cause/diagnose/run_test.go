package diagnose

import (
	"slices"
	"strings"
	"testing"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

func whole(t testing.TB, name string) (jobs []driver.Job) {
	return slices.DeleteFunc(allJobs(t), func(j driver.Job) bool { return j.Vector.Suite() != name })
}

func suite(t testing.TB, name string) (jobs []driver.Job) {
	for i, j := range whole(t, name) {
		if i%10 == 0 {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// A good chip of the other revision is recognised.
func TestOtherRevision(t *testing.T) {
	c := Run{Tile: utf.TT09}
	r := driver.Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT08}), Report: adding(t, &c)}
	if _, err := r.Run(t.Context(), suite(t, "sequences")); err != nil {
		t.Fatal(err)
	}
	f := diagnosed(t, &c)
	if best := f.Causes[0]; f.TieCount != 1 || best.Faults != nil || best.Tile != tile.Tile(utf.TT08) ||
		best.ExplainedBits != best.DifferingBits || best.FalseErrors != 0 ||
		!strings.HasSuffix(best.Suspects()[0].String(), "(try --revision tt08)") {
		t.Errorf("%+v", f)
	}
}

// The true cause explains every differing bit; other hypotheses have false errors or unpredicted bits.
func TestAccount(t *testing.T) {
	c := run(t, "uo3=stuck1", suite(t, "guide"))
	differs := 0
	chip := model.New(model.TT09)
	for i, s := range c.parts[0].steps {
		if want := chip.Step(s); want.OutX&8 == 0 && (want.Out^c.parts[0].got[i].Out)&8 != 0 {
			differs++
		}
	}
	best := diagnosed(t, c).Causes[0]
	if best.DifferingBits != differs || best.ExplainedBits != differs || best.FalseErrors != 0 || best.Bits != 0 {
		t.Errorf("%+v of %d bits", best, differs)
	}
	account := func(text string) search.Fit {
		return c.search().Rank(c.whole(), []search.Hypothesis{search.MustParse(utf.TT09, text)}, 1)[0]
	}
	low := account("uo3=stuck0")
	if low.ExplainedBits != 0 || low.FalseErrors == 0 || low.DifferingBits != differs {
		t.Errorf("stuck at 0 instead: %+v", low)
	}
	loose := account("clk=open")
	if loose.UnpredictedBits == 0 {
		t.Errorf("clk open instead: %+v", loose)
	}
}

// Beyond the limit for passing executions, a run only counts further ones, and still keeps failing ones.
func TestLongCase(t *testing.T) {
	c := Run{Tile: utf.TT09}
	steps := make([]transport.Step, 1000)
	for i := range steps {
		steps[i] = transport.Step{In: model.Idle, Reset: i == 0, Clocks: 1}
	}
	good, bad := make([]transport.Sample, len(steps)), make([]transport.Sample, len(steps))
	chip := model.New(model.TT09)
	for i, s := range steps {
		good[i] = chip.Step(s)
		bad[i] = good[i]
		bad[i].Out ^= 4
	}
	mostSteps := c.patience().kept
	for range 2 * mostSteps / len(steps) {
		c.Add("good", steps, good)
	}
	c.Add("bad", steps, bad)
	n := len(c.parts[0].steps)
	if n != mostSteps+len(steps) || c.FailedExecutions != 1 || c.Executions != 2*mostSteps/len(steps)+1 {
		t.Errorf("%d steps, %d of %d failed", n, c.FailedExecutions, c.Executions)
	}
}

// Failing executions are kept after passing ones of any length.
func TestLongPassingExecution(t *testing.T) {
	var p part
	const limit = 1000
	for i, n := range []int{3 * limit, 400, 400, 400} {
		p.keep(make([]transport.Step, n), make([]transport.Sample, n), span{failed: i > 0}, limit)
	}
	if got := p.sample(true, 10, limit); len(got) != 2 || p.of(false).kept != 3*limit {
		t.Errorf("%d failing executions are kept, and %d passing steps", len(got), p.of(false).kept)
	}
}

// After dropped executions the chip's state is unknown, so a separate execution begins.
func TestGapBetweenExecutions(t *testing.T) {
	var p part
	const limit = 1000
	for _, n := range []int{400, 400, 400, 100, 50, 400} { // the third and the last execution are too long
		p.keep(make([]transport.Step, n), make([]transport.Sample, n), span{failed: true}, limit)
	}
	var lengths []int
	for _, e := range p.stretches() {
		lengths = append(lengths, len(e.Steps))
	}
	if !slices.Equal(lengths, []int{800, 150}) {
		t.Errorf("stretches of %d steps", lengths)
	}
	for i, want := range []int{0, 400, 0, 100} {
		if got := len(p.execution(p.executions[i]).PrecedingSteps); got != want {
			t.Errorf("execution %d follows %d steps; want %d", i, got, want)
		}
	}
	if around := p.aroundFirstFailure()[0]; len(around.Steps) != 800 {
		t.Errorf("%d steps around the first failure", len(around.Steps))
	}
}

func BenchmarkDiagnose(b *testing.B) {
	c := run(b, "uio3~uio4=and", allJobs(b))
	b.Logf("%d hypotheses, %d steps", len(search.ChipHypotheses(utf.TT09))+len(search.WireHypotheses(utf.TT09)),
		len(c.parts[0].steps))
	for b.Loop() {
		diagnosed(b, c)
	}
}

func diagnosed(t testing.TB, run *Run) Finding {
	t.Helper()
	return testkit.Must(run.Diagnose())(t)
}

func adding(t testing.TB, run *Run) func(*driver.Result) {
	return func(r *driver.Result) {
		if err := run.AddResult(r); err != nil {
			t.Error(err)
		}
	}
}

// A step with many clocks counts as several steps, since its simulation takes longer.
func TestClocksAreWork(t *testing.T) {
	for clocks, want := range map[uint8]int{1: 100, 7: 100, 40: 10} {
		var p part
		for range 200 {
			p.keep([]transport.Step{{Clocks: clocks}}, make([]transport.Sample, 1), span{}, 100)
		}
		if got := p.sample(false, 200, 50); len(p.steps) != want || len(got) != want/2 {
			t.Errorf("%d clocks: %d steps are kept, %d of them sampled; want %d and half of them", clocks,
				len(p.steps), len(got), want)
		}
	}
}
