package survey

import (
	"slices"
	"strings"
	"testing"

	"utfbench/cause/diagnose"
	"utfbench/station"
	"utfbench/tile/pack"
)

// A design is not blamed for lines that it does not use or that are wrong in another design, too.
func TestClear(t *testing.T) {
	uo3 := &diagnose.WiringReport{FaultLocated: true, FaultyOutputs: []string{"uo3"}, Reason: "uo3"}
	for _, c := range []struct {
		differ string
		wires  *diagnose.WiringReport
		want   string
	}{
		{"uio4", nil, notJudged}, {"uio4-uio5", nil, "FAIL"}, {"uo7", nil, "FAIL"}, {"", nil, "FAIL"},
		{"uo3", uo3, notJudged}, {"uo3, uio4", uo3, notJudged}, {"uo2-uo3", uo3, "FAIL"},
	} {
		r := Row{Verdict: "FAIL", DifferingLines: c.differ}
		r.clear(c.wires, []string{"ui0", "uo7", "uio4"})
		if r.Verdict != c.want || (r.Reason == "") != (c.want == "FAIL") {
			t.Errorf("%q: %+v; want %s", c.differ, r, c.want)
		}
	}
}

// excuse changes the FAILs of designs that fail for a common reason to ERROR.
func TestExcuse(t *testing.T) {
	type design struct{ differ, toggled string }
	for _, c := range []struct {
		name    string
		designs []design
		want    string // whether each design is excused
	}{
		{"wire", []design{{"uo3", "uo3"}, {"uo3", "uo0-uo3"}, {"uo3", "uo0"}, {"", "uo0"}}, "yyy-"},
		{"few", []design{{"uo3", "uo3"}, {"uo3", "uo0-uo3"}, {"", "uo0"}}, "nn-"},
		{"right in one", []design{{"uo3", "uo3"}, {"uo3", "uo3"}, {"uo3", "uo3"}, {"", "uo3"}}, "nnn-"},
		{"more than the wire", []design{{"uo3", "uo3"}, {"uo3", "uo3"}, {"uo3-uo4", "uo3-uo4"}, {"", "uo0"}}, "yyn-"},
		{"nothing responds", []design{{"uo0", "uo0"}, {"uo1", "uo1"}, {"uo2", "uo2"}, {"", ""}}, "yyy-"},
		{"two", []design{{"uo0", "uo0"}, {"uo1", "uo1"}}, "nn"},
		{"nearly all", append(slices.Repeat([]design{{"uo0", "uo0"}}, 9), design{"", "uo0"}), "yyyyyyyyy-"},
	} {
		var rows []Row
		for _, d := range c.designs {
			row := Row{Verdict: "PASS", DifferingLines: d.differ, ToggledLines: d.toggled}
			if d.differ != "" {
				row.Verdict, row.FailedVectors = "FAIL", 1
			}
			rows = append(rows, row)
		}
		got := ""
		excused := excuse(rows)
		for _, r := range rows {
			switch r.Verdict {
			case notJudged:
				got, excused = got+"y", excused[1:]
			case "FAIL":
				got += "n"
			default:
				got += "-"
			}
		}
		if got != c.want || len(excused) != 0 {
			t.Errorf("%s: %s, and %d more; want %s", c.name, got, len(excused), c.want)
		}
	}
}

// A reason names a fault that explains all that fail, and lines only if no design differs elsewhere.
func TestReason(t *testing.T) {
	const reset = "9 of 9 bits" + ifWires + "rst_n is open"
	for _, c := range []struct{ lines, cause, want string }{
		{"uo0-uo1", reset, "every failure is explained if rst_n is open"},
		{"uo0", reset, "every failure is explained if rst_n is open"},
		{"uo0-uo1", "", "perhaps by clk, rst_n, the supply, another wire or the chip"},
		{"uo0", "", "each design that toggles uo0 differs there, perhaps by a wire or pad"},
	} {
		row := Row{Verdict: "FAIL", FailedVectors: 1, DifferingLines: "uo0", Cause: c.cause}
		rows := slices.Repeat([]Row{row}, several)
		rows[1].DifferingLines = c.lines
		rows[2].Cause = strings.Replace(c.cause, "rst_n is", "rst_n is stuck at 1 or", 1)
		if got := excuse(rows); len(got) != several || !strings.HasSuffix(got[1].Reason, c.want) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// If the factory test or long pulses have cleared its wires, a FAIL is not excused, and no check of wires is suggested.
func TestClearedWires(t *testing.T) {
	designs := pack.Index{Designs: []pack.Design{{Name: "x"}}}
	s := &Survey{Pack: &pack.Pack{Index: designs}, Target: station.NewTarget("rp2040")}
	row := Row{Design: "x", Verdict: "FAIL", FailedVectors: 1, DifferingLines: "uo3", ToggledLines: "uo3"}
	for cause, cleared := range map[string]bool{"b/A stuck": false, "no cause" + wiresCleared: true, tooSlow: true} {
		row.Cause = cause
		rows := slices.Repeat([]Row{row}, several)
		steps := s.Suggestions(rows)
		if (excuse(rows) == nil) != cleared || (steps[0].Args[0] != "wiring") != cleared {
			t.Errorf("%s: %+v, %v", cause, rows, steps)
		}
	}
}
