package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"utfbench/internal/document"
	"utfbench/tile/pack"
)

func newPackShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show PACK",
		Short: "List the designs of a pack, and those left out",
		Long: `show lists the designs that a pack has, with flip-flops, clock and danger level, and then what of the
shuttle it has not, and why.

Exit codes: 0 it was listed, 2 bad input.`,
		Example: `  bench pack show tt09.pack`,
		Args:    takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := pack.Open(args[0])
			if err != nil {
				return err
			}
			defer p.Close()
			if asJSON {
				return document.Write(cmd.OutOrStdout(), struct {
					document.Head
					pack.Index
					Digest string `json:"sha256"`
				}{head(), p.Index, p.Digest})
			}
			return showPack(cmd.OutOrStdout(), p)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func showPack(w io.Writer, p *pack.Pack) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "design\tkind\tclock\tdanger\ttitle")
	for _, d := range p.Designs {
		kind := fmt.Sprintf("%d flip-flops", d.Flops)
		if d.Combinational {
			kind = "combinational"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", d.Name, kind, clockOf(d.ClockHz), d.Danger, d.Title)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, l := range p.Left {
		fmt.Fprintf(w, "left out: %s: %s\n", l.Name, l.Why)
	}
	_, err := fmt.Fprintf(w, "%s: %s; SHA-256 %s\n", p.Path, contents(&p.Index), p.Digest)
	return err
}
