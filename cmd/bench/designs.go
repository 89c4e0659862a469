package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"utfbench/boards/shuttles"
	"utfbench/tile"
)

func newDesigns() *cobra.Command {
	var on string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "designs [PATTERN]",
		Short: "List which design is where on which of Tiny Tapeout's shuttles",
		Long: `designs lists the designs of Tiny Tapeout's shuttles: the number that selects one on the mux, the clock that it asks for,
its danger level, its repository, and the commit that was fabricated; of this project's chip the revision too. It asks no
board: what it knows is the shuttles' index, state of 2026-05-25.

PATTERN is a part of the design's name or repository; with one of *?[ in it, it is a glob for the whole of one of them. Case
does not count. With --shuttle, a PATTERN from 0 to 1023 is a number on the mux, which a group and its subtiles share.

On tt02, tt03 and tt03p5 the designs hang on a scan chain: the bench cannot select there.

Exit codes: 0 something is listed, 2 bad input, 5 nothing fits.`,
		Example: `  bench designs hardware_utf8
  bench designs 207 --shuttle ttsky25b
  bench designs 'tt_um_*_cpu' --json`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, err := findDesigns(on, strings.Join(args, ""))
			if err != nil {
				return err
			}
			if asJSON {
				return designsJSON(cmd.OutOrStdout(), found)
			}
			return designsText(cmd.OutOrStdout(), found)
		},
	}
	cmd.Flags().StringVar(&on, "shuttle", "", "only this one, by the name in its chips' ROM, such as tt09")
	cmd.Flags().BoolVar(&asJSON, "json", false, "every design as a JSON object, one a line")
	if err := cmd.RegisterFlagCompletionFunc("shuttle", completeShuttle); err != nil {
		panic(err) // the flag does not exist: a mistake in this program
	}
	return cmd
}

func completeShuttle(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	x, err := shuttles.Load()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return x.Names(), cobra.ShellCompDirectiveNoFileComp
}

// findDesigns gives what the command lists: one or more.
func findDesigns(on, pattern string) (found []shuttles.Design, err error) {
	x, err := shuttles.Load()
	if err != nil {
		return nil, benchFault(err)
	}
	s := x.Shuttle(on)
	if s == nil && on != "" {
		return nil, fmt.Errorf("--shuttle: unknown shuttle %q: allowed are %s", on, strings.Join(x.Names(), ", "))
	}
	if n, isNumber := muxNumber(pattern); isNumber && s != nil {
		found = s.At(n)
	} else if found, err = shuttles.Match(designsOn(x, s), pattern); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, &exit{exitNothing, noDesign(x, s, pattern)}
	}
	return found, nil
}

func designsOn(x *shuttles.Index, s *shuttles.Shuttle) []shuttles.Design {
	if s == nil {
		return x.Designs()
	}
	return s.Designs()
}

// muxNumber reads a number that a mux can select.
func muxNumber(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 16)
	return int(n), err == nil && n <= shuttles.MaxNumber
}

// few is how many designs or names an error suggests.
const few = 3

// noDesign says that a shuttle, or without one any, has no design like text, and what may be meant.
func noDesign(x *shuttles.Index, s *shuttles.Shuttle, text string) error {
	none := fmt.Sprintf("no design fits %q", text)
	if s != nil {
		if n, ok := muxNumber(text); ok {
			all := s.Designs()
			return fmt.Errorf("the shuttle %s has no design at %d: its numbers go from %d to %d", s.Name, n, all[0].Number, all[len(all)-1].Number)
		}
		none = fmt.Sprintf("no design of the shuttle %s fits %q", s.Name, text)
		if others, _ := shuttles.Match(x.Designs(), text); others != nil {
			return fmt.Errorf("%s; on others: %s", none, someDesigns(others))
		}
	}
	if near := shuttles.Near(designsOn(x, s), text, few); near != nil {
		return fmt.Errorf("%s; names near to it: %s", none, strings.Join(near, ", "))
	}
	return errors.New(none)
}

// someDesigns lists a few designs with shuttle and number.
func someDesigns(designs []shuttles.Design) string {
	var all []string
	for _, d := range designs[:min(few, len(designs))] {
		all = append(all, fmt.Sprintf("%s %d %s", d.Shuttle, d.Number, d.Name))
	}
	if more := len(designs) - len(all); more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, ", ")
}

// revisionText is a design's revision in words: empty when it is not this project's chip.
func revisionText(d *shuttles.Design) string {
	own := theTile.(tile.Fabricated)
	if d.Name != own.Project() {
		return ""
	}
	if r, known := own.OfCommit(d.Commit); known {
		return r.Revision()
	}
	return "unknown"
}

func designsText(out io.Writer, found []shuttles.Design) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "shuttle\tnumber\tdesign\tclock\tdanger\trepository\tcommit\trevision")
	for i := range found {
		d := &found[i]
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", d.Shuttle, d.Number, d.Name, hertz(d.Clock),
			cmp.Or(d.Danger, "-"), cmp.Or(d.Repo, "-"), cmp.Or(d.Commit, "-"), cmp.Or(revisionText(d), "-"))
	}
	return table.Flush()
}

// hertz writes a frequency in the largest unit that leaves it one or more; "-" for none.
func hertz(f int) string {
	switch {
	case f == 0:
		return "-"
	case f < 1e3:
		return fmt.Sprintf("%d Hz", f)
	case f < 1e6:
		return fmt.Sprintf("%v kHz", float64(f)/1e3)
	}
	return fmt.Sprintf("%v MHz", float64(f)/1e6)
}

func designsJSON(out io.Writer, found []shuttles.Design) error {
	w := bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range found {
		d := &found[i]
		err := enc.Encode(struct {
			Shuttle  string `json:"shuttle"`
			Number   int    `json:"number"`
			Design   string `json:"design"`
			Clock    int    `json:"clock_hz"`
			Danger   string `json:"danger"`
			Repo     string `json:"repo"`
			Commit   string `json:"commit"`
			Revision string `json:"revision,omitempty"`
		}{d.Shuttle, d.Number, d.Name, d.Clock, d.Danger, d.Repo, d.Commit, revisionText(d)})
		if err != nil {
			return err
		}
	}
	return w.Flush()
}
