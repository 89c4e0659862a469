package main

import (
	"testing"

	"utfbench/internal/files"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// limits on the number of flags: of bench run, and of all commands together, by name; they may only be lowered
const (
	mostOfRun = 34
	mostFlags = 65
)

func TestFlagLimits(t *testing.T) {
	all := map[string]bool{}
	each(newRoot(usualDesign(files.ProcessEnv())), func(cmd *cobra.Command) {
		of := 0
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" {
				of++
				all[f.Name] = true
			}
		})
		if cmd.CommandPath() == "bench run" && of != mostOfRun {
			t.Errorf("bench run has %d flags, and the limit is %d", of, mostOfRun)
		}
	})
	if len(all) != mostFlags {
		t.Errorf("the commands have %d flags, and the limit is %d", len(all), mostFlags)
	}
}
