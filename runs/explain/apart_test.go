package explain

import (
	"testing"

	"utfbench/cause/diagnose"
	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

func suspected(t tile.Tile, faults ...string) (all []search.Fit) {
	for _, text := range faults {
		all = append(all, search.Fit{Hypothesis: search.MustParse(t, text)})
	}
	return all
}

// No vector is asked for that distinguishes causes only by lines that the bench releases once the chip has differed.
func TestReleasedLinesTellNothing(t *testing.T) {
	x := testkit.Must(gates.Open(testkit.Must(project.Open("../../tile/gates/testdata/turn.v"))(t)))(t)
	c := &diagnose.Run{Tile: x}
	r := driver.Runner{Tile: x, Transport: mock.Open(mock.Config{Tile: x,
		Faults: []fault.Fault{testkit.Must(tile.RegisterBits(x).Parse("uo0=stuck1"))(t)}}),
		Report: func(r *driver.Result) { testkit.Must(0, c.AddResult(r))(t) }}
	var jobs []driver.Job
	for _, v := range testkit.Must(tile.RandomSuite(t.Context(), x, 1, 200))(t).Vectors {
		jobs = append(jobs, driver.Job{Vector: &v})
	}
	testkit.Must(r.Run(t.Context(), jobs))(t)
	f := testkit.Must(c.Diagnose())(t)
	suite := testkit.Must(tile.RandomSuite(t.Context(), x, firstSeed, stepsMade))(t)
	var whole [][]transport.Step
	for _, v := range suite.Vectors {
		whole = append(whole, v.Steps)
	}
	if testkit.Must(search.DistinguishingSequences(t.Context(), x, f.TiedCauses(), whole, nil, 1))(t) == nil {
		t.Fatal("no vector distinguishes them by the lines that a good chip releases")
	}
	d := &Diagnosis{}
	if err := d.ask(t.Context(), x, f.TiedCauses(), suite.Vectors, nil); err != nil || d.SuggestedVectors != nil {
		t.Errorf("asks for %q, %v", d.SuggestedVectors, err)
	}
}

// Random steps of a seed that a run had are not asked for again.
func TestOtherSeeds(t *testing.T) {
	own := map[string]bool{}
	for _, j := range testkit.Must(legal(utf.TT09))(t) {
		own[j.Vector.Name] = true
	}
	for seed := uint64(1); seed <= lastSeed; seed++ {
		rec := &report.Recording{Start: report.Start{Seed: seed}}
		d := &Diagnosis{Explanation: &Explanation{several: true}}
		causes := suspected(utf.TT09, "uo1=stuck0", "uo1=stuck1")
		err := d.tellApart(t.Context(), utf.TT09, causes, own, []Run{{rec: rec}})
		if err != nil || d.Random == nil || d.Random.Seed == seed {
			t.Errorf("after seed %d: %+v, %v", seed, d.Random, err)
		}
	}
}
