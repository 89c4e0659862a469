package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/export"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
)

func newBundle(d *design) *cobra.Command {
	var t target
	var out string
	cmd := &cobra.Command{
		Use:   "bundle RUN",
		Short: "Zip everything that a bug report needs",
		Long: `bundle puts the recording of a run into a zip, with its report, the vectors that did not pass,
and the output of bench doctor. ` + runWords + `

With -t bench doctor examines the chip; otherwise the zip has what the recording says of it.`,
		Example: `  bench bundle last -t rp2040
  bench bundle board7.rec --out board7.zip`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := t.recording(args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			return t.bundle(cmd, c, cmp.Or(out, t.env.Path("bench-"+t.runs.FileName(args[0])+".zip")))
		},
	}
	t.flags(cmd, d)
	cmd.Flags().StringVar(&out, "out", "", "the zip (default: bench-RUN.zip)")
	return cmd
}

// bundle writes the zip, completely or not at all.
func (t *target) bundle(cmd *cobra.Command, c *station.Chip, path string) error {
	if _, err := c.Recording.Suites(c.Tile); err != nil {
		return err
	}
	defer t.ShowActivity("making " + path)()
	state, err := t.state(cmd)
	if err != nil {
		return err
	}
	b := export.Bundle{Recording: c.Recording, Tile: c.Tile, DoctorOutput: state, Version: versionLine(),
		Judge: func(text io.Writer, told report.Reporters) error {
			return again(cmd, text, c, &judging{design: t.design, Outputs: native.Outputs{Reporters: told}})
		}}
	var contents string
	err = files.WriteWith(path, 0, func(w io.Writer) error {
		if contents, err = b.Write(w); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return err
	})
	if err == nil {
		fmt.Fprintf(cmd.OutOrStdout(), "%s:\n%s", path, contents)
		err = complete(c)
	}
	return err
}

// state returns the output of bench doctor if the user named a chip, and nil otherwise.
func (t *target) state(cmd *cobra.Command) ([]byte, error) {
	if !cmd.Flags().Changed("transport") {
		return nil, nil
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s, at %s\n\n", printable.Command(append([]string{"doctor"}, t.Args()...)...),
		time.Now().UTC().Format(time.RFC3339))
	_, err := t.examine(cmd, func(f station.Finding) { fmt.Fprintln(&text, f) })
	if err != nil && (!failure.IsAlreadyPrinted(err) || cmd.Context().Err() != nil) {
		return nil, err
	}
	if err != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "note: bench doctor did not pass: see doctor.txt in the zip")
	}
	return text.Bytes(), nil
}
