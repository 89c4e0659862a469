package main

import (
	"os"
	"strings"

	"utfbench/boards"
	"utfbench/golden"
	"utfbench/internal/cli"
	"utfbench/runs/plan"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
)

// Proposals by flag name, and by the words of a command's Use.
var (
	completeFlags = map[string]cli.Proposal{
		"suite": func(t *cli.Typing) [][2]string { return plan.CompleteSuite(suitesTyped(t), t.Text) },
		"fault": completeFault, "transport": completeTransport, "tile": cli.Fixed(station.TileNames()...),
		"board": completeBoard, "design": completeDesign, "against": completeAgainst,
		"port":     func(t *cli.Typing) [][2]string { return station.RP2040().Complete(t.Cmd.Context(), nil) },
		"profile":  func(*cli.Typing) [][2]string { return cli.Bare(cli.Profiles()) },
		"revision": completeRevision,
		"shuttle": func(*cli.Typing) [][2]string {
			if x, err := boards.Shuttles(); err == nil {
				return cli.Bare(x.Names())
			}
			return nil
		},
		"simulator": cli.Fixed(native.Simulators()...), "space": cli.Fixed(usual.Spaces()...),
		"edge": cli.Fixed("before", "after"),
		"golden": func(t *cli.Typing) [][2]string { // of a command that takes an invitation
			return native.KnownBoards(t.Cmd.Context(), &station.Lab{Invitation: strings.Join(t.Args, "")})
		},
	}
	completeArguments = map[string]cli.Proposal{"RUN": completeRun, "VECTOR": completeVector,
		"VECTOR|RUN": completeVectorOrRun, "BOARD": completeBoard, "PATTERN": completeDesign,
		"WORD": func(*cli.Typing) [][2]string { return cli.Bare(wordBook(usual).Words()) }}
)

// tileTyped returns the tile of the command line so far, or nil for one that takes time to open.
func tileTyped(t *cli.Typing) tile.Tile {
	where := os.Getenv("BENCH_TILE")
	if named := t.Flag("tile"); named != "" {
		where = named
	}
	if where == "" {
		return usual
	}
	own, _ := station.BuiltIn(where)
	return own
}

// suitesTyped returns the suites of the tile; what cannot be read is not proposed.
func suitesTyped(t *cli.Typing) (suites []*golden.Suite) {
	if own := tileTyped(t); own != nil {
		suites, _ = tile.Suites(own)
	}
	return suites
}

// completeRun proposes the latest runs first.
func completeRun(t *cli.Typing) [][2]string {
	var runs runFinder
	runs.DB, t.Does = t.Flag("db"), cli.KeepOrder
	return runs.Known(native.MostKnown)
}

func completeVector(t *cli.Typing) [][2]string {
	all, more := plan.CompleteVector(suitesTyped(t), t.Text)
	if more {
		t.Does |= cli.GoesOn
	}
	return all
}

func completeVectorOrRun(t *cli.Typing) [][2]string {
	runs := completeRun(t)
	t.Does = cli.OrFiles
	return append(runs, completeVector(t)...)
}

func completeFault(t *cli.Typing) [][2]string {
	own := tileTyped(t)
	if own == nil {
		return nil
	}
	all, more := tile.Bits(own).Complete(t.Text)
	if more {
		t.Does |= cli.GoesOn
	}
	return cli.Bare(all)
}

func completeRevision(t *cli.Typing) [][2]string {
	if own := tileTyped(t); own != nil {
		return cli.Bare(tile.Revisions(own))
	}
	return nil
}

func completeBoard(t *cli.Typing) (all [][2]string) {
	t.Does = cli.OrFiles
	for _, b := range boards.All() {
		all = append(all, [2]string{b.Name, b.Title})
	}
	return all
}

// completeDesign goes over all shuttles, or the one that was named.
func completeDesign(t *cli.Typing) [][2]string {
	x, err := boards.Shuttles()
	if err != nil {
		return nil
	}
	return cli.Bare(x.Complete(t.Flag("shuttle"), t.Text))
}

// completeTransport proposes kinds, and behind one what there is of it.
func completeTransport(t *cli.Typing) [][2]string {
	kind, _, behind := strings.Cut(t.Text, ":")
	if !behind {
		t.Does = cli.GoesOn
		return cli.Bare(append(native.KindNames(), native.Auto))
	}
	of := native.New(t.Text)
	k, _, err := of.Kind()
	if of.Tile = tileTyped(t); err != nil || k.Complete == nil || of.Tile == nil {
		t.Does = cli.OrFiles
		return nil
	}
	t.Does |= cli.KeepOrder
	return behindKind(kind, k.Complete(t.Cmd.Context(), &of))
}

func behindKind(kind string, pairs [][2]string) [][2]string {
	for i := range pairs {
		pairs[i][0] = kind + ":" + pairs[i][0]
	}
	return pairs
}

func completeAgainst(t *cli.Typing) [][2]string {
	if strings.HasPrefix(t.Text, "replay:") {
		return behindKind("replay", completeRun(t))
	}
	t.Does = cli.GoesOn
	return cli.Bare([]string{"gates:", "replay:", "none"})
}
