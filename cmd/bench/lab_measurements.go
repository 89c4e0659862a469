package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/lab/past"
	"utfbench/runs/history"
)

// labMeasurements are the flags of bench lab measurements.
type labMeasurements struct {
	invite string
	filter history.MeasurementFilter
	json   bool
}

func newLabMeasurements() *cobra.Command {
	var o labMeasurements
	cmd := &cobra.Command{
		Use:   "measurements [NUMBER]",
		Short: "List or print the lab's shmoos and timings",
		Long: `measurements lists what was handed in to the lab by bench shmoo and bench timing, the latest first.
With a NUMBER it prints that measurement as the command wrote it with --json, so that bench shmoo
compare, bench timing --reference and bench report can take it.

Exit codes: 0 they are listed, 2 bad input, or there is none of that number, 3 the lab does not
answer.`,
		Example: `  bench lab measurements --find 'timing pi1/board7'
  bench lab measurements 12 >12.json`,
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.invite, "invite", "", "invitation to the lab (default: BENCH_LAB, or the one that was used last)")
	f.StringVar(&o.filter.Words, "find", "", "only those with all these `WORDS` in their lines, such as shmoo, a "+
		"board, a tag or a day")
	f.BoolVar(&o.json, "json", false, "every measurement of the list as a JSON object, one a line")
	f.IntVarP(&o.filter.Last, "number", "n", 20, "at most the latest N")
	return cmd
}

func (o *labMeasurements) run(cmd *cobra.Command, args []string) error {
	number := 0
	if len(args) > 0 {
		var err error
		if number, err = strconv.Atoi(args[0]); err != nil || number < 1 {
			return failure.Usagef("%q is no number of a measurement: bench lab measurements lists them", args[0])
		}
	}
	if o.filter.Last < 1 {
		return failure.Usagef("-n %d: has to be 1 or more", o.filter.Last)
	}
	l, err := openLabHistory(cmd, o.invite)
	if err != nil {
		return err
	}
	defer l.conn.Close()
	if number > 0 {
		return o.print(cmd.OutOrStdout(), l.Lab, number)
	}
	list := o.list
	if o.json {
		list = o.lines
	}
	if err := list(cmd.OutOrStdout(), l.Lab); err != nil {
		return benchFault(err)
	}
	return nil
}

// lines lists for programs.
func (o *labMeasurements) lines(w io.Writer, l *past.Lab) error {
	enc := json.NewEncoder(w)
	for m, err := range l.Measurements(o.filter) {
		if err == nil {
			err = enc.Encode(m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// print prints a document.
func (o *labMeasurements) print(w io.Writer, l *past.Lab, number int) error {
	document, err := l.Document(number)
	if err == nil {
		_, err = w.Write(document)
	}
	if err == nil || errors.As(err, new(*past.MissingError)) {
		return failure.Usage(err)
	}
	return benchFault(err)
}

func (o *labMeasurements) list(w io.Writer, l *past.Lab) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	n := 0
	for m, err := range l.Measurements(o.filter) {
		if err != nil {
			return err
		}
		if n++; n == 1 {
			fmt.Fprintln(table, "number\tmeasured\tkind\tboard\ttransport\ttile\ttags\tby\tshows")
		}
		made := "-"
		if !m.Made.IsZero() {
			made = m.Made.Local().Format(time.DateTime)
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", m.Number, made, m.Kind, cmp.Or(m.Board, "-"),
			cmp.Or(m.Transport, "-"), cmp.Or(m.Tile, "-"), cmp.Or(m.Tags.String(), "-"), m.By, m.Words)
	}
	if n == 0 {
		fmt.Fprintln(table, "no such measurement is in the lab's history")
	}
	return table.Flush()
}
