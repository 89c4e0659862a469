package survey

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/transport"
)

// several is the minimum number of wrong designs for which a common cause is likelier than a fault in each. nearlyAll
// is that number for each design that passes.
const several, nearlyAll = 3, 9

// excuse changes a FAIL to ERROR if its lines are wrong in every design that toggles them, or if nearly all designs
// fail, unless its wires are proved good. It returns the changed rows.
func excuse(rows []Row) (excused []Row) {
	right, common := together(rows)
	faults := suspects(rows)
	passed, failed := 0, 0
	for i := range rows {
		switch r := &rows[i]; {
		case r.Verdict == driver.Fail.String():
			failed++
		case r.FailedVectors == 0 && r.ToggledLines != "":
			passed++
		}
	}
	most := failed >= max(several, nearlyAll*passed)
	all, _ := driver.ParseOutputs(alike(rows)) // 0 if there is none
	if all &^= right; !most {
		all = 0
	}
	for i := range rows {
		r := &rows[i]
		differ, _ := r.outputs()
		switch {
		case r.Verdict != driver.Fail.String(), r.clearsWires():
			continue
		case most && faults != "", all != 0, right != 0 && differ != 0 && differ&^common == 0:
			r.Reason = cmp.Or(faults, fmt.Sprintf("each design that toggles %s differs there, perhaps by a wire or pad",
				cmp.Or(all, differ)))
		case most:
			r.Reason = fmt.Sprintf("of the designs that toggle an output %d fail and %d pass, perhaps by clk, rst_n, "+
				"the supply, another wire or the chip", failed, passed)
		default:
			continue
		}
		r.Verdict = notJudged
		excused = append(excused, *r)
	}
	return excused
}

// together returns the lines that some design toggled without a difference, and those wrong in several and never right.
func together(rows []Row) (right, common transport.Outputs) {
	wrong := [several + 1]transport.Outputs{^transport.Outputs(0)} // lines that are wrong in at least n designs
	for i := range rows {
		differ, toggled := rows[i].outputs()
		right |= toggled &^ differ
		for n := several; n > 0; n-- {
			wrong[n] |= wrong[n-1] & differ
		}
	}
	return right, wrong[several] &^ right
}

// clearsWires reports whether the factory test or the response to long pulses has proved a FAIL's wires good.
func (r *Row) clearsWires() bool {
	return strings.HasSuffix(r.Cause, wiresCleared) || strings.HasPrefix(r.Cause, tooSlow)
}

// outputs parses DifferingLines and ToggledLines.
func (r *Row) outputs() (differ, toggled transport.Outputs) {
	differ, _ = driver.ParseOutputs(r.DifferingLines) // 0 if there is none
	toggled, _ = driver.ParseOutputs(r.ToggledLines)
	return differ, toggled
}

// clear changes a FAIL to ERROR if samples differ only on lines that are also wrong in another design, or on unused
// lines of uio, where the bench reads its own level.
func (r *Row) clear(wires *diagnose.WiringReport, unused []string) {
	differ, _ := r.outputs()
	others := slices.DeleteFunc(slices.Clone(unused), func(l string) bool { return !strings.HasPrefix(l, "uio") })
	why := fmt.Sprintf("something drives %s, which the design does not use: unplug the uio PMOD header, and see "+
		"bench wiring --tile factory", differ)
	if wires != nil && wires.FaultLocated && wires.FaultyOutputs != nil {
		others, why = append(others, wires.FaultyOutputs...), wires.Reason
	}
	if differ != 0 && !slices.ContainsFunc(differ.Names(), func(l string) bool { return !slices.Contains(others, l) }) {
		r.Verdict, r.Reason = notJudged, why
	}
}
