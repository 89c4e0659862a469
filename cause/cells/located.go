package cells

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// mostSame is how many equivalent faults are named.
const mostSame = 6

// Text writes it for people. Command writes a command of bench that asks the same chip.
func (l *Located) Text(w io.Writer, command func(words ...string) string) {
	fmt.Fprintf(w, "\ninside of the chip, by %d classes of faults at the pins of its cells:\n", l.Tried)
	if len(l.Best) == 0 || l.Best[0].Explained == 0 {
		fmt.Fprintln(w, "  no cell with a broken pin explains it")
		return
	}
	top := &l.Best[0]
	switch {
	case top.Missed+top.Unseen == 0 && len(l.Best) == 1:
		fmt.Fprintln(w, "explained by one pin of one cell:")
	case top.Missed+top.Unseen == 0:
		fmt.Fprintf(w, "explained by any of %d:\n", len(l.Best))
	default:
		fmt.Fprintln(w, "no broken pin explains all of it; the nearest:")
	}
	for i := range l.Best {
		l.Best[i].text(w)
	}
	fmt.Fprintf(w, "which explains %d of the %d bits that differ, and predicts %d wrong bits that were not seen\n",
		top.Explained, top.Explained+top.Missed, top.Unseen)
	for i := range l.Less {
		if i == 0 {
			fmt.Fprintf(w, "\n%-40s %20s %22s\n", "less likely", "explains", "predicts, not seen")
		}
		p := &l.Less[i]
		fmt.Fprintf(w, "%-40s %9d of %-8d %21d\n", p, p.Explained, p.Explained+p.Missed, p.Unseen)
	}
	switch {
	case len(l.Ask) > 0:
		fmt.Fprintln(w, "\nvectors that would tell them apart:")
		for _, name := range l.Ask {
			fmt.Fprintf(w, "  %s\n", command("run", "--run", "^"+regexp.QuoteMeta(name)+"$"))
		}
	case len(l.Best) > 1:
		fmt.Fprintln(w, "\nno other vector that the bench has tells them apart")
	}
}

func (p *Place) text(w io.Writer) {
	at := ""
	if p.At != nil {
		at = ", at " + p.At.String()
	}
	fmt.Fprintf(w, "  %s (%s), on the net %s%s\n", p, p.Type, p.Net, at)
	if len(p.Same) > 0 {
		more := ""
		if n := len(p.Same) - mostSame; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(w, "    the same as %s%s\n", strings.Join(p.Same[:min(mostSame, len(p.Same))], ", "), more)
	}
}
