package explain

import (
	"cmp"
	"fmt"
	"strings"

	"utfbench/driver"
	"utfbench/runs/report"
)

// A section is a part of the page with a heading: the heading's id, and the text of links to it.
type section struct {
	id, link, heading string
	contents          markup // "" if the page lacks the section
}

// sections returns the page's sections in order.
func (p *Page) sections(o report.Outcome, explained *Explanation) (all []section) {
	for _, s := range []section{
		{"explained", "Explanation", "Explanation", explained.markup()},
		{"suites", "Suites", "Suites", p.suiteTable(o)},
		{"compared", "Compared outputs", "Compared outputs", compared(report.NewEvidence(&p.run, o))},
		{"lines", "Lines", "Lines that were wrong", wrongLines(lines(o.Tally))},
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

// contents returns links to the sections, unless the page is short.
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
	suspects := unless(len(e.Suspects) == 0, in("p", text(e.Verb), ":")+list(e.Suspects)+
		markup(e.Picture)+in("p", text(e.Account)))
	less := each(e.LessLikely, func(l LessLikely) markup {
		return row(cmp.Or(l.Words, l.Name), l.Explained, l.Differs, l.Unseen, l.Reason)
	})
	if less != "" {
		less = table(heads("less likely", "#explains", "#of bits", "#predicts, not seen", "since"), less)
	}
	return in("p", in("b", "conclusion: ", text(e.Conclusion))) + in("p", text(e.Reason)) + list(e.Facts) + suspects +
		less + unless(e.Scope == nil, in(`p class="soft"`, text(e.Scope)))
}

func (p *Page) suiteTable(o report.Outcome) markup {
	used := o.Tally.Verdicts.Columns()
	names := []string{"suite"}
	for _, v := range used {
		names = append(names, "#"+v.String())
	}
	rows := each(p.suites, func(s *suite) markup {
		cells := []any{s.Name}
		for _, v := range used {
			cells = append(cells, s.N[v])
		}
		return row(cells...)
	})
	count := unless(p.run.Count <= 1, in("p", "Counts are executions, ",
		text(cmp.Or(o.Tally.Iterations, p.run.Count)), " of each vector."))
	return unless(rows == "", count+table(heads(names...), rows))
}

func compared(e *report.Evidence) markup {
	weak := unless(e.Weakness == "", " "+in("b", "Too little for a PASS:")+" "+text(e.Weakness)+".")
	rows := each(e.Lines, func(l driver.LineEvidence) markup { return row(l.Line, l.Low, l.High) })
	return in("p", text(e), ".", weak) + coverage(e.Coverage) +
		in("details", in("summary", "line by line"), table(heads("line", "#compared at 0", "#compared at 1"), rows))
}

func coverage(s *driver.FaultCoverage) markup {
	if s == nil {
		return ""
	}
	meter := in(fmt.Sprintf(`meter min="0" max="100" value="%v"`, s.Percent()))
	rest := fmt.Sprintf("Not found: %d never activated, %d activated and never seen, %d unknown. Untestable: %d.",
		s.Inactive, s.Unseen, s.Unknown, s.Untestable)
	return in("p", meter, " The run ", text(strings.Join(s.Lines(), "; ")), ". ", text(rest))
}

func wrongLines(all []line) markup {
	rows := each(all, func(l line) markup { return row(l.Name, l.Wrong(), l.High, l.Low, l.Unknown) })
	return unless(rows == "", table(heads("line", "#wrong steps", "#showed 1", "#showed 0", "#unknown"), rows))
}

const maxFlaky = 30

func nowAndThen(o report.Outcome) markup {
	all := report.FlakyVectors(o.Tally)
	if len(all) == 0 {
		return ""
	}
	rows := each(all[:min(maxFlaky, len(all))], func(f report.Flaky) markup {
		return row(breaks(f.Name), f.Failed, f.Executions,
			report.FormatPercent(f.Low)+" to "+report.FormatPercent(f.High))
	})
	more := fmt.Sprintf("The %d that failed most often are shown.", maxFlaky)
	return in("p", text(len(all)), " vectors sometimes passed and sometimes failed, with 95 % intervals.") +
		table(heads("vector", "#failed", "#of runs", "rate"), rows) +
		unless(len(all) <= maxFlaky, in(`p class="soft"`, text(more))) + causeRows(o.Correlation)
}

func causeRows(c *driver.Correlation) markup {
	if c == nil {
		return ""
	}
	rows := each(c.Lines(), func(l driver.LineRate) markup {
		with := cmp.Or(each(l.Circumstances, circumstance), in(`span class="soft"`, "no pattern found"))
		return row(l.Name, l.Wrong, l.Steps, number(report.FormatPercent(l.Value())), with)
	})
	if pins := each(c.Pins(), circumstance); pins != "" {
		rows += row("any", "", "", "", pins)
	}
	return unless(rows == "", table(heads("line", "#wrong first", "#of steps", "#rate", "what goes with it"), rows))
}

func circumstance(c driver.Circumstance) markup {
	return text(fmt.Sprintf("%s: %s, otherwise %s", c.Name, report.FormatPercent(c.With.Value()),
		report.FormatPercent(c.Without.Value()))) + "<br>"
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

// mark returns a verdict in its colour.
func mark(verdict string) markup {
	return in(`b class="mark `+strings.ToLower(verdict)+`"`, text(verdict))
}

func (p *Page) otherTable() markup {
	rows := each(p.others, func(o other) markup { return row(mark(o.Verdict), breaks(o.Name), o.Words) })
	summary := fmt.Sprintf("%d of them by name", len(p.others))
	if p.hidden > 0 {
		summary += fmt.Sprintf(", and %d more that are not listed", p.hidden)
	}
	return unless(rows == "", in("details", in("summary", text(summary)),
		table(heads("verdict", "vector", "first divergence, or why"), rows)))
}

func (p *Page) origin(o report.Outcome) markup {
	rows := each(p.facts(o), func(f fact) markup {
		return in("tr", in("th", text(f.Name)), in("td", text(f.Value))) + "\n"
	})
	return table("", rows) + list(p.run.Notes)
}
