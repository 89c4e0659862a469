package demoboard

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// PortTable lists the ports, or explains why there are none.
func PortTable(w io.Writer, list []Port) error {
	missing := Missing(list)
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, missing)
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "port\tVID:PID:SERIAL\tis\topens")
	for i := range list {
		p := &list[i]
		opens := "yes"
		if p.Trouble != "" {
			opens = "no: " + p.Trouble
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", p.Name, p.ID(), p.What(), opens)
	}
	if err := table.Flush(); err != nil || missing == "" {
		return err
	}
	_, err := fmt.Fprintln(w, "\n"+missing)
	return err
}
