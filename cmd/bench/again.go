package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/runs/identity"
	"utfbench/runs/report"
)

// aside are flags of a target that write a file, and have no part in which chip it is.
var aside = []string{"sim-vcd"}

// targetFlags are a target's flags alone.
func targetFlags() *pflag.FlagSet {
	cmd := &cobra.Command{}
	(&target{}).flags(cmd)
	return cmd.Flags()
}

// targetWords name the target of a command as on its command line: the transport, and what else was given there or by
// the environment or bench.yaml, as far as the transport has a use for it.
func targetWords(cmd *cobra.Command) []string {
	words := []string{"-t", cmd.Flags().Lookup("transport").Value.String()}
	kind := kindWord(words[1])
	targetFlags().VisitAll(func(f *pflag.Flag) {
		given := cmd.Flags().Lookup(f.Name)
		if f.Name == "transport" || slices.Contains(aside, f.Name) || !hasUse(kind, f.Name) ||
			!given.Changed && given.Value.String() == f.DefValue {
			return
		}
		words = append(words, flagWords(given)...)
	})
	return words
}

// flagWords are a flag as on a command line.
func flagWords(f *pflag.Flag) (words []string) {
	for _, value := range valuesOf(f) {
		switch {
		case f.NoOptDefVal == "":
			words = append(words, "--"+f.Name, value)
		case f.NoOptDefVal == value: // a switch takes no word of its own
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name+"="+value)
		}
	}
	return words
}

// valuesOf are those of a flag that may come again, or its one value.
func valuesOf(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// bringTarget sets the flags by which a recorded run reached its chip, where the command line has no other. One who
// gives a transport means another target, and nothing is set. It says whether the target is the recorded one, with
// nothing changed.
func bringTarget(cmd *cobra.Command, start *report.Start) (same bool, err error) {
	if cmd.Flags().Changed("transport") {
		return false, nil
	}
	if start.Kind == "" {
		return false, fmt.Errorf("it was recorded by an older bench, which did not say how its chip is reached: give " +
			"-t, and what else names it")
	}
	recorded := targetFlags()
	if err := recorded.Parse(start.Target); err != nil {
		return false, fmt.Errorf("it says %q of how its chip is reached, which this bench does not know: give -t",
			strings.Join(start.Target, " "))
	}
	recorded.VisitAll(func(f *pflag.Flag) { // what bench.yaml says is of another target
		if uerr := unset(cmd.Flags().Lookup(f.Name)); uerr != nil && err == nil {
			err = uerr
		}
	})
	same = true
	recorded.Visit(func(f *pflag.Flag) {
		mine := cmd.Flags().Lookup(f.Name)
		switch {
		case slices.Contains(aside, f.Name):
			return
		case mine.Changed:
			same = false
			return
		}
		for _, value := range valuesOf(f) {
			if serr := cmd.Flags().Set(f.Name, value); serr != nil && err == nil {
				err = serr
			}
		}
	})
	return same, err
}

// sameChip refuses another chip than the one of the run that was recorded; nil is any chip.
func (c *chip) sameChip(name string, recorded *identity.Identity) error {
	if recorded == nil {
		return nil
	}
	now := identity.Identity{Chip: c.Asked, Revision: c.Tile.Revision(), Digest: recorded.Digest}
	if differ := now.Differences(recorded); len(differ) > 0 {
		return fmt.Errorf("%s is of another chip than what is reached in the same way now: %w; give -t to ask that one",
			name, differ[0])
	}
	return nil
}

// unknownTarget stands where a recording of an older bench does not say it: no command runs on another chip by mistake.
var unknownTarget = []string{"-t", "TRANSPORT"}

// command is one of bench, for this chip, to be pasted into a shell.
func (c *chip) command(words ...string) string {
	if c.target == nil {
		return commandLine(slices.Concat(words, unknownTarget)...)
	}
	return commandLine(slices.Concat(words, c.target)...)
}

// plain are words that no shell changes.
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$`)

// commandLine writes a command of bench for a shell.
func commandLine(words ...string) string {
	line := "bench"
	for _, w := range words {
		if !plain.MatchString(w) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		line += " " + w
	}
	return line
}
