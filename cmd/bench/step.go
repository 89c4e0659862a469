package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/tile"
	"utfbench/transport"
)

func newStep() *cobra.Command {
	var t target
	cmd := &cobra.Command{
		Use:   "step",
		Short: "Apply steps from standard input, one a line; the door for other programs",
		Long: `step reads a step a line and answers each with a line.

  in   UI UIO OE RST CLK   two hex digits each for UI, UIO and OE (the uio bits that the
                           bench drives); RST is the level of rst_n, CLK the number of
                           clock pulses, 0 to 255
  out  UO UIO              two hex digits each, x for a digit with an unknown bit

Blank lines and lines that begin with # are skipped. Answers are flushed at once unless
more input is already waiting. A bad line, or one in which bench and chip would both
drive uio, ends it with exit code 2, after everything before it was answered.`,
		Example: `  printf 'FF 00 00 0 1\n6F 41 FF 1 1\nFF 00 00 1 0\n' | bench step`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := t.open(cmd)
			if err != nil {
				return err
			}
			defer c.leave()
			s := newStepper(cmd, c, c.Tile)
			return s.run(cmd.Context())
		},
	}
	t.flags(cmd)
	return cmd
}

// maxLine is more than any step needs, comments included.
const maxLine = 1 << 16

// A stepper answers lines with lines, as many at a time as are waiting.
type stepper struct {
	tile    tile.Tile
	chip    transport.Transport
	in      *bufio.Reader
	out     *bufio.Writer
	line    int
	steps   []transport.Step
	samples []transport.Sample
	decode  bool // a person is at the terminal
}

func newStepper(cmd *cobra.Command, chip transport.Transport, t tile.Tile) *stepper {
	in, out := cmd.InOrStdin(), cmd.OutOrStdout()
	return &stepper{tile: t, chip: chip, in: bufio.NewReaderSize(in, maxLine), out: bufio.NewWriter(out),
		samples: make([]transport.Sample, driver.BatchSteps), decode: isTerminal(in) && isTerminal(out)}
}

func (s *stepper) run(ctx context.Context) error {
	// A read from standard input cannot be interrupted, so it goes on in a goroutine that the program's end takes along.
	done := make(chan error, 1)
	go func() { done <- s.loop(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		if s.decode {
			fmt.Fprintln(os.Stdout) // leave the prompt's line
		}
		return &exit{code: exitInterrupted}
	}
}

// loop answers until the input ends. Steps are gathered while whole lines are waiting, and applied when the next read
// could block.
func (s *stepper) loop(ctx context.Context) error {
	for {
		s.prompt()
		step, some, err := s.next()
		if err == nil && some {
			s.steps = append(s.steps, step)
		}
		if err != nil || len(s.steps) == driver.BatchSteps || !s.waiting() {
			if aerr := s.answer(ctx); aerr != nil {
				return aerr
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("line %d: %w", s.line, err)
		}
	}
}

// waiting says whether a whole line has arrived already.
func (s *stepper) waiting() bool {
	b, _ := s.in.Peek(s.in.Buffered())
	return bytes.IndexByte(b, '\n') >= 0
}

// next reads a line; some is false when there is no step in it.
func (s *stepper) next() (step transport.Step, some bool, err error) {
	text, err := s.in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		s.line++
		return step, false, fmt.Errorf("longer than %d bytes", maxLine)
	case err != nil && err != io.EOF:
		return step, false, benchFault(fmt.Errorf("standard input: %w", err))
	case err == io.EOF && len(text) == 0:
		return step, false, io.EOF
	}
	s.line++
	fields := strings.Fields(string(text))
	if len(fields) == 0 || fields[0][0] == '#' {
		return step, false, nil
	}
	if step, err = parseStep(fields); err != nil {
		return step, false, err
	}
	if both := step.Drive & s.tile.Drives(step); both != 0 {
		return step, false, fmt.Errorf("bench and chip would both drive uio: at these levels of ui the chip drives %02X of it, so OE has to be 00 there, not %02X",
			s.tile.Drives(step), step.Drive)
	}
	return step, true, nil
}

func parseStep(fields []string) (s transport.Step, err error) {
	if len(fields) != 5 {
		return s, fmt.Errorf("%d fields: a step is UI UIO OE RST CLK, five of them", len(fields))
	}
	for i, to := range []*uint8{&s.In, &s.IO, &s.Drive} {
		name := []string{"UI", "UIO", "OE"}[i]
		u, err := strconv.ParseUint(fields[i], 16, 8)
		if err != nil || len(fields[i]) != 2 {
			return s, fmt.Errorf("%s is %q: it has to be two hex digits", name, fields[i])
		}
		*to = uint8(u)
	}
	switch fields[3] {
	case "0":
		s.Reset = true
	case "1":
	default:
		return s, fmt.Errorf("RST is %q: it has to be 0 or 1, the level of rst_n", fields[3])
	}
	n, err := strconv.ParseUint(fields[4], 10, 8)
	if err != nil {
		return s, fmt.Errorf("CLK is %q: it has to be a number of clock pulses, 0 to 255", fields[4])
	}
	s.Clocks = uint8(n)
	return s, nil
}

// answer applies what was gathered and writes a line for each step.
func (s *stepper) answer(ctx context.Context) error {
	n, err := transport.Apply(ctx, s.chip, s.steps, s.samples)
	for i, m := range s.samples[:n] {
		s.out.WriteString(tile.Hex(m.Out, m.OutX))
		s.out.WriteByte(' ')
		s.out.WriteString(tile.Hex(m.IO, m.IOX))
		if s.decode {
			step := s.steps[i]
			fmt.Fprintf(s.out, "   %s: %s", tile.Describe(s.tile, step), tile.Flags(s.tile, step.In, m.Out&^m.OutX))
		}
		s.out.WriteByte('\n')
	}
	s.steps = s.steps[:0]
	if ferr := s.out.Flush(); ferr != nil && err == nil {
		err = fmt.Errorf("standard output: %w", ferr)
	}
	if errors.Is(err, context.Canceled) {
		return &exit{code: exitInterrupted}
	}
	if err != nil {
		return benchFault(err)
	}
	return nil
}

// prompt asks a person for a line.
func (s *stepper) prompt() {
	if s.decode && len(s.steps) == 0 {
		s.out.WriteString("ui uio oe rst clk> ")
		s.out.Flush()
	}
}
