package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func newReport() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Write the report of a recorded run as one HTML page",
		Long: `report judges a run again from its recording, which bench run --record wrote, and writes what came of it as one HTML file: verdict,
what explains the failures, waveforms around the first divergences, where it all comes from.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return writeReport(cmd, args[0], cmp.Or(out, strings.TrimSuffix(filepath.Base(args[0]), ".rec")+".html"))
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write it to this file (default: the recording's name, with .html)")
	return cmd
}

func writeReport(cmd *cobra.Command, run, path string) error {
	c, err := openRecording(run)
	if err != nil {
		return err
	}
	defer c.Close()
	asked, err := (&selection{}).replayed(c)
	if err != nil {
		return err
	}
	out := newOutput(cmd.OutOrStdout(), false, asked.vectors*asked.count)
	defer out.discard()
	out.all = nil // no text
	if asked.count > 1 {
		out.correlate()
	}
	if err := out.page(path, c); err != nil {
		return err
	}
	o := runOptions{timeout: time.Hour}
	var verdict *exit
	if err := o.apply(cmd.Context(), c, asked, out, nil); err != nil && !(errors.As(err, &verdict) && verdict.err == nil) {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), path)
	return err
}
