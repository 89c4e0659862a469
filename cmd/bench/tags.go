package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/tags"
)

// tagging is what --tag says.
type tagging struct{ texts []string }

func (t *tagging) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&t.texts, "tag", nil, "KEY=VALUE, a circumstance to record, "+
		"such as vdd=1.8; can be given more than once")
}

// tags returns the tags, or nil for none.
func (t *tagging) tags() (tags.Set, error) {
	set, err := tags.Parse(t.texts)
	if err != nil {
		return nil, fmt.Errorf("--tag %w", err)
	}
	return set, nil
}
