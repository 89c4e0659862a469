//go:build man

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// plain takes the escapes out of a manual page.
var plain = strings.NewReplacer(`\\`, `\`, `\fB`, "", `\fI`, "", `\fP`, "", `\fR`, "", `\&`, "", `\`, "")

// asIs is what a manual page shows as it is, line by line.
var asIs = regexp.MustCompile(`(?s)\.EX\n(.*?)\.EE`)

// Each command has a manual page, which has every word of its help, flags and examples too, and keeps the lines of
// what is indented there.
func TestManualIsWhole(t *testing.T) {
	dir := t.TempDir()
	if code, said := bench(t, "man", dir); code != exitPass {
		t.Fatal(said)
	}
	each(newRoot(usualDesign()), func(cmd *cobra.Command) {
		if !cmd.IsAvailableCommand() && cmd.HasParent() || cmd.Name() == "help" || cmd.Name() == "completion" {
			return
		}
		path := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		text, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Error(err)
			return
		}
		page := plain.Replace(string(text))
		lines := strings.Join(asIs.FindAllString(page, -1), "")
		for line := range strings.Lines(cmd.Long + "\n" + cmd.Example) {
			if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "  ") && !strings.Contains(lines, line) {
				t.Errorf("%s has no line %q", path, line)
			}
		}
		words := strings.Fields(strings.ReplaceAll(cmd.Short+" "+cmd.Long+" "+cmd.Example, "`", ""))
		cmd.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			words = append(words, strings.Fields(strings.ReplaceAll(f.Usage, "`", ""))...)
		})
		for _, word := range words {
			if !strings.Contains(page, word) {
				t.Errorf("%s lacks %q", path, word)
			}
		}
	})
}
