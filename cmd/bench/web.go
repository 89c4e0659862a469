package main

import "github.com/spf13/cobra"

func newWeb(d *design) *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "web [FOLDER]",
		Short: "Serve the page that tests a chip in a browser",
		Long: `web serves the bench as a page to the browsers of this machine. The page tests a demo board over
Web Serial, in Chrome and Edge, or a chip in memory. Ctrl-C ends the server; open pages keep working.

A release serves FOLDER, by default bench-web beside this program. A bench built otherwise has no
server, and in a checkout of utfbench builds page and server first, which takes a minute the first time.`,
		Example: `  bench web
  bench web dist-web --listen 127.0.0.1:8080`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return serveWeb(cmd, d.env, append(args, "")[0], listen)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:7062", "serve at this loopback address, HOST:PORT")
	return cmd
}
