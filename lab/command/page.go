package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/help"
	"utfbench/transport/lab"
)

func newPage() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "page [INVITE]",
		Short: "Print the address of the lab's page",
		Long: `page prints the address of the lab's page, with a token that admits one browser, once, within ten
minutes. The browser acts in the name of this machine's key, and events show that name. If only the
server's machine can reach the page, use a tunnel, such as ssh -L 7061:127.0.0.1:7061 SERVER.

Exit codes: 0 printed, 2 bad input, 3 the lab does not respond, or has no page.`,
		Example: `  benchlab page
  xdg-open "$(benchlab page pi1.invite)"`,
		Args: help.Takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			conn, err := lab.Enter(cmd.Context(), strings.Join(args, ""), cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			defer conn.Close()
			p, err := conn.Page(cmd.Context())
			if err != nil {
				return fault(err)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), p.URL)
			return err
		},
	}
	return cmd
}
