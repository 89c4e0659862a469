//go:build !man

package cli

import "github.com/spf13/cobra"

// AddManual adds nothing: a release is built with the tag man, so that other builds do without its libraries.
func AddManual(*cobra.Command, string) {}
