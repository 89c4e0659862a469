package wiring

import (
	"strings"
	"testing"

	"utfbench/cause/search"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// A design is blamed only if all suspects would have shown with the other design, which shows no short of uo3 and
// uio3, and if the check has the same result when it is repeated.
func TestSettleSimulatesSuspects(t *testing.T) {
	good := testkit.Must(Check(t.Context(), mock.Open(mock.Config{Tile: tile.FactoryTest{}}), tile.FactoryTest{}, 0))(t)
	for text, design := range map[string]bool{"ui3=stuck0": true, "ui3~ui4=and": true, "uo3=open": true,
		"uo3~uio3=and": false, "ui3=stuck0 uo3~uio3=and": false} {
		suspected := func() *Report {
			r := &Report{Verdict: Bad, Why: "so"}
			for one := range strings.FieldsSeq(text) {
				r.Suspects = append(r.Suspects, search.MustParse(utf.TT09, one))
			}
			return r
		}
		r := suspected()
		if err := r.LocateByOtherDesign(t.Context(), good, "T"); err != nil || r.BlamesDesign() != design {
			t.Errorf("%s: %v, %s, %s", text, err, r.Verdict, r.Why)
		}
		if r.WithdrawIfChanged(suspected()); r.BlamesDesign() != design {
			t.Errorf("%s, repeated: %s", text, r.Why)
		}
		if r.WithdrawIfChanged(good); r.BlamesDesign() {
			t.Errorf("%s, and then good: %s", text, r.Why)
		}
	}
}

// Two checks behind the same wires name the faults that both suspect, or else those of the other design.
func TestSettleNamesCommonSuspects(t *testing.T) {
	own := func(texts ...string) *Report {
		r := &Report{Verdict: Bad, Why: "so"}
		if texts == nil {
			r.Verdict = Unclear
		}
		for _, text := range texts {
			r.Suspects = append(r.Suspects, search.MustParse(utf.TT09, text))
		}
		return r
	}
	outputs := func(line string, texts ...string) *Report {
		r := own(texts...)
		r.Verdict, r.Outputs = Unclear, []string{line}
		return r
	}
	other := &Report{Verdict: Bad, Suspects: []search.Hypothesis{search.MustParse(tile.FactoryTest{}, "clk=open"),
		search.MustParse(tile.FactoryTest{}, "rst_n=open")}}
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
			Suspects: []search.Hypothesis{search.MustParse(utf.TT09, "uo4=open")}}, "[uo4=open]",
			"so it is not the design"},
		{own(), &Report{Verdict: Good}, "[]", "so; T shows every line at both levels, so wires and pads are good: it " +
			"is the design"},
	} {
		before := names(c.r)
		if err := c.r.LocateByOtherDesign(t.Context(), c.other, "T"); err != nil {
			t.Fatal(err)
		}
		if bad := c.other.Verdict == Bad; names(c.r) != c.want || !strings.Contains(c.r.Why, c.why) ||
			bad != (c.r.Verdict == Bad) {
			t.Errorf("%s: %s, %s, %q", before, c.r.Verdict, names(c.r), c.r.Why)
		}
	}
	if r := own(); r.SamplesDiffer() != true || (&Report{Verdict: Unproven, Unproven: fault.Lines}).SamplesDiffer() {
		t.Error("a check that explains nothing is not settled, or one without a difference is")
	}
}
