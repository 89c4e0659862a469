package main

import (
	"bufio"
	"cmp"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/station"
)

// jsonFlag adds --json, which prints a document instead of text.
func jsonFlag(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print it as one JSON object, for other programs; see docs/formats.md")
}

func write(cmd *cobra.Command, asJSON bool, text, json func(io.Writer) error) error {
	if asJSON {
		text = json
	}
	w := bufio.NewWriter(cmd.OutOrStdout())
	return cmp.Or(text(w), w.Flush())
}

func asDocument(d any) func(io.Writer) error {
	return func(w io.Writer) error { return files.WriteDocument(w, d) }
}

func head() files.DocumentHead { return files.NewDocumentHead(version()) }

func about(c *station.Chip) report.About {
	return report.About{DocumentHead: head(), Transport: c.String(), Identity: c.Identity("")}
}

// standardWords explains - as an output.
const standardWords = "- is standard output, and the text goes to standard error"

// standard returns the writer for outputs named files.StandardStream. Texts then go to standard error.
func standard(cmd *cobra.Command, paths ...string) io.Writer {
	out := cmd.OutOrStdout()
	if slices.Contains(paths, files.StandardStream) {
		cmd.SetOut(cmd.ErrOrStderr())
	}
	return out
}
