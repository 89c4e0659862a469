package diagnose

import (
	"strings"
	"testing"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// The design is blamed only if the check of the other design would have shown all suspects and a repeated check has the
// same result. The other design does not show a short of uo3 and uio3.
func TestSettleSimulatesSuspects(t *testing.T) {
	other := tile.FactoryTest{}
	good := testkit.Must(CheckWiring(t.Context(), mock.Open(mock.Config{Tile: other}), other, 0))(t)
	for text, design := range map[string]bool{"ui3=stuck0": true, "ui3~ui4=and": true, "uo3=open": true,
		"uo3~uio3=and": false, "ui3=stuck0 uo3~uio3=and": false} {
		suspected := func() *WiringReport {
			r := &WiringReport{Verdict: BadWires, Reason: "so"}
			for one := range strings.FieldsSeq(text) {
				r.Suspects = append(r.Suspects, search.MustParse(utf.TT09, one))
			}
			return r
		}
		r := suspected()
		if err := r.LocateByOtherDesign(t.Context(), good, "T"); err != nil || r.BlamesDesign() != design {
			t.Errorf("%s: %v, %s, %s", text, err, r.Verdict, r.Reason)
		}
		if r.WithdrawIfChanged(suspected()); r.BlamesDesign() != design {
			t.Errorf("%s, repeated: %s", text, r.Reason)
		}
		if r.WithdrawIfChanged(good); r.BlamesDesign() {
			t.Errorf("%s, and then good: %s", text, r.Reason)
		}
	}
}

// If checks with two designs behind the same wires both find faults, the faults found with the other design are named.
func TestFaultOfAnotherDesign(t *testing.T) {
	of := func(v driver.Verdict, outputs []string, texts ...string) *WiringReport {
		r := &WiringReport{Verdict: v, Reason: "so", FaultyOutputs: outputs}
		for _, text := range texts {
			r.Suspects = append(r.Suspects, search.MustParse(utf.TT09, text))
		}
		return r
	}
	bad := of(BadWires, nil, "clk=open", "rst_n=open")
	for _, c := range []struct {
		r     *WiringReport
		other *WiringReport
		want  string // names of the suspects
		why   string
	}{
		{of(BadWires, nil, "clk=open", "ui0=stuck0"), bad, "[clk=open rst_n=open]", "wires explains the samples of T"},
		{of(UnclearWires, nil), bad, "[clk=open rst_n=open]", "wires explains the samples of T"},
		{of(UnclearWires, []string{"uo2"}, "uo2=open"), bad, "[clk=open rst_n=open]", "explains the samples of T"},
		{of(UnclearWires, nil), of(UnclearWires, []string{"uo4"}, "uo4=open"), "[uo4=open]", "so it is not the design"},
		{of(UnclearWires, nil), of(GoodWires, nil), "[]",
			"so; T shows every line at both levels, so wires and pads are good: it is the design"},
	} {
		before := names(c.r)
		if err := c.r.LocateByOtherDesign(t.Context(), c.other, "T"); err != nil {
			t.Fatal(err)
		}
		if names(c.r) != c.want || !strings.Contains(c.r.Reason, c.why) ||
			(c.r.Verdict == BadWires) != (c.other == bad) {
			t.Errorf("%s: %s, %s, %q", before, c.r.Verdict, names(c.r), c.r.Reason)
		}
	}
	if !of(UnclearWires, nil).SamplesDiffer() || of(UnprovenWires, nil).SamplesDiffer() {
		t.Error("a check that explains nothing is not settled, or one without a difference is")
	}
}
