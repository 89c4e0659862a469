package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func newLabPage() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "page [INVITE]",
		Short: "Print where a lab can be seen in a browser",
		Long: `page asks the lab's server for the address of its page, with a token that lets one browser in, once,
within ten minutes. The browser reads in the name of this machine's key, and what is done there is
told with that name. Where the page is for the server's own machine alone, a tunnel leads to it, such
as ssh -L 7061:127.0.0.1:7061 SERVER.

Exit codes: 0 printed, 2 bad input, 3 the lab does not answer, or has no page.`,
		Example: `  bench lab page
  xdg-open "$(bench lab page pi1.invite)"`,
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			conn, err := dialLab(cmd, strings.Join(args, ""))
			if err != nil {
				return err
			}
			defer conn.Close()
			p, err := conn.Page(cmd.Context())
			if err != nil {
				return benchFault(err)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), p.URL)
			return err
		},
	}
	return cmd
}
