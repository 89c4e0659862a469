package explain

import (
	"io"

	"utfbench/boards"
	"utfbench/cause/diagnose"
	"utfbench/cause/search"
	"utfbench/internal/files"
	"utfbench/runs/report"
)

// A wiringDocument is the JSON form of a wiring check. docs/formats.md describes it and its parts.
type wiringDocument struct {
	report.About
	State    string        `json:"verdict"`
	Why      string        `json:"why"`
	Steps    int           `json:"steps"`
	Suspects []suspectPart `json:"suspects"`
	Faults   []string      `json:"explained_by"`      // faults that each explain the samples, in the syntax of --fault
	Unproven []string      `json:"unproven"`          // lines not proved free of stuck faults
	Outputs  []string      `json:"outputs"`           // outputs whose wire, pin or chip is at fault
	Account  string        `json:"account,omitempty"` // how much the suspects explain, as a sentence
	Scope    *search.Scope `json:"searched,omitempty"`
}

type suspectPart struct {
	Words string            `json:"words"`
	Lines []string          `json:"lines"`
	What  []string          `json:"what"`
	Pins  map[string]string `json:"pins"`
}

// WriteWiringJSON writes the report of a wiring check as JSON.
func WriteWiringJSON(w io.Writer, about report.About, b *boards.Board, r *diagnose.WiringReport) error {
	d := wiringDocument{About: about, State: r.State(), Why: r.Reason, Steps: r.Steps, Suspects: []suspectPart{},
		Faults: []string{}, Unproven: append([]string{}, r.UnprovenLines...),
		Outputs: append([]string{}, r.FaultyOutputs...)}
	for _, s := range r.SuspectsByLine() {
		d.Suspects = append(d.Suspects, suspectPart{s.String(), s.Lines, s.Faults, pinsOf(b, s.Lines)})
	}
	for _, h := range r.Suspects {
		d.Faults = append(d.Faults, h.String())
	}
	if r.Account.DifferingBits > 0 {
		d.Account = r.Account.Describe()
	}
	if r.Scope.CompletedTiers != nil {
		d.Scope = &r.Scope
	}
	return files.WriteDocument(w, d)
}

func pinsOf(b *boards.Board, lines []string) map[string]string {
	pins := map[string]string{}
	for _, line := range lines {
		if p, ok := b.Pins[line]; ok {
			pins[line] = p.Name
		}
	}
	return pins
}
