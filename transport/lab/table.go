package lab

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// Table prints the boards, their users and faults, and their last verdicts.
func (l *List) Table(w io.Writer) error {
	if len(l.Boards) == 0 {
		_, err := fmt.Fprintln(w, "no boards: a machine offers its own by bench lab join INVITE")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "board\tkind\tis\tstate\tlast verdict")
	for i := range l.Boards {
		b := &l.Boards[i]
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", b, b.Kind,
			strings.Trim(b.What+", "+b.Note, ", "), Standing(b), b.Last.text(time.Now()))
	}
	return table.Flush()
}

func (l *Last) text(now time.Time) string {
	if l == nil {
		return "-"
	}
	text := l.Verdict + ", " + l.Words(now)
	if l.Cause != "" {
		text += ": " + l.Cause
	}
	return text
}

// Words explains a lab's terms; see cli.Book.
//
//go:embed words.txt
var Words string
