package main

import (
	"github.com/spf13/cobra"

	"utfbench/web"
)

func newWeb() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "web [FOLDER]",
		Short: "Serve the page that tests a chip in a browser",
		Long: `web serves the bench as a page to the browsers of this machine. The page tests a demo board over
Web Serial, in Chrome and Edge, or a chip in memory. scripts/web builds FOLDER, and the archive
bench-web of a release contains it (default: the folder bench-web beside this program). Ctrl-C
ends the server; open pages keep working.`,
		Example: `  bench web
  bench web dist-web --listen 127.0.0.1:8080`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return web.Serve(cmd.Context(), cmd.OutOrStdout(), append(args, "")[0], listen)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:7062", "serve at this loopback address, HOST:PORT")
	return cmd
}
