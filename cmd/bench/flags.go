package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/settings"
	"utfbench/internal/tags"
	"utfbench/runs/plan"
)

// selectFlags adds the flags that select vectors.
func selectFlags(f *pflag.FlagSet, s *plan.Selection) {
	f.StringSliceVar(&s.Suites, "suite", nil, "only these suites, by name; see bench list")
	f.StringVar(&s.Match, "run", "", "only vectors with a name that matches this regular expression")
	f.Var((*stepCount)(&s.Random), "random", "instead of vectors, this many random legal steps, against the "+
		"reference; see --seed")
	f.BoolVar(&s.Explore.On, "explore", false, "instead of vectors, those that a search finds which is led by what "+
		"is not tested yet of the tile's gates; see --budget and --seed")
	f.DurationVar(&s.Explore.Budget, "budget", time.Minute, "board time for --explore, which also bounds the search")
	f.BoolVar(&s.Smoke, "smoke", false, "only the few vectors that find as much inside of the chip as all of "+
		"them; see docs/coverage.md")
	fileFlag(f, s)
}

// fileFlag adds --file.
func fileFlag(f *pflag.FlagSet, s *plan.Selection) {
	f.StringArrayVar(&s.Files, "file", nil, "read vectors from this file instead of the built-in "+
		"ones; can be given more than once")
}

// acceptFlag adds --accept-weak.
func acceptFlag(f *pflag.FlagSet, lines *string) {
	f.Var((*outputLines)(lines), "accept-weak", "output `LINES` that need not be compared, as in "+
		"uo0-uo6,uio3: a run that compares none of them is not WEAK for that")
}

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

// A stepCount is a flag's number of steps, 1 or more.
type stepCount int

// Set implements pflag.Value.
func (c *stepCount) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return errors.New("has to be 1 or more")
	}
	*c = stepCount(n)
	return nil
}

// String implements pflag.Value.
func (c *stepCount) String() string { return strconv.Itoa(int(*c)) }

// Type implements pflag.Value.
func (c *stepCount) Type() string { return "steps" }

// outputLines are a flag's list of lines of uo and uio.
type outputLines string

// Set implements pflag.Value.
func (o *outputLines) Set(list string) error {
	_, err := driver.ParseOutputs(list)
	*o = outputLines(list)
	return err
}

// String implements pflag.Value.
func (o *outputLines) String() string { return string(*o) }

// Type implements pflag.Value.
func (o *outputLines) Type() string { return "LINES" }

// notEmpty refuses flags that were given without a value.
func notEmpty(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed &&
			(f.Value.String() == "" || f.Value.String() == "[]") {
			return failure.Usagef("--%s is empty: give it a value, or leave it out", name)
		}
	}
	return nil
}

// flagWords returns a flag as command-line words, with each of its values.
func flagWords(f *pflag.Flag) (words []string) {
	for _, value := range settings.Values(f) {
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

// tellLines writes lines.
func tellLines(w io.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
}

// mostJobs is far more than the processors of any bench.
const mostJobs = 256

func checkJobs(n int) error {
	if n < 1 || n > mostJobs {
		return failure.Usagef("--jobs %d: has to be 1 to %d", n, mostJobs)
	}
	return nil
}
