package lab

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Table prints the boards, their users and faults.
func (l *List) Table(w io.Writer) error {
	if len(l.Boards) == 0 {
		_, err := fmt.Fprintln(w, "no boards: a machine offers its own by bench lab join INVITE")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "board\thost\tkind\tis\tstate")
	for i := range l.Boards {
		b := &l.Boards[i]
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", b.Name, b.Host, b.Kind, b.What, Standing(b))
	}
	return table.Flush()
}
