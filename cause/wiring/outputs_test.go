package wiring

import (
	"strings"
	"testing"

	"utfbench/cause/diagnose"
	"utfbench/fault"
	"utfbench/tile/factory"
	"utfbench/tile/utf"
)

// Two checks behind the same wires name the faults that both suspect, or else those of the other design.
func TestSettleNamesCommonSuspects(t *testing.T) {
	own := func(texts ...string) *Report {
		r := &Report{Verdict: Bad, Why: "so"}
		if texts == nil {
			r.Verdict = Unclear
		}
		for _, text := range texts {
			r.Suspects = append(r.Suspects, diagnose.MustFault(utf.TT09, text))
		}
		return r
	}
	outputs := func(line string, texts ...string) *Report {
		r := own(texts...)
		r.Verdict, r.Outputs = Unclear, []string{line}
		return r
	}
	other := &Report{Verdict: Bad, Suspects: []diagnose.Hypothesis{diagnose.MustFault(factory.Tile{}, "clk=open"),
		diagnose.MustFault(factory.Tile{}, "rst_n=open")}}
	for _, c := range []struct {
		r     *Report
		other *Report
		want  string // names of the suspects
		why   string
	}{
		{own("clk=open", "ui0=stuck0", "rst_n=open:low"), other, "[clk=open rst_n=open:low]",
			"of this design and of T"},
		{own("clk=open", "rst_n=open:keep"), other, "[clk=open rst_n=open:keep]", "so"},
		{own(), other, "[clk=open rst_n=open]", "so, but a fault in the wires explains the samples of T"},
		{own("uio3=open"), other, "[clk=open rst_n=open]", "a fault in the wires explains the samples of T"},
		{outputs("uo2", "rst_n=open", "uo2=open"), other, "[rst_n=open]", "of this design and of T"},
		{outputs("uo2", "uo2=open"), other, "[clk=open rst_n=open]", "so, but a fault in the wires explains the "},
		{own(), &Report{Verdict: Unclear, Outputs: []string{"uo4"},
			Suspects: []diagnose.Hypothesis{diagnose.MustFault(utf.TT09, "uo4=open")}}, "[uo4=open]",
			"so it is not the design"},
		{own(), &Report{Verdict: Good}, "[]", "so; T shows every line at both levels, so wires and pads are good: it " +
			"is the design"},
	} {
		before := names(c.r)
		c.r.Settle(c.other, "T")
		if bad := c.other.Verdict == Bad; names(c.r) != c.want || !strings.Contains(c.r.Why, c.why) ||
			bad != (c.r.Verdict == Bad) {
			t.Errorf("%s: %s, %s, %q", before, c.r.Verdict, names(c.r), c.r.Why)
		}
	}
	if r := own(); r.Doubtful() != true || (&Report{Verdict: Unproven, Unproven: fault.Lines}).Doubtful() {
		t.Error("a check that explains nothing is not settled, or one without a difference is")
	}
}
