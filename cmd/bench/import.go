package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/tile/gates"
	"utfbench/tile/wave"
)

type importOptions struct {
	out, name string
	rule      string // value of --edge
	wave.Options
}

func newImport(d *design) *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import WAVE",
		Short: "Convert a simulation's waveform to vectors",
		Long: `import cuts a waveform at the pins of the tile into steps, finds out on the tile's own gates
whether inputs that move with an edge come before it or after it, and writes a file of vectors that
bench run --file takes. The waveform is a VCD; fst2vcd of GTKWave
makes one of an FST.

Exit codes: 0 the vectors were written, 7 they were, and they check less than half of the output bits that the
waveform knows, 3 the tile's own gates do not do what the waveform shows.`,
		Example: `  bench import test/tb.vcd --tile .`,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, d, args[0]) },
	}
	d.tileFlag(cmd)
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "", "write the vectors to this file (default: the suite's name and .vec)")
	f.StringVar(&o.Scope, "scope", "", "where the tile's ports are, as in tb.user_project (default: the innermost "+
		"scope that has all of them)")
	f.StringVar(&o.rule, "edge", "", "inputs that move with a rising clk come before it or after it (default: what "+
		"fits)")
	f.BoolVar(&o.Release, "release", false, "no step lingers: release lines of uio for the whole step if the tile "+
		"takes them over at its edge, for a Raspberry Pi")
	return cmd
}

func (o *importOptions) run(cmd *cobra.Command, d *design, path string) (err error) {
	o.name = wave.SuiteName(path)
	if o.Rule, err = wave.ParseRule(o.rule); err != nil {
		return fmt.Errorf("--edge %w", err)
	}
	o.out = cmp.Or(o.out, d.env.Path(o.name+".vec"))
	var s *wave.Suite
	err = files.WriteWith(o.out, 0, func(w io.Writer) error {
		done := d.ShowActivity("reading the waveform")
		s, err = wave.Import(d.Tile, path, o.name, o.Options)
		done()
		switch {
		case err != nil:
			return err
		case len(s.Parts) == 0:
			return failure.Usagef("%s: no output has a known level in it: does clk pulse while rst_n resets the "+
				"tile, and does the reset set its outputs?", path)
		}
		return s.Write(w, d.Tile)
	})
	if err != nil {
		return err
	}
	writeLines(cmd.OutOrStdout(), slices.Concat(gates.DoubtfulPoints(d.Tile), s.Summary(), []string{o.out +
		" is written"}))
	if why := s.Weakness(); why != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "\nWEAK  %s\n", why)
		err = failure.AlreadyPrinted(failure.Weak)
	}
	report.WriteSuggestions(cmd.OutOrStdout(), o.next(d, s))
	return err
}

// next suggests commands that run the vectors, or a check of the tile if the vectors compare nothing.
func (o *importOptions) next(d *design, s *wave.Suite) []report.Suggestion {
	if !s.HasComparedBits() {
		return report.SuggestTileCheck(d.doubtful())
	}
	run := []string{"run", "--tile", d.TileName, "--file", o.out}
	return []report.Suggestion{{Args: run, Purpose: "on the mock, which is the tile's gates"},
		{Args: append(slices.Clone(run), "-t", "rp2040"), Purpose: "on the chip of a demo board"}}
}
