package main

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"utfbench/internal/files"
)

// standardWords describes - as an output.
const standardWords = "- is standard output, and the text goes to standard error"

// standard returns the writer for outputs called files.Standard. With one, the command's text goes to standard error.
func standard(cmd *cobra.Command, paths ...string) io.Writer {
	out := cmd.OutOrStdout()
	if slices.Contains(paths, files.Standard) {
		cmd.SetOut(cmd.ErrOrStderr())
	}
	return out
}

// writeFile writes a file, whole or not at all. A path that cannot be written is the user's to correct.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := files.Create(path, 0)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := write(f); err != nil {
		return err
	}
	return benchFault(f.Commit())
}
