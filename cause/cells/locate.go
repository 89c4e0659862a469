package cells

import (
	"context"
	"slices"

	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
)

// A Place is a pin with a suspected fault, and the fault's account. Equivalent lists faults with the same effect.
type Place struct {
	Cell            string   `json:"cell"`
	Type            string   `json:"type"`
	Pin             string   `json:"pin"`
	Net             string   `json:"net"` // net of the pin
	Fault           string   `json:"fault"`
	Equivalent      []string `json:"same,omitempty"`
	ExplainedBits   int      `json:"explained"`      // wrong bits that the fault predicts
	PartlyExplained int      `json:"open,omitempty"` // wrong bits that the fault predicts from some states only
	MissedBits      int      `json:"missed"`         // wrong bits that the fault does not predict
	FalseErrors     int      `json:"unseen"`         // right bits that the fault mispredicts
}

// String returns the fault's name.
func (p *Place) String() string { return p.Cell + "/" + p.Pin + " " + p.Fault }

// A Location holds the cells that may explain a run. Those in Best explain it equally well.
type Location struct {
	FailedVectors int     `json:"failed"` // vectors
	Vectors       int     `json:"vectors"`
	TriedClasses  int     `json:"tried"` // classes of faults that were tried
	Best          []Place `json:"best"`
	NextBest      []Place `json:"less,omitempty"`
}

// A round of a search limits the number of vectors compared, and of faults kept.
type round struct{ vectors, faults int }

var rounds = []round{{8, 1500}, {24, 600}, {2 * sampled, 250}}

const (
	finalists = 32 // number of faults compared with the whole run
	mostOpen  = 16 // maximum number of faults tried from known states
	mostShown = 5  // maximum number of runners-up that are reported
)

// Locate finds the cell and pin that explain a failing run. The error is a *grade.Mismatch or comes from ctx.
func (r *Run) Locate(ctx context.Context, d *gates.Design) (*Location, error) {
	j := &judge{Run: r, list: gates.NewFaultList(d)}
	if wrong := grade.FindMismatch(j.list, r.vectors); wrong != nil {
		return nil, AddRevisionHint(r.Tile, j.list, r.vectors, wrong)
	}
	var all []suspect
	for i, c := range j.list.Classes {
		if c.Untestable == "" {
			all = append(all, suspect{fault: c.Faults[0], class: i})
		}
	}
	l := &Location{FailedVectors: r.CountFailed(), Vectors: len(r.vectors), TriedClasses: len(j.list.Classes)}
	if len(all) == 0 {
		return l, nil
	}
	all, err := j.search(ctx, all)
	if err == nil && len(j.open) > 0 {
		all, err = j.fromStates(ctx, all)
	}
	if err != nil {
		return nil, err
	}
	j.report(all, l)
	return l, nil
}

// search narrows the suspects in rounds on a sample, and compares the rest with the whole run.
func (j *judge) search(ctx context.Context, all []suspect) ([]suspect, error) {
	some, done := j.sample(), 0
	for _, r := range rounds {
		to := min(r.vectors, len(some))
		if err := j.agree(ctx, all, some[done:to]); err != nil {
			return nil, err
		}
		all, done = keep(all, r.faults), to
	}
	if err := j.explain(ctx, all, some); err != nil {
		return nil, err
	}
	all = nearest(all, len(all))
	for _, s := range all {
		if s.missed+s.unseen == 0 && s.open > 0 && len(j.open) < mostOpen {
			j.open = append(j.open, s)
		}
	}
	all = all[:min(finalists, len(all))]
	var rest []int
	for v := range j.vectors {
		if !slices.Contains(some, v) {
			rest = append(rest, v)
		}
	}
	err := j.explain(ctx, all, rest)
	return nearest(all, finalists), err
}

// fromStates replaces the accounts of suspects that no bit contradicts: it simulates them from the power-up states 0, 1
// and unknown, on a chip that stays powered. Otherwise a fault that blocks the reset leaves most levels unknown.
func (j *judge) fromStates(ctx context.Context, all []suspect) ([]suspect, error) {
	whole := *j
	whole.Run = j.joined()
	var open, twice []suspect
	for _, s := range j.open {
		s.account = account{}
		open, twice = append(open, s), append(twice, s, s)
	}
	if err := whole.explain(ctx, open, []int{0}); err != nil {
		return nil, err
	}
	whole.known = true
	if err := whole.explain(ctx, twice, []int{0}); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s suspect) bool {
		return slices.ContainsFunc(open, func(o suspect) bool { return o.class == s.class })
	})
	for i, s := range open {
		if best := nearest(twice[2*i:2*i+2], 1)[0]; best.exact() || !s.likely() {
			s = best
		}
		all = append(all, s)
	}
	return nearest(all, len(all)), nil
}

func (j *judge) report(all []suspect, l *Location) {
	for _, s := range all {
		switch {
		case s.account == all[0].account:
			l.Best = append(l.Best, j.place(s))
		case len(l.NextBest) < mostShown && s.explained > 0:
			l.NextBest = append(l.NextBest, j.place(s))
		}
	}
}

func (j *judge) place(s suspect) Place {
	p := j.pin(s.fault)
	p.ExplainedBits, p.PartlyExplained, p.MissedBits, p.FalseErrors = s.explained, s.open, s.missed, s.unseen
	for _, f := range j.list.Classes[s.class].Faults[1:] {
		same := j.pin(f)
		p.Equivalent = append(p.Equivalent, same.String())
	}
	return p
}

// pin returns the place of a fault's pin, without an account.
func (j *judge) pin(f gates.StuckAt) Place {
	s, c := &j.list.Sites[f.Site], j.list.Design.Circuit
	part := &c.Parts[s.Part]
	return Place{Cell: part.Name, Type: part.Type, Pin: s.Pin, Net: c.Nets[s.Net], Fault: j.list.FaultText(f)}
}
