//go:build page

package main

import (
	"github.com/spf13/cobra"

	"utfbench/internal/files"
	"utfbench/web"
)

// serveWeb serves the folder of a page until the command's context ends.
func serveWeb(cmd *cobra.Command, _ *files.Env, folder, listen string) error {
	return web.Serve(cmd.Context(), cmd.OutOrStdout(), folder, listen)
}
