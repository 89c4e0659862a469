//go:build man

package cli

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"utfbench/internal/failure"
)

// AddManual adds the command that writes the program's manual pages; source is its name and version.
func AddManual(root *cobra.Command, source string) {
	root.AddCommand(&cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages into a folder",
		Long: "man writes a page for each command into DIR, which must exist. Their date is " +
			"SOURCE_DATE_EPOCH, or today.",
		Hidden: true,
		Args:   Takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			date := time.Now()
			if text, ok := os.LookupEnv("SOURCE_DATE_EPOCH"); ok {
				seconds, err := strconv.ParseInt(text, 10, 64)
				if err != nil {
					return failure.Usagef("SOURCE_DATE_EPOCH is %q: it has to be a number of seconds", text)
				}
				date = time.Unix(seconds, 0).UTC()
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			keepLines(root)
			return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: source,
				Manual: "utfbench", Date: &date}, args[0])
		},
	})
}

// keepLines turns the indented lines of help into Markdown code blocks, so that a manual page keeps them.
func keepLines(cmd *cobra.Command) {
	var b strings.Builder
	before := ""
	for line := range strings.Lines(cmd.Long) {
		if strings.HasPrefix(line, "  ") {
			if strings.TrimSpace(before) != "" && !strings.HasPrefix(before, "  ") {
				b.WriteString("\n")
			}
			b.WriteString("    ")
		}
		b.WriteString(line)
		before = line
	}
	cmd.Long = b.String()
	for _, c := range cmd.Commands() {
		keepLines(c)
	}
}
