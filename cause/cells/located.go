package cells

import (
	"fmt"
	"io"

	"utfbench/cause/search"
	"utfbench/internal/printable"
)

// mostSame is the maximum number of equivalent faults in the text.
const mostSame = 6

// WriteText writes the location as text.
func (l *Location) WriteText(w io.Writer) {
	fmt.Fprintf(w, "\ninside of the chip, by %d classes of faults at the pins of its cells:\n", l.TriedClasses)
	if len(l.Best) == 0 || l.Best[0].ExplainedBits+l.Best[0].PartlyExplained == 0 {
		fmt.Fprintln(w, "  no cell with a broken pin explains it")
		return
	}
	top := &l.Best[0]
	fmt.Fprintln(w, l.verb())
	for i := range l.Best {
		l.Best[i].text(w)
	}
	fmt.Fprintln(w, search.Account{ExplainedBits: top.ExplainedBits, DifferingBits: top.differs(),
		FalseErrors: top.FalseErrors}.Describe())
	if top.PartlyExplained > 0 {
		fmt.Fprintf(w, "it explains %d more of them if the chip was in a certain, unknown state before\n",
			top.PartlyExplained)
	}
	less := printable.NewTable("less likely", "explains", "predicts, not seen")
	for i := range l.NextBest {
		p := &l.NextBest[i]
		less.Row(p, fmt.Sprintf("%d of %d", p.ExplainedBits, p.differs()), p.FalseErrors)
	}
	_ = less.Write(w, "\n")
}

// Reason returns the reason to conclude that a cell is at fault, as a sentence, or "" if there is none.
func (l *Location) Reason() string {
	if len(l.Best) == 0 {
		return ""
	}
	p := &l.Best[0]
	switch a := (account{p.ExplainedBits, p.PartlyExplained, p.MissedBits, p.FalseErrors, 0}); {
	case a.exact():
		return "a cell inside the chip explains every answer, and no wire does"
	case a.likely():
		return "a cell inside the chip explains most, and no wire does; the rest depends on the chip's unknown state " +
			"at power-up"
	}
	return ""
}

func (p *Place) differs() int { return p.ExplainedBits + p.PartlyExplained + p.MissedBits }

// verb returns the words that introduce the best places, by how well they explain the run.
func (l *Location) verb() string {
	top := &l.Best[0]
	switch {
	case top.MissedBits+top.FalseErrors == 0 && top.PartlyExplained > 0:
		return "no broken pin certainly explains all of it; one that may:"
	case top.MissedBits+top.FalseErrors > 0:
		return "no broken pin explains all of it; the nearest:"
	case len(l.Best) > 1:
		return fmt.Sprintf("explained by any of %d:", len(l.Best))
	}
	return "explained by one pin of one cell:"
}

func (p *Place) text(w io.Writer) {
	fmt.Fprintf(w, "  %s (%s), on the net %s\n", p, p.Type, p.Net)
	if len(p.Equivalent) > 0 {
		fmt.Fprintf(w, "    the same as %s\n", printable.ListAtMost(p.Equivalent, mostSame))
	}
}
