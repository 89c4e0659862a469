package survey

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/transport"
)

// A Row is the result of a design.
type Row struct {
	Design          string `json:"design"`
	Verdict         string `json:"verdict"` // ERROR if the design was not judged completely
	Reason          string `json:"why,omitempty"`
	FirstDifference string `json:"first_difference,omitempty"`
	Cause           string `json:"cause,omitempty"` // cause of a FAIL
	DifferingLines  string `json:"lines,omitempty"` // lines that differed
	Vectors         int    `json:"vectors"`
	FailedVectors   int    `json:"vectors_failed"`
	Steps           int    `json:"steps"`
	ComparedBits    int    `json:"bits_compared"`
	ToggledLines    string `json:"toggled,omitempty"` // lines that were compared at both levels
	// the share of the gates' stuck-at faults that the run would have detected, in percent, and bounds if it is a
	// sample's or a lower bound; ProvedInputs is the number of inputs if a design without state was given all
	Coverage          *float64 `json:"coverage_percent,omitempty"`
	CoverageFrom      float64  `json:"coverage_from_percent,omitempty"`
	CoverageTo        float64  `json:"coverage_to_percent,omitempty"`
	ProvedInputs      int      `json:"all_inputs,omitempty"`
	MostFaultsUnknown bool     `json:"mostly_unknown,omitempty"`   // no fault is found, and most are: no search helps
	Explored          bool     `json:"explored,omitempty"`         // a search generated the vectors
	Revision          string   `json:"revision,omitempty"`         // revision of the reference's gates
	RecordingDigest   string   `json:"recording_sha256,omitempty"` // digest of the design's recording
	// the chip, without its design; nil if it was not opened
	Chip *report.Chip `json:"chip,omitempty"`
}

// CoverageText returns the share of faults that the vectors would detect, "all inputs", or "-" if it was not graded.
func (r *Row) CoverageText() string {
	switch {
	case r.ProvedInputs > 0:
		return "all inputs"
	case r.Coverage == nil:
		return "-"
	case r.CoverageTo > 0:
		return fmt.Sprintf("%.1f %% (%.0f to %.0f)", *r.Coverage, math.Floor(r.CoverageFrom), math.Ceil(r.CoverageTo))
	}
	return fmt.Sprintf("%.1f %%", *r.Coverage)
}

// Explanation returns the reason for the verdict, the first difference and its cause, or a doubt of a PASS.
func (r *Row) Explanation() string {
	switch {
	case r.Reason == "" && r.Cause != "":
		return r.FirstDifference + "; " + r.Cause
	case r.Verdict == driver.Pass.String() && r.ProvedInputs == 0 && r.Coverage != nil &&
		*r.Coverage < station.DefaultCoverage:
		return driver.CoverageDoubt(station.DefaultCoverage)
	}
	return cmp.Or(r.Reason, r.FirstDifference)
}

// notJudged is the verdict on a design after an incomplete run.
var notJudged = driver.Error.String()

// unjudged returns the row of a design that could not be judged. If ctx has ended, it returns an error.
func (r Row) unjudged(ctx context.Context, err error) (Row, error) {
	if ctx.Err() != nil || failure.KindOf(err) == failure.Interrupted {
		return r, cmp.Or(ctx.Err(), err)
	}
	r.Reason = err.Error()
	return r, nil
}

// ask runs the vectors on the chip, observed by w, and returns the row with the verdict.
func (r Row) ask(ctx context.Context, run *station.Run, w *witness) (Row, error) {
	o, err := run.Judge(ctx, w)
	r.FirstDifference = w.first
	switch {
	case err != nil:
		return r, err
	case o.Interrupted, ctx.Err() != nil: // perhaps during the grading
		return r, context.Canceled
	case o.BenchError != "":
		r.Reason = o.BenchError
		return r, nil
	}
	if !slices.Contains(order, o.Verdict().String()) {
		r.Reason = "the run is " + o.Verdict().String()
		return r, nil
	}
	if r.RecordingDigest, err = w.keep(); err != nil {
		return r, err
	}
	r.Verdict, r.Revision = o.Verdict().String(), run.Chip.Tile.Revision()
	r.Vectors, r.FailedVectors = run.VectorPlan.Vectors, len(o.Tally.Repeats)
	r.Steps, r.ComparedBits = o.Tally.Steps, o.Tally.Evidence.Bits()
	for i, l := range o.Tally.Lines {
		if l != (driver.LineTally{}) {
			w.differed |= 1 << i
		}
	}
	w.speed = run.Chip.Speed()
	w.pulses, r.DifferingLines, r.ToggledLines = o.Tally.Pulses, w.differed.String(), o.Tally.ToggledLines().String()
	if g := o.Tally.Coverage; g != nil {
		r.Coverage, r.ProvedInputs, r.MostFaultsUnknown = new(g.Percent()), g.ProvedInputs, g.IsMostlyUnknown()
		if low, high := g.Interval(); low < high {
			r.CoverageFrom, r.CoverageTo = low, high
		}
	}
	switch o.Verdict() {
	case driver.Weak:
		r.Reason = o.Tally.Weakness()
	case driver.Skipped:
		r.Reason = o.Tally.SkipReasons()
	}
	return r, nil
}

// VerdictCounts are the numbers of designs by verdict.
type VerdictCounts map[string]int

// order lists the verdicts, the most severe first.
var order = []string{driver.Fail.String(), notJudged, driver.Weak.String(), driver.Skipped.String(),
	driver.Pass.String()}

// String lists the counts, the most severe verdict first.
func (c VerdictCounts) String() string {
	text := ""
	for _, v := range order {
		if c[v] > 0 {
			text += fmt.Sprintf(", %d %s", c[v], v)
		}
	}
	return strings.TrimPrefix(text, ", ")
}

// alike returns the lines on which all of two or more failing designs differ, or "" if one also differs elsewhere.
func alike(rows []Row) (lines string) {
	n, common, union := 0, ^transport.Outputs(0), transport.Outputs(0)
	for _, r := range rows {
		if r.FailedVectors > 0 && !r.clearsWires() {
			differed, _ := r.outputs()
			n, common, union = n+1, common&differed, union|differed
		}
	}
	if n < 2 || union != common {
		return ""
	}
	return common.String()
}

// suspects names the wire faults that each explain all failing designs, or returns "".
func suspects(rows []Row) string {
	var common []string
	for _, r := range rows {
		if _, words, _ := strings.Cut(r.Cause, ifWires); r.FailedVectors > 0 {
			var each []string // one for each level, as in "uo1 is stuck at 1 or open"
			for one := range strings.SplitSeq(words, or) {
				line, levels, _ := strings.Cut(one, is)
				for level := range strings.SplitSeq(levels, " or ") {
					each = append(each, strings.TrimSuffix(line+is+level, is))
				}
			}
			if common == nil {
				common = each
			}
			common = slices.DeleteFunc(common, func(s string) bool { return !slices.Contains(each, s) })
		}
	}
	text, last := "", " "
	for _, s := range common {
		line, level, _ := strings.Cut(s, is)
		if line == last {
			s = " or " + level
		} else if text != "" {
			s = or + s
		}
		text, last = text+s, line
	}
	if text != "" {
		text = "every failure is explained if " + text
	}
	return text
}

// first returns the row of the first design with a verdict, or a zero Row if there is none.
func first(rows []Row, v driver.Verdict) Row {
	if i := slices.IndexFunc(rows, func(r Row) bool { return r.Verdict == v.String() }); i >= 0 {
		return rows[i]
	}
	return Row{}
}

// Err returns the most severe verdict as an error.
func (c VerdictCounts) Err() error {
	v, _ := driver.ParseVerdict(c.Gravest()) // UNJUDGED if there is no design
	return v.Err()
}

// Gravest returns the most severe verdict of all designs, or "" if there are none.
func (c VerdictCounts) Gravest() string {
	for _, v := range order {
		if c[v] > 0 {
			return v
		}
	}
	return ""
}
