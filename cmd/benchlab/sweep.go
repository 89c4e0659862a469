package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/lab"
	"utfbench/lab/user"
	"utfbench/runs/report"
	"utfbench/sweep"
	"utfbench/tile"
	"utfbench/tile/utf"
)

func newSweep() *cobra.Command {
	var scope tile.Scope
	var id, out string
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Sweep the UTF chip by all boards of the lab",
		Long: `sweep has all boards that fit compute the blocks of a sweep, compares each with the model's, and
prints the root, which is that of bench sweep on the mock. A block unlike the model's is computed by
another board before it counts. Stopped or killed, it resumes with --id.

Exit codes: 0 PASS, 1 FAIL, 2 bad input, 3 the lab failed, 130 interrupted.`,
		Example: `  benchlab sweep --json sweep.json
  benchlab sweep --id 7x2k9a`,
	}
	f, spaces := cmd.Flags(), utf.TT09.SpaceNames()
	f.StringVar(&scope.Space, "space", spaces[0], "what to sweep: "+strings.Join(spaces, ", "))
	f.IntVar(&scope.Depth, "depth", utf.DefaultDepth, "ops: operations in a sequence")
	f.StringVar(&scope.Revision, "revision", utf.TT09.Revision(), "`REVISION` to compare with")
	f.StringVar(&id, "id", "", "resume this sweep, by the printed ID")
	f.StringVar(&out, "json", "", "write the result to this `FILE`, for bench diff")
	inLab(cmd, func(cmd *cobra.Command, _ []string, s *lab.Store) error {
		ctx, w := cmd.Context(), cmd.OutOrStdout()
		scope = utf.TrimScope(scope, cmd.Flags().Changed)
		id = cmp.Or(id, newName())
		fmt.Fprintf(w, "sweep %s\n", id)
		steps, began := 0, time.Now()
		bar := cli.NewProgress(files.ProcessEnv()).NewBar(0, "blocks")
		sw := user.Sweep{Store: s, ID: id, Tile: utf.TT09, Scope: scope,
			OnError: func(text string) { bar.Clear(); fmt.Fprintln(w, text) },
			OnBlock: func(done, of, n int) {
				steps += n
				bar.SetUnit(sweep.FormatRate(steps, bar.Elapsed()) + ", blocks")
				bar.Set(done, of)
			}}
		blocks, err := sw.Run(ctx)
		bar.End()
		if err != nil {
			return fmt.Errorf("%w: %d blocks are done; --id %s resumes it", err, len(blocks), id)
		}
		return sweptResult(w, &sw, blocks, began, out)
	})
	return cmd
}

// sweptResult prints and writes the result of a sweep.
func sweptResult(w io.Writer, sw *user.Sweep, blocks []sweep.Block, began time.Time, out string) error {
	about := report.About{DocumentHead: files.NewDocumentHead(version()), Transport: "lab " + sw.ID}
	about.Kind, about.Tile, about.Revision = sw.Kind, utf.Name, sw.Scope.Revision
	r := sweep.NewResult(about, sw.Scope, sw.Space, blocks)
	r.Seconds, r.NewSteps = time.Since(began).Seconds(), r.Steps
	err := r.WriteVerdict(w, sw.Space, utf.TT09, 0, "")
	if err == nil && out != "" {
		err = files.WriteWith(out, 0, r.Write)
	}
	if err != nil {
		return failure.New(failure.Bench, err)
	}
	if r.Judge() == driver.Pass && len(sw.WrongBlocks) > 0 { // other boards computed each block correctly
		for board, n := range sw.WrongBlocks {
			fmt.Fprintf(w, "FAIL  %s: %s unlike the model's, which other boards have right\n", board,
				printable.Count(n, "block"))
		}
		return driver.Fail.Err()
	}
	return r.Judge().Err()
}
