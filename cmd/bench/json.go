package main

import (
	"github.com/spf13/cobra"

	"utfbench/internal/document"
	"utfbench/runs/identity"
	"utfbench/station"
)

// jsonFlag adds --json, which prints a document in place of text.
func jsonFlag(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print it as one JSON object, for other programs; see docs/formats.md")
}

// head returns the head of every document.
func head() document.Head { return document.NewHead(version()) }

// about returns the head of a document about this chip.
func about(c *station.Chip) identity.About {
	return identity.About{Head: head(), Transport: c.String(), Identity: c.Identity("")}
}
