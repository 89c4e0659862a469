package explain

import (
	"fmt"
	"testing"

	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
	"utfbench/tile/gates/sim"
)

// Nets with names made by tools share one row, which lists all their places.
func TestBlindOfUnnamedNets(t *testing.T) {
	c := sim.NewCircuit("unnamed")
	g := &grade.Grading{FaultList: &gates.FaultList{Design: &gates.Design{Circuit: c}}}
	for i := range 3 {
		c.BeginPart(sim.Part{Name: fmt.Sprintf("_%d_", i), File: "x.v", Line: 1 + i})
		g.Sites = append(g.Sites, gates.FaultSite{Part: int32(len(c.Parts) - 1), Net: c.Net(fmt.Sprintf("_0%d_", i))})
		g.Classes = append(g.Classes, gates.FaultClass{Faults: []gates.StuckAt{{Site: int32(i)}}})
		g.Findings = append(g.Findings, grade.Finding{Outcome: grade.Unseen})
	}
	if all := blindSpots(g); len(all) != 1 || all[0] != (blindSpot{Source: "x.v:1, x.v:2, x.v:3", Unseen: 3}) {
		t.Errorf("%+v", all)
	}
}
