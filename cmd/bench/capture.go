package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/export"
	"utfbench/runs/report"
	"utfbench/station"
)

// mostClocks is the maximum number of captured clocks, and of skipped ones.
const mostClocks = 1 << 30

type captureOptions struct {
	target target
	station.Run
	capture driver.Capture
	decoder export.CaptureDecoder
	waves   export.VCDFolder
	judging
}

func newCapture(d *design) *cobra.Command {
	var o captureOptions
	cmd := &cobra.Command{
		Use:   "capture",
		Short: "Compare a tile's outputs at each clock, and draw a VGA frame",
		Long: `capture resets the tile, holds its inputs and compares its outputs at each clock with the reference.
--vga draws a frame of a tile with the pins of Tiny Tapeout's VGA Pmod (uo0 R1, uo1 G1, uo2 B1, uo3
vsync, uo4 R0, uo5 G0, uo6 B0, uo7 hsync). With --at clk rests between bursts.

Exit codes: 0 all clocks are as expected, 1 a clock differs, 2 the outputs cannot be decoded, 4 a wire is at fault,
5 nothing was compared, 7 WEAK: nothing differs, but too little was compared.`,
		Example: `  bench capture --tile . -t rp2040 --vga frame.png
  bench capture --tile . --input ui=0x10 --clocks 25000000`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.target.flags(cmd, d)
	f := cmd.Flags()
	f.Var(cli.Between(&o.capture.Clocks, 1_000_000, 1, mostClocks), "clocks", "capture N clocks after the reset")
	f.Var(cli.Between(&o.capture.Skip, 0, 0, mostClocks), "skip", "do not capture the first N clocks")
	f.StringVar(&o.capture.Inputs, "input", "", "held levels, as in ui=0x10,uio3=1 (default: the tile's idle levels "+
		"of ui, 0 on uio)")
	f.StringVar(&o.decoder.PictureFile, "vga", "", "draw a frame into this PNG file: the first with a wrong pixel, or "+
		"the last")
	f.StringVar(&o.waves.Path, "vcd", "", "write a waveform of the first wrong clock into this folder")
	acceptFlag(f, &o.Vectors.AcceptWeak)
	noWiringFlag(f, &o.NoWiring)
	coverageFlags(cmd, &o.Run)
	timeoutFlag(f, &o.timeout, "limit for the whole capture, which is an ERROR after it")
	noHistoryFlag(f, &o.noHistory)
	o.fileFlags(f)
	return cmd
}

func (o *captureOptions) run(cmd *cobra.Command) error {
	if err := cmp.Or(o.target.refuseRecording(cmd), o.waves.Check(), o.waves.Open()); err != nil {
		return err
	}
	o.Vectors.Capture = &o.capture
	o.decoder.OnPicture = func(said []string) { writeLines(cmd.OutOrStdout(), said) }
	if err := o.decoder.Prepare(&o.capture); err != nil {
		return err
	}
	o.Stdout = standard(cmd, append(o.Paths(), o.decoder.PictureFile)...)
	out := files.Set{Out: o.Stdout}
	defer out.Discard()
	write, err := o.decoder.Begin(&out)
	if err != nil {
		return err
	}
	return o.with(cmd, &o.target, &o.Run, nil, func(ctx context.Context) error {
		err := o.tell(cmd, write, o.judge(ctx, cmd, cmd.OutOrStdout(), &o.Run, &o.decoder))
		run := report.RunArgument(o.RunNumber(), o.Record, "")
		if run != nil && failure.KindOf(err) == failure.Chip {
			o.next = []report.Suggestion{{Args: append(append([]string{"report"}, run...), "--open"),
				Purpose: "a page with the first wrong clock"}}
		}
		return err
	})
}

// tell writes the capture's files once the verdict is known, and returns the verdict or the first error.
func (o *captureOptions) tell(cmd *cobra.Command, write func(*export.CaptureDecoder) error, verdict error) error {
	if o.decoder.Wave != nil && o.waves.Path != "" {
		if err := o.waves.Write("clock.vcd", o.decoder.Wave); err != nil {
			return benchFault(err)
		}
	}
	switch bad := o.decoder.PictureError; {
	case bad != nil && verdict == nil:
		return bad
	case bad != nil:
		fmt.Fprintf(cmd.ErrOrStderr(), "bench: %v\n", bad)
		return verdict
	case unlessPrinted(verdict) != nil:
		return verdict
	}
	return cmp.Or(benchFault(write(&o.decoder)), verdict)
}
