package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/plan"
	"utfbench/station"
	"utfbench/station/native"
)

func selectFlags(f *pflag.FlagSet, s *plan.Selection) {
	suiteFlags(f, s)
	f.StringVar(&s.Match, "run", "", "only vectors whose name matches this `REGEXP`")
	f.Var(cli.AtLeast(&s.RandomSteps, 0, 1), "random", "instead of vectors, N random legal steps; see --seed")
}

func suiteFlags(f *pflag.FlagSet, s *plan.Selection) {
	f.StringSliceVar(&s.Suites, "suite", nil, "only suites of this `NAME`; see bench vectors")
	fileFlag(f, s)
}

func fileFlag(f *pflag.FlagSet, s *plan.Selection) {
	f.StringArrayVar(&s.Files, "file", nil, "vectors of this `FILE` instead of the built-in ones; repeatable")
}

func acceptFlag(f *pflag.FlagSet, lines *string) {
	f.Var(&cli.ParsedText{Form: "LINES", Parse: func(list string) error {
		*lines = list
		_, err := driver.ParseOutputs(list)
		return err
	}}, "accept-weak", "output `LINES` that may stay uncompared, e.g. uo0-uo6,uio3; a "+
		"difference there is a FAIL all the same")
}

func timeoutFlag(f *pflag.FlagSet, to *time.Duration, usage string) {
	f.Var(cli.NewPositiveDuration(to, 10*time.Minute), "timeout", usage)
}

func noReferenceFlag(f *pflag.FlagSet, off *bool) {
	f.BoolVar(off, "no-reference", false, "compare only what the vectors expect, without the tile's reference")
}

func noWiringFlag(f *pflag.FlagSet, off *bool) {
	f.BoolVar(off, "no-wiring", false, "do not check the wires first; see bench wiring")
}

func noHistoryFlag(f *pflag.FlagSet, off *bool) {
	f.BoolVar(off, "no-history", false, "enter nothing into the history; see bench history")
}

func verboseFlag(f *pflag.FlagSet, verbose *bool, usage string) {
	f.BoolVarP(verbose, "verbose", "v", false, usage)
}

func tagFlag(f *pflag.FlagSet, texts *[]string) {
	f.StringArrayVar(texts, "tag", nil, "`KEY=VALUE` to record, such as vdd=1.8; repeatable")
}

func parseTags(texts []string) (files.Tags, error) {
	tags, err := files.ParseTags(texts)
	if err != nil {
		err = fmt.Errorf("--tag %w", err)
	}
	return tags, err
}

// refuse returns an error with the reason if the command line has one of the named flags.
func refuse(cmd *cobra.Command, why string, names ...string) error {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return failure.Usagef("--%s does not go with %s", name, why)
		}
	}
	return nil
}

func writeLines(w io.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
}

// A selection describes the vectors that the flags of a command select.
type selection struct {
	plan.Selection
	design *design
}

func (s *selection) flags(cmd *cobra.Command, d *design) {
	s.design = d
	d.tileFlag(cmd)
	selectFlags(cmd.Flags(), &s.Selection)
}

// of returns the selection for its design's tile, which is opened after the flags are defined.
func (s *selection) of() *plan.Selection {
	s.Tile, s.TileName = s.design.Tile, s.design.TileName
	return &s.Selection
}

func (s *selection) jobs(ctx context.Context) ([]driver.Job, error) {
	s.Context = ctx
	return s.of().Jobs()
}

func (s *selection) some(ctx context.Context) ([]driver.Job, error) {
	jobs, err := s.jobs(ctx)
	if err == nil && len(jobs) == 0 {
		err = s.NoVectorError()
	}
	return jobs, err
}

func netlistFlag(f *pflag.FlagSet, path *string) {
	f.StringVar(path, "netlist", "", "gate-level Verilog of the tile, as place and route wrote it; docs/coverage.md "+
		"says where it is")
}

// budgetFlag adds the flag that limits the search for the cause of wrong samples.
func budgetFlag(f *pflag.FlagSet, budget *time.Duration) {
	f.Var(cli.NewPositiveDuration(budget, search.DefaultBudget), "budget",
		"search for faults of several lines for about this "+
			"`TIME` of one core; single faults are searched for in any case")
}

// settings returns the flags with defaults that the environment and bench.yaml can set.
func settings() cli.Settings {
	var target []string
	new(station.Target).Options().VisitAll(func(f *flag.Flag) { target = append(target, f.Name) })
	return cli.Settings{TargetFlags: append(target, "transport"), EnvironmentOnly: []string{"tile"},
		Flags: []string{"transport", "board", "design", "revision", "at", "sample", "lead", "settle", "pulse",
			"count", "timeout", "coverage", "tag"},
		Refuse: func(flag, value string) error {
			t := native.NewTarget(value)
			if k, _, err := t.FindKind(); flag == "transport" && err == nil && k.RunsForeignCode {
				return failure.Usagef("%s runs a program of its author, which only the command line may select", value)
			}
			return nil
		}}
}

// applySettings sets a command's flags from the environment and bench.yaml, and writes which ones the file set.
func applySettings(cmd *cobra.Command, env *files.Env) error {
	s := settings()
	if repeats := cmd.Flags().Lookup("again"); repeats != nil && repeats.Changed {
		s.FixedFlags = append(s.TargetFlags, "count", "coverage", "tag") // the recorded run sets these
	}
	summary, err := s.Apply(cmd.Flags(), env)
	if summary != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s\n", summary)
	}
	return err
}

// fileFlags lists, for all commands, the flags that name files.
var fileFlags = cli.FileFlags{
	Outputs: append(native.OutputNames(), "svg", "out", "verilog", "vga", "save", "vcd"),
	Inputs:  []string{"file", "resume", "netlist", "pack"},
	Names:   []string{"again", "board", "tile", "transport"},
}

// valued lists other flags that need a value.
var valued = []string{"again", "suite"}

// takesFile matches the usage of a command with a file among its arguments.
var takesFile = printable.LazyRegexp(`RUN|FILE|FOLDER|PACK|REPOSITORY|WAVE|BOARD`)

// checkFiles resolves the files of a command in the working directory. It refuses a command that would write one file
// twice, or overwrite one of its inputs.
func (d *design) checkFiles(cmd *cobra.Command, args []string) error {
	if !takesFile().MatchString(cmd.Use) {
		args = nil
	}
	return cmp.Or(fileFlags.CheckNotEmpty(cmd.Flags(), valued...), fileFlags.Resolve(cmd.Flags(), args, d.env),
		fileFlags.CheckDistinct(cmd.Flags(), args))
}
