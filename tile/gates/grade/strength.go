package grade

import "utfbench/driver"

// Strength counts the classes by what became of them.
func (g *Grading) Strength() *driver.Strength {
	var n [len(outcomes)]int
	for _, f := range g.Findings {
		n[f.Outcome]++
	}
	testable := len(g.Classes) - n[Untestable]
	return &driver.Strength{Faults: testable - n[Ungraded], Testable: testable, Untestable: n[Untestable],
		Found: n[Found], Inactive: n[Inactive], Unknown: n[Unclear], Unseen: n[Unseen], Idle: len(g.Idle),
		AtLeast: g.Cut}
}
