package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/lab/page"
)

func newPage() *cobra.Command {
	var c client
	var listen string
	cmd := &cobra.Command{
		Use:   "page",
		Short: "Show the lab in a browser of this machine",
		Long: `page serves a page to browsers of this machine until Ctrl-C: the boards, what is wrong first, the
progress of their jobs, and reports of results. Its address has a secret.`,
	}
	c.flags(cmd)
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:0", "`HOST:PORT` to listen on, of this machine only")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s, err := c.enter(cmd)
		if err != nil {
			return err
		}
		defer s.Conn.Close()
		p := page.Page{Store: s, Version: version()}
		return p.Serve(cmd.Context(), listen, func(address string) { fmt.Fprintln(cmd.OutOrStdout(), address) })
	}
	return cmd
}
