package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/help"
)

func newPage() *cobra.Command {
	var data folder
	cmd := &cobra.Command{
		Use:   "page",
		Short: "Print the address of the lab's page",
		Long: `page prints the address of the lab's page, with a token that admits one browser, once, within ten
minutes. The browser acts in the name of the first invitation, and events show that name; bench lab
page prints an address in the name of any other. If only the server's machine can reach the page, use
a tunnel, such as ssh -L 7061:127.0.0.1:7061 SERVER.

Exit codes: 0 printed, 2 bad input, 3 the lab does not respond, or has no page.`,
		Example: `  xdg-open "$(benchlab page)"`,
		Args:    help.Takes(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder, err := data.Folder()
			if err != nil {
				return err
			}
			conn, err := dialFirst(cmd.Context(), folder)
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
	data.flag(cmd)
	return cmd
}
