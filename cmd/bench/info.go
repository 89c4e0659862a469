package main

import (
	"io"

	"github.com/spf13/cobra"
)

func newInfo(d *design) *cobra.Command {
	var t target
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Identify a MicroPython board without driving its pins",
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := t.DialDemoBoard(cmd.Context(), "")
			if err != nil {
				return err
			}
			defer b.Close()
			return write(cmd, asJSON, b.Info, func(w io.Writer) error { return b.JSON(w, version()) })
		},
	}
	t.prepare(d)
	t.optionFlags(cmd.Flags(), "port", "patience", "design", "insist")
	jsonFlag(cmd, &asJSON)
	return cmd
}
