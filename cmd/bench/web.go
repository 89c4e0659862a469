package main

import "github.com/spf13/cobra"

func newWeb(d *design) *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "web [FOLDER]",
		Short: "Serve the page that tests a chip in a browser",
		Long: `web serves the bench as a page to the browsers of this machine. The page tests a demo board over
Web Serial, in Chrome and Edge, or a chip in memory. A release serves FOLDER, by default bench-web
beside this program; in a checkout of utfbench the page is built first.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return serveWeb(cmd, d.env, append(args, "")[0], listen)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:7062", "serve at this loopback address, HOST:PORT")
	return cmd
}
