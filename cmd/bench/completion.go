package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/boards"
	"utfbench/boards/shuttles"
	"utfbench/golden"
	"utfbench/internal/settings"
	"utfbench/runs/plan"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
	"utfbench/tile/utf/space"
)

// A typing is a command line to complete at its end.
type typing struct {
	cmd  *cobra.Command
	args []string
	text string                   // the unfinished word
	does cobra.ShellCompDirective // what the shell does with the values; it proposes no files unless this is changed
}

const (
	orFiles   = cobra.ShellCompDirectiveDefault // if no value fits
	alone     = cobra.ShellCompDirectiveNoFileComp
	goesOn    = cobra.ShellCompDirectiveNoSpace
	keepOrder = cobra.ShellCompDirectiveKeepOrder
)

// A proposal proposes values, each with its description.
type proposal func(t *typing) [][2]string

// Proposals by flag name, and by the words of a command's Use. Without one the shell proposes files.
var (
	completeFlags = map[string]proposal{
		"suite": func(t *typing) [][2]string { return plan.CompleteSuite(t.suites(), t.text) },
		"fault": completeFault, "transport": completeTransport, "tile": fixed(station.TileNames()...),
		"board": completeBoard, "design": completeDesign, "against": completeAgainst,
		"port":    func(t *typing) [][2]string { return station.RP2040().Complete(t.cmd.Context(), nil) },
		"profile": func(*typing) [][2]string { return bare(settings.Profiles()) },
		"revision": func(t *typing) [][2]string {
			if own := t.tile(); own != nil {
				return bare(tile.Revisions(own))
			}
			return nil
		},
		"shuttle": func(*typing) [][2]string {
			x, _ := shuttles.Load() // it is built in
			return bare(x.Names())
		},
		"simulator": fixed(native.Simulators()...), "space": fixed(space.Names()...), "edge": fixed("before", "after"),
		"golden": func(t *typing) [][2]string { // of a command that takes an invitation
			return native.KnownBoards(t.cmd.Context(), &station.Lab{Invitation: strings.Join(t.args, "")})
		},
	}
	completeArguments = map[string]proposal{"RUN": completeRun, "VECTOR": completeVector,
		"VECTOR|RUN": completeVectorOrRun, "BOARD": completeBoard, "PATTERN": completeDesign,
		"WORD": func(*typing) [][2]string { return bare(wordBook(usual).Words()) }}
)

// completeAll adds completions to a command and its subcommands.
func completeAll(cmd *cobra.Command) {
	for _, flags := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			do := completeFlags[f.Name]
			if _, done := cmd.GetFlagCompletionFunc(f.Name); do == nil || done {
				return
			}
			if err := cmd.RegisterFlagCompletionFunc(f.Name, do.complete); err != nil {
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
				return do.complete(cmd, args, typed)
			}
			return nil, orFiles
		}
	}
	for _, c := range cmd.Commands() {
		completeAll(c)
	}
}

// complete is a cobra.CompletionFunc.
func (p proposal) complete(cmd *cobra.Command, args []string, typed string) (all []string, _ cobra.ShellCompDirective) {
	t := typing{cmd, args, typed, alone}
	for _, value := range p(&t) {
		if value[1] != "" {
			value[0] = cobra.CompletionWithDesc(value[0], strings.ReplaceAll(value[1], "\n", " "))
		}
		all = append(all, value[0])
	}
	return all, t.does
}

func fixed(values ...string) proposal {
	return func(t *typing) [][2]string {
		t.does = orFiles
		return bare(values)
	}
}

// bare returns values without descriptions.
func bare(values []string) (all [][2]string) {
	for _, v := range values {
		all = append(all, [2]string{v})
	}
	return all
}

// tile returns the tile of the command line so far, or nil for one that takes time to open.
func (t *typing) tile() tile.Tile {
	where := os.Getenv("BENCH_TILE")
	if f := t.cmd.Flags().Lookup("tile"); f != nil && f.Changed {
		where = f.Value.String()
	}
	if where == "" {
		return usual
	}
	own, _ := station.BuiltIn(where)
	return own
}

// suites returns the suites of the tile; what cannot be read is not proposed.
func (t *typing) suites() (suites []*golden.Suite) {
	if own := t.tile(); own != nil {
		suites, _ = tile.Suites(own)
	}
	return suites
}

func (t *typing) runs() [][2]string {
	var runs runFinder
	if f := t.cmd.Flags().Lookup("db"); f != nil {
		runs.DB = f.Value.String()
	}
	return runs.Known(native.MostKnown)
}

// completeRun proposes the latest runs first.
func completeRun(t *typing) [][2]string {
	t.does = keepOrder
	return t.runs()
}

func completeVector(t *typing) [][2]string {
	all, more := plan.CompleteVector(t.suites(), t.text)
	if more {
		t.does |= goesOn
	}
	return all
}

func completeVectorOrRun(t *typing) [][2]string {
	vectors := completeVector(t)
	t.does &^= alone
	return append(t.runs(), vectors...)
}

func completeFault(t *typing) [][2]string {
	own := t.tile()
	if own == nil {
		return nil
	}
	all, more := tile.Bits(own).Complete(t.text)
	if more {
		t.does |= goesOn
	}
	return bare(all)
}

func completeBoard(t *typing) (all [][2]string) {
	t.does = orFiles
	for _, name := range boards.Names() {
		if b, err := boards.Open(name); err == nil {
			all = append(all, [2]string{name, b.Title})
		}
	}
	return all
}

// completeDesign goes over all shuttles, or the one that was named.
func completeDesign(t *typing) [][2]string {
	on := ""
	if f := t.cmd.Flags().Lookup("shuttle"); f != nil {
		on = f.Value.String()
	}
	x, _ := shuttles.Load() // it is built in
	return bare(x.Complete(on, t.text))
}

// completeTransport proposes kinds, and behind one what there is of it.
func completeTransport(t *typing) [][2]string {
	kind, _, behind := strings.Cut(t.text, ":")
	if !behind {
		t.does = goesOn
		return bare(append(native.KindNames(), native.Auto))
	}
	of := native.New(t.text)
	k, _, err := of.Kind()
	if of.Tile = t.tile(); err != nil || k.Complete == nil || of.Tile == nil {
		t.does = orFiles
		return nil
	}
	t.does |= keepOrder
	return behindKind(kind, k.Complete(t.cmd.Context(), &of))
}

func behindKind(kind string, pairs [][2]string) [][2]string {
	for i := range pairs {
		pairs[i][0] = kind + ":" + pairs[i][0]
	}
	return pairs
}

func completeAgainst(t *typing) [][2]string {
	if strings.HasPrefix(t.text, "replay:") {
		return behindKind("replay", completeRun(t))
	}
	t.does = goesOn
	return bare([]string{"verilog:", "icarus:", "replay:", "none"})
}
