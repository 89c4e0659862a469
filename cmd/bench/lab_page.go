package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/transport/lab"
)

func newLabPage() *cobra.Command {
	return &cobra.Command{
		Use:   "page [INVITE]",
		Short: "Print the address of a lab's page",
		Long: `page prints the address of the lab's page, with a token that admits one browser, once, within ten
minutes. The browser acts in the name of the invitation. If only the server's machine can reach the
page, use a tunnel, such as ssh -L 7061:127.0.0.1:7061 SERVER.

Exit codes: 0 printed, 2 bad input, 3 the lab does not respond, or has no page.`,
		Example: `  xdg-open "$(bench lab page)"
  bench lab page pi1.invite`,
		RunE: func(cmd *cobra.Command, args []string) error {
			conn, err := lab.Enter(cmd.Context(), strings.Join(args, ""), cmd.ErrOrStderr())
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
}
