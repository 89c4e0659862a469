package diagnose

import (
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

func whole(t testing.TB, name string) (jobs []driver.Job) {
	return slices.DeleteFunc(allJobs(t), func(j driver.Job) bool { return j.Vector.Suite() != name })
}

// suite returns a tenth of a suite's vectors, or all of them in a full test.
func suite(t testing.TB, name string) (jobs []driver.Job) {
	jobs = whole(t, name)
	apart := testkit.Pick(10, 1)
	for i := range (len(jobs) + apart - 1) / apart {
		jobs[i] = jobs[i*apart]
	}
	return jobs[:(len(jobs)+apart-1)/apart]
}

func TestNothingDiffers(t *testing.T) {
	c := Run{Tile: utf.TT09}
	r := driver.Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09}), Report: adding(t, &c)}
	if _, err := r.Run(t.Context(), suite(t, "guide")); err != nil {
		t.Fatal(err)
	}
	if f := diagnosed(t, &c); c.Failed != 0 || c.Executions == 0 || len(f.Causes) != 0 {
		t.Errorf("%d of %d failed, %v", c.Failed, c.Executions, f.Causes)
	}
}

// A chip of the other revision is recognised, and so is a faulty chip compared with the wrong revision.
func TestOtherRevision(t *testing.T) {
	c := Run{Tile: utf.TT09}
	r := driver.Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT08}), Report: adding(t, &c)}
	if _, err := r.Run(t.Context(), suite(t, "sequences")); err != nil {
		t.Fatal(err)
	}
	f := diagnosed(t, &c)
	if best := f.Causes[0]; f.Ties != 1 || best.Hypothesis != Hypothesis(RightChip{utf.TT08}) ||
		best.Explained != best.Differs || best.Unseen != 0 ||
		!strings.HasSuffix(best.Suspects()[0].String(), "(try --revision tt08)") {
		t.Errorf("%+v", f)
	}
}

// A complete cause accounts for every bit; the account of an incomplete one is partial.
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
	if best.Differs != differs || best.Explained != differs || best.Unseen != 0 || best.Bits != 0 ||
		best.Open != 0 {
		t.Errorf("%+v of %d bits", best, differs)
	}
	low := c.account(&simulator{price: wrongCosts},
		rank(c.Tile, c.joined(), []Hypothesis{MustFault(utf.TT09, "uo3=stuck0")}, 1, c.simulator())[0])
	if low.Explained != 0 || low.Unseen == 0 || low.Differs != differs {
		t.Errorf("stuck at 0 instead: %+v", low)
	}
	loose := c.account(&simulator{price: wrongCosts},
		rank(c.Tile, c.joined(), []Hypothesis{MustFault(utf.TT09, "clk=open")}, 1, c.simulator())[0])
	if loose.Open == 0 {
		t.Errorf("clk open instead: %+v", loose)
	}
}

// A run beyond the limit keeps failing executions and counts the rest.
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
	if len(c.parts[0].steps) != mostSteps+len(steps) || c.Failed != 1 || c.Executions != 2*mostSteps/len(steps)+1 {
		t.Errorf("%d steps, %d of %d failed", len(c.parts[0].steps), c.Failed, c.Executions)
	}
}

// Failing executions are kept, however long a passing one before them is.
func TestLongPassingExecution(t *testing.T) {
	var p part
	const limit = 1000
	for i, n := range []int{3 * limit, 400, 400, 400} {
		p.keep(make([]transport.Step, n), make([]transport.Sample, n), span{failed: i > 0}, limit)
	}
	if got := p.sample(true, 10, limit); len(got) != 2 || p.kept(false) != 3*limit {
		t.Errorf("%d failing executions are kept, and %d passing steps", len(got), p.kept(false))
	}
}

// A single bit that no fault explains has no cause and no nearest one, and so no conclusion about wires.
func TestNoCauseWithoutAnExplainedBit(t *testing.T) {
	c := &Run{Tile: utf.TT09}
	for i, j := range suite(t, "guide")[:40] {
		got := testkit.ModelSamples(model.TT09, j.Vector.Steps)
		if i == 20 {
			got[len(got)-1].Out ^= 1 << 2
		}
		must(c.Add(j.Vector.Name, j.Vector.Steps, got))
	}
	f := diagnosed(t, c)
	for _, cause := range f.Causes {
		if cause.Explained == 0 {
			t.Errorf("%s explains %d of %d bits", cause, cause.Explained, cause.Differs)
		}
	}
	if f.Conclusion != Unclear && f.Conclusion != NoneOfMine {
		t.Errorf("%s: %s", f.Conclusion, f.Why())
	}
}

// The likeliest hypothesis so far is shown when it is due, and at the end of the search.
func TestEarly(t *testing.T) {
	c := run(t, "uo3=stuck1", suite(t, "guide")[:20])
	shown := ""
	c.Early = func(h Hypothesis) { shown = h.String() }
	if diagnosed(t, c); shown != "uo3=stuck1" {
		t.Errorf("the last one shown is %q", shown)
	}
	e := c.early()
	hs := Wires(utf.TT09)
	if first := hs[e.order(hs)[0]].String(); first != "uo3=stuck0" {
		t.Errorf("%s is tried first", first)
	}
	shown = ""
	took := e.pass()
	took(hs[0], 3)
	if took(hs[1], 2); shown != "" {
		t.Errorf("%s is shown before it is due", shown)
	}
	e.due = time.Time{}
	took(hs[2], 4)
	if took(hs[3], 1); shown != hs[1].String() {
		t.Errorf("%s is shown", shown)
	}
}

// The causes predict different samples for the vectors that Distinguishing returns.
func TestDistinguishing(t *testing.T) {
	var causes []Cause
	for _, text := range []string{"v0=stuck1", "v5=stuck1", "uo1=stuck0", "uo1=stuck0"} {
		causes = append(causes, Cause{Hypothesis: MustFault(utf.TT09, text)})
	}
	var sequences [][]transport.Step
	for _, job := range suite(t, "guide")[:200] {
		sequences = append(sequences, job.Vector.Steps)
	}
	picked := testkit.Must(Distinguishing(t.Context(), utf.TT09, causes, sequences, nil, 3))(t)
	if len(picked) == 0 {
		t.Fatal("none was picked")
	}
	answers := func(cause Cause) (all []transport.Sample) {
		for _, i := range picked {
			got := make([]transport.Sample, len(sequences[i]))
			if _, err := mock.Open(mock.Config{Tile: utf.TT09, Faults: FaultsOf(cause)}).Apply(t.Context(),
				sequences[i], got); err != nil {
				t.Fatal(err)
			}
			all = append(all, got...)
		}
		return all
	}
	for i := range causes {
		for j := range i {
			a, b := causes[i], causes[j]
			if same := slices.Equal(answers(a), answers(b)); same != (a.String() == b.String()) {
				t.Errorf("%s and %s answer the same: %v", a, b, same)
			}
		}
	}
	if got, err := Distinguishing(t.Context(), utf.TT09, causes[2:], sequences, nil, 3); got != nil || err != nil {
		t.Errorf("the same cause twice is told apart by %v", got)
	}
	causes[3] = Cause{Hypothesis: MustFault(utf.TT09, "uo1=open")}
	if got, err := Distinguishing(t.Context(), utf.TT09, causes[2:], sequences[:20], nil, 3); got != nil || err != nil {
		t.Errorf("a level that one cause leaves unknown tells them apart: %v, %v", got, err)
	}
	in := model.Idle &^ model.READ // nobody drives uio
	floating := [][]transport.Step{{{In: in, Reset: true, Clocks: 1}, {In: in, Clocks: 1}}}
	causes = []Cause{{Hypothesis: MustFault(utf.TT09, "uio3=stuck0")},
		{Hypothesis: MustFault(utf.TT09, "uio3=stuck1")}}
	if got, err := Distinguishing(t.Context(), utf.TT09, causes, floating, nil, 3); got != nil || err != nil {
		t.Errorf("levels that are not compared tell causes apart: %v", got)
	}
}

func BenchmarkSeveral(b *testing.B) {
	for _, text := range []string{"uo3=delay:30ns", "uo3=delay:23ns:3ns", "ui5=setup:26ns", "fmax=17857kHz"} {
		b.Run(text, func(b *testing.B) {
			c := runAt(b, severalAt, allJobs(b), text)
			for b.Loop() {
				diagnosed(b, c)
			}
		})
	}
}

func BenchmarkDiagnose(b *testing.B) {
	c := run(b, "uio3~uio4=and", allJobs(b))
	b.Logf("%d hypotheses, %d steps", len(Chips(utf.TT09))+len(Wires(utf.TT09)), len(c.parts[0].steps))
	for b.Loop() {
		diagnosed(b, c)
	}
}

func diagnosed(t testing.TB, run *Run) Finding {
	t.Helper()
	return testkit.Must(run.Diagnose())(t)
}

// adding returns a Report function that adds each result to run.
func adding(t testing.TB, run *Run) func(*driver.Result) {
	return func(r *driver.Result) {
		if err := run.AddResult(r); err != nil {
			t.Error(err)
		}
	}
}

// A step with many clocks takes the place of several others: it takes as long to simulate.
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
