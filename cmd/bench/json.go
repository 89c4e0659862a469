package main

import (
	"github.com/spf13/cobra"

	"utfbench/internal/document"
	"utfbench/runs/identity"
	"utfbench/station"
)

// jsonFlag is the flag of a command that answers: it prints a document in place of the text.
func jsonFlag(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print it as one JSON object, for other programs; see docs/formats.md")
}

// head is what every document begins with.
func head() document.Head { return document.NewHead(version()) }

// about is how a document about this chip begins.
func about(c *station.Chip) identity.About {
	return identity.About{Head: head(), Transport: c.String(), Identity: c.Identity("")}
}
