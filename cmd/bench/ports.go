package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"utfbench/internal/document"
	"utfbench/transport/rp2040/ports"
)

func newPorts() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ports",
		Short: "List the serial ports and what is connected to them",
		Long: `ports lists every serial port with its USB identity, VID:PID:SERIAL, which --port takes. It
opens each for a moment to see whether it can, and sends nothing: bench info asks a board what
it is.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := ports.List()
			if err != nil {
				return benchFault(err)
			}
			for i := range list {
				list[i].Try()
			}
			if asJSON {
				return document.Write(cmd.OutOrStdout(), struct {
					document.Head
					Ports []ports.Port `json:"ports"`
				}{head(), append([]ports.Port{}, list...)})
			}
			return printPorts(cmd.OutOrStdout(), list)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func printPorts(w io.Writer, list []ports.Port) error {
	missing := ports.Missing(list)
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
