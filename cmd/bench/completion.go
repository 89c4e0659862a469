package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/boards"
	"utfbench/boards/shuttles"
	"utfbench/golden"
	"utfbench/internal/printable"
	"utfbench/internal/settings"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
	"utfbench/tile/utf/space"
)

// Completions by flag name, and by the words of a command's Use. Without a match the shell proposes files.
var (
	completeFlags = map[string]cobra.CompletionFunc{
		"suite": completeSuite, "fault": completeFault, "transport": completeTransport,
		"tile":  fixed(station.TileNames()...),
		"board": completeBoard, "port": completePort, "design": completeDesign, "profile": completeProfile,
		"revision": completeRevision, "shuttle": completeShuttle, "against": completeAgainst,
		"simulator": fixed(native.Simulators()...), "space": fixed(space.Names()...), "edge": fixed("before", "after"),
		"golden": completeLabBoard,
	}
	completeArguments = map[string]cobra.CompletionFunc{"RUN": completeRun, "VECTOR": completeVector,
		"VECTOR|RUN": completeVectorOrRun, "BOARD": completeBoard, "PATTERN": completeDesign, "WORD": completeWord}
)

// completeAll adds completions to a command and its subcommands.
func completeAll(cmd *cobra.Command) {
	for _, flags := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			do := completeFlags[f.Name]
			if _, done := cmd.GetFlagCompletionFunc(f.Name); do == nil || done {
				return
			}
			if err := cmd.RegisterFlagCompletionFunc(f.Name, do); err != nil {
				panic(err) // the flag does not exist: a mistake in this program
			}
		})
	}
	if words := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(cmd.Use))[1:]; len(words) > 0 {
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string,
			cobra.ShellCompDirective) {
			word := words[min(len(args), len(words)-1)]
			if do := completeArguments[strings.TrimSuffix(word, "...")]; do != nil &&
				(len(args) < len(words) || strings.HasSuffix(word, "...")) {
				return do(cmd, args, typed)
			}
			return nil, cobra.ShellCompDirectiveDefault
		}
	}
	for _, c := range cmd.Commands() {
		completeAll(c)
	}
}

func fixed(values ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(values, cobra.ShellCompDirectiveDefault)
}

// described returns values with their descriptions.
func described(pairs [][2]string) (all []string) {
	for _, p := range pairs {
		if p[1] == "" {
			all = append(all, p[0])
			continue
		}
		all = append(all, cobra.CompletionWithDesc(p[0], strings.ReplaceAll(p[1], "\n", " ")))
	}
	return all
}

// tileTyped returns the tile of the command line so far, or nil for one that takes time to open.
func tileTyped(cmd *cobra.Command) tile.Tile {
	where := os.Getenv("BENCH_TILE")
	if f := cmd.Flags().Lookup("tile"); f != nil && f.Changed {
		where = f.Value.String()
	}
	name := native.TileName{Where: where}
	switch {
	case where == "":
		return usual
	case !slices.Contains(station.TileNames(), where):
		return nil
	}
	t, err := name.Open(cmd.Context())
	if err != nil {
		return nil
	}
	return t
}

func suitesTyped(cmd *cobra.Command) []*golden.Suite {
	t := tileTyped(cmd)
	if t == nil {
		return nil
	}
	suites, _ := tile.Suites(t) // what cannot be read is not proposed
	return suites
}

// completeSuite completes the part after the last comma.
func completeSuite(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndex(typed, ",")+1]
	var all [][2]string
	for _, s := range suitesTyped(cmd) {
		all = append(all, [2]string{before + s.Name, printable.Count(len(s.Vectors), "vector") + ", " + s.File})
	}
	return described(all), cobra.ShellCompDirectiveNoFileComp
}

// completeVector completes to the next slash, since there are thousands of vectors.
func completeVector(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var all []string
	directive := cobra.ShellCompDirectiveNoFileComp
	for _, s := range suitesTyped(cmd) {
		for i := range s.Vectors {
			rest, ok := strings.CutPrefix(s.Vectors[i].Name, typed)
			if !ok {
				continue
			}
			if part, _, cut := strings.Cut(rest, "/"); cut {
				rest, directive = part+"/", directive|cobra.ShellCompDirectiveNoSpace
			}
			if name := typed + rest; len(all) == 0 || all[len(all)-1] != name {
				all = append(all, name)
			}
		}
	}
	return all, directive
}

// completeRun proposes the latest runs first. What fits none may be a file.
func completeRun(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return described(knownRuns(cmd)), cobra.ShellCompDirectiveKeepOrder
}

func knownRuns(cmd *cobra.Command) [][2]string {
	var runs runFinder
	if f := cmd.Flags().Lookup("db"); f != nil {
		runs.DB = f.Value.String()
	}
	return runs.Known(native.MostKnown)
}

func completeVectorOrRun(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	vectors, directive := completeVector(cmd, args, typed)
	return append(described(knownRuns(cmd)), vectors...), directive &^ cobra.ShellCompDirectiveNoFileComp
}

func completeFault(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	t := tileTyped(cmd)
	if t == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	all, more := tile.Bits(t).Complete(typed)
	if more {
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

func completeBoard(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var all [][2]string
	for _, name := range boards.Names() {
		if b, err := boards.Open(name); err == nil {
			all = append(all, [2]string{name, b.Title})
		}
	}
	return described(all), cobra.ShellCompDirectiveDefault
}

func completePort(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return described(station.RP2040().Complete(cmd.Context(), nil)), cobra.ShellCompDirectiveNoFileComp
}

// completeDesign goes over all shuttles, or the one that was named.
func completeDesign(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	x, err := shuttles.Load()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	on := ""
	if f := cmd.Flags().Lookup("shuttle"); f != nil {
		on = f.Value.String()
	}
	var all []string
	for _, d := range x.Designs() {
		if strings.HasPrefix(d.Name, typed) && (on == "" || on == d.Shuttle) {
			all = append(all, d.Name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), cobra.ShellCompDirectiveNoFileComp
}

func completeShuttle(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	x, err := shuttles.Load()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return x.Names(), cobra.ShellCompDirectiveNoFileComp
}

func completeProfile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return settings.Profiles(), cobra.ShellCompDirectiveNoFileComp
}

func completeRevision(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	t := tileTyped(cmd)
	if t == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return tile.Revisions(t), cobra.ShellCompDirectiveNoFileComp
}

func completeWord(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return wordBook(usual).Words(), cobra.ShellCompDirectiveNoFileComp
}

// completeTransport proposes kinds, and behind one what there is of it.
func completeTransport(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	name, _, behind := strings.Cut(typed, ":")
	if !behind {
		return append(native.KindNames(), auto), cobra.ShellCompDirectiveNoSpace
	}
	t := native.New(typed)
	k, _, err := t.Kind()
	if t.Tile = tileTyped(cmd); err != nil || k.Complete == nil || t.Tile == nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return described(behindKind(name+":", k.Complete(cmd.Context(), &t))), cobra.ShellCompDirectiveNoFileComp |
		cobra.ShellCompDirectiveKeepOrder
}

// completeLabBoard completes commands that take an invitation.
func completeLabBoard(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	return described(native.KnownBoards(cmd.Context(), &station.Lab{Invitation: strings.Join(args, "")})),
		cobra.ShellCompDirectiveNoFileComp
}

func behindKind(kind string, pairs [][2]string) [][2]string {
	for i := range pairs {
		pairs[i][0] = kind + pairs[i][0]
	}
	return pairs
}

func completeAgainst(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	if strings.HasPrefix(typed, "replay:") {
		return described(behindKind("replay:", knownRuns(cmd))), cobra.ShellCompDirectiveKeepOrder
	}
	return []string{"verilog:", "icarus:", "replay:", "none"}, cobra.ShellCompDirectiveNoSpace
}
