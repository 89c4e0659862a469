package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"utfbench/internal/files"
)

// standardWords says in help what an output may be besides a file.
const standardWords = "- is standard output, and the text goes to standard error"

// standard is where outputs of a command go that are called files.Standard. If one of these is, the command's text goes
// to standard error.
func standard(cmd *cobra.Command, paths ...string) io.Writer {
	out := cmd.OutOrStdout()
	if slices.Contains(paths, files.Standard) {
		cmd.SetOut(cmd.ErrOrStderr())
	}
	return out
}
