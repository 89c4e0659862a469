package cells

import (
	"fmt"
	"io"
)

// Text writes the report for people: open faults by cell and pin, untestable ones as a number.
func (r *Report) Text(w io.Writer) {
	fmt.Fprintf(w, "%s: %d cells, %d of them flip-flops; %d %s faults of their pins, in %d classes\n\n", r.Module,
		r.Cells, r.FlipFlops, r.All.Faults, r.Model, r.All.Classes)
	fmt.Fprintf(w, "%-16s %8s %9s %9s %9s %12s %9s %9s\n", "suite", "vectors", "steps", "classes", "of all",
		"of testable", "faults", "of all")
	for _, s := range append(r.Suites, r.Total) {
		if s.Name == r.Total.Name && len(r.Suites) == 1 {
			continue
		}
		fmt.Fprintf(w, "%-16s %8d %9d %9d %9s %12s %9d %9s\n", s.Name, s.Vectors, s.Steps, s.Found.Classes,
			percent(s.Found.Classes, r.All.Classes), percent(s.Found.Classes, r.All.Classes-r.Untest.Classes),
			s.Found.Faults, percent(s.Found.Faults, r.All.Faults))
	}
	fmt.Fprintf(w, "\nuntestable, proved: %d classes, %d faults\n", r.Untest.Classes, r.Untest.Faults)
	fmt.Fprintf(w, "open, neither found nor proved: %d classes, %d faults\n", r.Open.Classes, r.Open.Faults)
	r.listOpen(w)
}

// percent returns a percentage, rounded down, so that 100 % means all.
func percent(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	n := 10000 * part / whole
	return fmt.Sprintf("%d.%02d %%", n/100, n%100)
}

// mostListed is how many classes are listed; --json and --csv have all.
const mostListed = 100

// listOpen lists the classes that are open, a line each.
func (r *Report) listOpen(w io.Writer) {
	listed := 0
	for i := 0; i < len(r.Faults); {
		f, also := &r.Faults[i], ""
		for i++; i < len(r.Faults) && r.Faults[i].Class == f.Class; i++ {
			also += ", " + r.Faults[i].String()
		}
		if f.Untestable {
			continue
		}
		if listed++; listed > mostListed {
			fmt.Fprintf(w, "  ... and %d classes more: --json and --csv have all\n", r.Open.Classes-mostListed)
			return
		}
		if also != "" {
			also = "; the same as " + also[2:]
		}
		if f.Contends {
			also += "; bench and chip drive uio together"
		}
		fmt.Fprintf(w, "  %s (%s)%s\n", f, f.Type, also)
	}
}
