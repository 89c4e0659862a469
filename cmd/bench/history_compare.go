package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/runs/compare"
)

func newHistoryCompare() *cobra.Command {
	var runs runFinder
	var verbose bool
	cmd := &cobra.Command{
		Use:   "compare RUN RUN",
		Short: "Say which vectors and lines differ between two runs, what else was different, and since when a board fails",
		Long:  "compare sums up how two runs differ; bench diff shows the steps. " + runWords,
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := openPair(&runs, args)
			if err != nil {
				return err
			}
			defer p.close()
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			return p.compare(w, &runs, verbose)
		},
	}
	runs.flags(cmd)
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "every vector")
	return cmd
}

func (p *pair) compare(w io.Writer, runs *runFinder, verbose bool) error {
	p.head(w)
	p.provenance(w)
	sum, err := compare.Recordings(p.of[0].Recording, p.of[1].Recording, p.of[0].Tile, func(*compare.Difference) {})
	if err != nil {
		return benchFault(err)
	}
	printChanges(w, sum, verbose)
	printLines(w, sum)
	printRest(w, sum, verbose)
	fmt.Fprintf(w, "\n%d of %d vectors have another verdict; %d of %d executions were answered differently\n", len(sum.Changed()), len(sum.Vectors), sum.Differ, sum.Pairs)
	for _, run := range p.args {
		if err := runs.since(w, run); err != nil {
			return err
		}
	}
	return nil
}

// provenance lists what is different about the runs themselves.
func (p *pair) provenance(w io.Writer) {
	a, b := &p.of[0].Recording.Start, &p.of[1].Recording.Start
	head := fmt.Sprintf("\n%-20s %-34s %s\n", "different", "A", "B")
	for _, f := range []struct{ what, a, b string }{
		{"bench", a.Bench, b.Bench}, {"transport", a.Transport, b.Transport}, {"board", a.Board, b.Board}, {"device", a.Device, b.Device},
		{"revision", a.Revision, b.Revision}, {"chip's ROM", a.ROM, b.ROM}, {"design", a.Design, b.Design}, {"design's digest", a.Sources, b.Sources},
		{"faults", a.Faults, b.Faults}, {"firmware", a.Firmware, b.Firmware}, {"host", a.Host, b.Host},
		{"vectors' digest", a.Digest, b.Digest}, {"notes", strings.Join(a.Notes, "; "), strings.Join(b.Notes, "; ")},
		{"vectors", strconv.Itoa(a.Vectors), strconv.Itoa(b.Vectors)}, {"count", strconv.Itoa(a.Count), strconv.Itoa(b.Count)},
	} {
		if f.a != f.b {
			fmt.Fprintf(w, "%s%-20s %-34s %s\n", head, f.what, cmp.Or(f.a, "-"), cmp.Or(f.b, "-"))
			head = ""
		}
	}
}
