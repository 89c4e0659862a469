package explain

import (
	"cmp"
	"fmt"
	"strings"

	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/tile"
)

// A section is a part of the page: its heading, the heading's id, the text of links to it, and its contents.
type section struct {
	id, link, heading string
	contents          markup // "" if the page omits the section
}

func (p *Page) sections(o report.Outcome, explained *Explanation) (all []section) {
	for _, s := range []section{
		{"explained", "Explanation", "Explanation", explained.markup()},
		{"suites", "Suites", "Suites", p.suiteTable(o)},
		{"compared", "Compared outputs", "Compared outputs", compared(report.NewEvidence(&p.run, o))},
		{"lines", "Lines", "Lines that were wrong", table(report.LineTable(o.Tally))},
		{"flaky", "Flaky", "Flaky vectors", nowAndThen(o)},
		{"failures", "Failures", "Failures, one of each kind", each(p.shown, (*example).markup)},
		{"others", "Not passed", "Vectors that did not pass", p.otherTable()},
		{"origin", "Origin", "Origin", p.origin(o)},
	} {
		if s.contents != "" {
			all = append(all, s)
		}
	}
	return all
}

func (s section) markup() markup {
	return in("section", markup(`<h2 id="`+s.id+`">`), text(s.heading), "</h2>\n", s.contents) + "\n"
}

func contents(sections []section) markup {
	if len(sections) <= 3 {
		return ""
	}
	return in("nav", each(sections, func(s section) markup { return in(`a href="#`+s.id+`"`, text(s.link)) + " " }))
}

func (e *Explanation) markup() markup {
	if e == nil {
		return ""
	}
	suspects := unless(len(e.Suspects) == 0, in("p", text(e.Verb), ":")+list(e.Suspects)+in("p", text(e.Account)))
	return in("p", in("b", "conclusion: ", text(e.Conclusion))) + in("p", text(e.Reason)) + list(e.Facts) + suspects +
		unless(e.Scope == nil, in(`p class="soft"`, text(e.Scope)))
}

func (p *Page) suiteTable(o report.Outcome) markup {
	count := unless(p.run.Iterations <= 1, in("p", "Counts are executions, ",
		text(cmp.Or(o.Tally.Iterations, p.run.Iterations)), " of each vector."))
	rows := table(p.suites.Table(o.Tally, nil))
	return unless(rows == "", count+rows)
}

func compared(e *report.Evidence) markup {
	weak := unless(e.Weakness == "", " "+in("b", "Too little for a PASS:")+" "+text(e.Weakness)+".")
	return in("p", text(e), ".", weak) + coverage(e.Coverage) +
		in("details", in("summary", "line by line"), table(e.Table()))
}

func coverage(s *tile.FaultCoverage) markup {
	if s == nil {
		return ""
	}
	meter := in(fmt.Sprintf(`meter min="0" max="100" value="%v"`, s.Percent()))
	rest := fmt.Sprintf("Not found: %d never activated, %d activated and never seen, %d unknown. Untestable: %d.",
		s.Inactive, s.Unseen, s.Unknown, s.Untestable)
	return in("p", meter, " ", text(strings.Join(s.Lines(), "; ")), ". ", text(rest))
}

const maxFlaky = 30

func nowAndThen(o report.Outcome) markup {
	all := report.FlakyVectors(o.Tally)
	if len(all) == 0 {
		return ""
	}
	more := fmt.Sprintf("The %d that failed most often are shown.", maxFlaky)
	return in("p", text(len(all)), " vectors sometimes passed and sometimes failed.") +
		table(report.FlakyTable(all[:min(maxFlaky, len(all))])) +
		unless(len(all) <= maxFlaky, in(`p class="soft"`, text(more)))
}

func (f *example) markup() markup {
	name := breaks(f.Vector.Name)
	if f.Iteration > 1 {
		name += text(fmt.Sprintf(" (run %d)", f.Iteration))
	}
	from := fmt.Sprintf("%s:%d, from %s", f.File, f.Vector.Line, f.Vector.Source)
	if f.Like > 0 {
		from += fmt.Sprintf("; %d more like it", f.Like)
	}
	words := in("p", text(f.Reason))
	if len(f.Lines) > 0 {
		words = in("pre", text(strings.Join(f.Lines, "\n")+"\n"))
	}
	return in(`section class="kind"`, in("h3", mark(f.Verdict.String()), " ", name), "\n",
		in(`p class="soft"`, text(from)), "\n", words, unless(f.Wave == "", wide(f.Wave))) + "\n"
}

func mark(verdict string) markup {
	return in(`b class="mark `+strings.ToLower(verdict)+`"`, text(verdict))
}

func (p *Page) otherTable() markup {
	if p.listed == 0 {
		return ""
	}
	summary := fmt.Sprintf("%d of them by name", p.listed)
	if p.hidden > 0 {
		summary += fmt.Sprintf(", and %d more that are not listed", p.hidden)
	}
	return in("details", in("summary", text(summary)), table(p.others))
}

func (p *Page) origin(o report.Outcome) markup {
	facts := printable.NewTable()
	for _, f := range p.facts(o) {
		facts.Row(f.Name, f.Value)
	}
	return table(facts) + list(p.run.Notes)
}
