package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/runs/compare"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport"
)

func newDiff() *cobra.Command {
	var runs runFinder
	var verbose bool
	cmd := &cobra.Command{
		Use:   "diff RUN RUN",
		Short: "Compare two runs, or two boards, step by step",
		Long: `diff compares what two chips answered to the same steps. ` + runWords + `

Where the model leaves a line open, two good chips may differ, so that counts for nothing.

Exit codes: 0 they are the same, 1 they differ, 2 bad input.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := openPair(&runs, args)
			if err != nil {
				return err
			}
			defer p.close()
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			return p.diff(w, verbose)
		},
	}
	runs.flags(cmd)
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "every vector, every divergence")
	return cmd
}

// A pair is two runs to be compared.
type pair struct {
	args [2]string
	of   [2]*chip
}

func openPair(runs *runFinder, args []string) (*pair, error) {
	p := &pair{args: [2]string{args[0], args[1]}}
	for i, run := range args {
		c, err := runs.recording(run)
		if err != nil {
			p.close()
			return nil, err
		}
		p.of[i] = c
	}
	return p, nil
}

func (p *pair) close() {
	for _, c := range p.of {
		if c != nil {
			c.Close()
		}
	}
}

// head says what A and B are.
func (p *pair) head(w io.Writer) {
	for i, c := range p.of {
		s := &c.Recording.Start
		board := strings.TrimSpace(s.Board + " " + s.Device)
		fmt.Fprintf(w, "%c  %s: %s, board %s, %s\n", 'A'+i, p.args[i], s.Transport, board, s.Time.Local().Format(time.DateTime))
		if c.Recording.Cut != "" {
			fmt.Fprintf(w, "   the recording is not whole: %s\n", c.Recording.Cut)
		}
	}
}

func (p *pair) diff(w io.Writer, verbose bool) error {
	p.head(w)
	if p.of[0].Tile != p.of[1].Tile {
		fmt.Fprintf(w, "the model is that of A, %s; B was compared with %s\n", p.of[0].Tile.Revision(), p.of[1].Tile.Revision())
	}
	d := divergences{tile: p.of[0].Tile, w: w, verbose: verbose, shown: map[any]bool{}}
	sum, err := compare.Recordings(p.of[0].Recording, p.of[1].Recording, p.of[0].Tile, d.show)
	if err != nil {
		return benchFault(err)
	}
	if d.hidden > 0 {
		fmt.Fprintf(w, "\n... and %d more that differ, most of them alike; -v shows all\n", d.hidden)
	}
	printChanges(w, sum, verbose)
	printLines(w, sum)
	printRest(w, sum, verbose)
	if sum.Identical() {
		fmt.Fprintf(w, "\nSAME  %d executions answered alike\n", sum.Pairs)
		return nil
	}
	fmt.Fprintf(w, "\nDIFFERENT  %d of %d executions answered differently\n", sum.Differ, sum.Pairs)
	return &exit{code: exitFail}
}

// divergences shows one of each kind, unless it is verbose.
type divergences struct {
	tile    tile.Tile
	w       io.Writer
	verbose bool
	shown   map[any]bool
	hidden  int
}

// mostShown is how many kinds are shown.
const mostShown = 5

func (d *divergences) show(f *compare.Difference) {
	kind := struct {
		out, io uint8
		act     string
	}{f.OutDiff, f.IODiff, tile.Act(d.tile, f.Step)}
	if !d.verbose && (d.shown[kind] || len(d.shown) >= mostShown) {
		d.hidden++
		return
	}
	d.shown[kind] = true
	iteration := ""
	if f.Iteration > 1 {
		iteration = fmt.Sprintf(" (iteration %d)", f.Iteration)
	}
	fmt.Fprintf(d.w, "\n%s%s\n        step %d of %d: %s\n              uo 76543210  uio 76543210\n", f.Vector, iteration, f.Index+1, f.Steps, tile.Describe(d.tile, f.Step))
	for _, row := range []struct {
		name    string
		out, ox uint8
		io, iox uint8
	}{{"A", f.A.Out, f.A.OutX, f.A.IO, f.A.IOX}, {"B", f.B.Out, f.B.OutX, f.B.IO, f.B.IOX}, {"model", f.Want.Out, f.Want.OutX, f.Want.IO, f.Want.IOX}} {
		fmt.Fprintf(d.w, "        %-8s %s      %s  %s\n", row.name, tile.Binary(row.out, row.ox), tile.Binary(row.io, row.iox), tile.Flags(d.tile, f.Step.In, row.out))
	}
	fmt.Fprintln(d.w, strings.TrimRight(fmt.Sprintf("                 %s      %s", report.Marks(f.OutDiff), report.Marks(f.IODiff)), " "))
	if f.More > 0 {
		fmt.Fprintf(d.w, "        the first of %d steps that differ\n", f.More+1)
	}
}

// mostListed is how many vectors are listed of a kind.
const mostListed = 10

// printChanges lists the vectors whose verdicts differ.
func printChanges(w io.Writer, sum *compare.Summary, verbose bool) {
	changed := sum.Changed()
	if len(changed) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-48s %-14s %s\n", "vector with another verdict", "A", "B")
	for i, v := range changed {
		if i == mostListed && !verbose {
			fmt.Fprintf(w, "... and %d more; -v lists all\n", len(changed)-i)
			return
		}
		fmt.Fprintf(w, "%-48s %-14s %s\n", v.Name, v.A, v.B)
	}
}

// printLines is the table of lines that differ.
func printLines(w io.Writer, sum *compare.Summary) {
	head := "\nline   steps that differ   A not as the model   B not as the model\n"
	for i, l := range sum.Lines {
		if l.Steps == 0 {
			continue
		}
		fmt.Fprintf(w, "%s%-5s %18d %20d %20d\n", head, transport.Lines[transport.UO+i], l.Steps, l.WrongA, l.WrongB)
		head = ""
	}
}

// printRest says what could not be compared.
func printRest(w io.Writer, sum *compare.Summary, verbose bool) {
	for _, of := range []struct {
		what string
		list []string
	}{
		{"vectors that only A has", sum.OnlyA}, {"vectors that only B has", sum.OnlyB},
		{"vectors that are other steps in B than in A, so that their samples were not compared", sum.OtherSteps},
	} {
		n := len(of.list)
		if n == 0 {
			continue
		}
		more := ""
		if n > mostListed && !verbose {
			of.list, more = of.list[:mostListed], fmt.Sprintf(", and %d more", n-mostListed)
		}
		fmt.Fprintf(w, "\n%s: %d\n  %s%s\n", of.what, n, strings.Join(of.list, "\n  "), more)
	}
	for i, n := range []int{sum.ExecutionsA, sum.ExecutionsB} {
		if n > 0 {
			fmt.Fprintf(w, "\nexecutions of vectors of both, in iterations that only %c has: %d\n", 'A'+i, n)
		}
	}
	if sum.Cut > 0 {
		fmt.Fprintf(w, "\nexecutions that were not answered to the same step: %d\n", sum.Cut)
	}
	if sum.OpenOnly > 0 {
		fmt.Fprintf(w, "\nsteps that differ only where the model leaves lines open, which counts for nothing: %d\n", sum.OpenOnly)
	}
}
