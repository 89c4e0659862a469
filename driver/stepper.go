package driver

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// StepSyntax describes a Stepper's input and output lines.
const StepSyntax = `  in   UI UIO OE RST CLK   two hex digits each for UI, UIO and OE (the uio bits that the
                           bench drives); RST is the level of rst_n, CLK the number of
                           clock pulses, 0 to 255
  out  UO UIO              two hex digits each, x for a digit with an unknown bit

A line may also be an operation, as in a file of the tile's vectors, such as reset, write utf8
E2 82 AC, or status; it is answered with a line for each of its steps.
`

// maxLine exceeds the length of any step with comments.
const maxLine = 1 << 16

// A Stepper is the line interface for programs in other languages: one step per input line, one sample per output line,
// as StepSyntax describes them. Blank lines and lines that begin with # are ignored. A Stepper collects steps while
// complete lines are available, and applies them when the next read would block.
type Stepper struct {
	Chip        transport.Transport
	Tile        tile.Tile // its Drives decides which steps must not reach the chip
	Interactive bool      // add descriptions to the output, and continue after a bad line

	words   golden.Writer  // for operations; nil before the first one
	checks  []golden.Check // checkpoints of the steps
	in      *bufio.Reader
	out     *bufio.Writer
	line    int
	steps   []transport.Step
	samples []transport.Sample
}

// A StepError reports a line that is not a step, or a step that must not reach the chip. Earlier lines were applied.
type StepError struct {
	Line int // from 1
	Err  error
}

func (e *StepError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Serve serves lines until the input ends. The error is a *StepError, or comes from ctx, the transport, a read or a
// write. A read cannot be interrupted; it may outlive ctx in a goroutine.
func (d *Stepper) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	d.in, d.out, d.line = bufio.NewReaderSize(in, maxLine), bufio.NewWriter(out), 0
	d.steps, d.samples = d.steps[:0], make([]transport.Sample, BatchSteps)
	done := make(chan error, 1)
	failure.Go(func() { done <- d.loop(ctx) })
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// loop collects steps while complete lines are available, and applies them when the next read could block.
func (d *Stepper) loop(ctx context.Context) error {
	for {
		err := d.next()
		if err != nil || len(d.steps) >= BatchSteps || !d.waiting() {
			if aerr := d.answer(ctx); aerr != nil {
				return aerr
			}
		}
		var bad *StepError
		switch {
		case d.Interactive && errors.As(err, &bad):
			fmt.Fprintln(d.out, bad.Err)
			d.out.Flush()
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

func (d *Stepper) waiting() bool {
	b, _ := d.in.Peek(d.in.Buffered())
	return bytes.IndexByte(b, '\n') >= 0
}

func (d *Stepper) next() error {
	text, err := d.in.ReadSlice('\n')
	if err == io.EOF && len(text) == 0 {
		return io.EOF
	}
	if err == nil || err == io.EOF || errors.Is(err, bufio.ErrBufferFull) {
		d.line++
	}
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return &StepError{d.line, fmt.Errorf("longer than %d bytes", maxLine)}
	case err != nil && err != io.EOF:
		return fmt.Errorf("line %d: standard input: %w", d.line, err)
	}
	fields := strings.Fields(string(text))
	if len(fields) == 0 || fields[0][0] == '#' {
		return nil
	}
	if err := d.add(fields); err != nil {
		return &StepError{d.line, err}
	}
	return nil
}

func (d *Stepper) add(fields []string) error {
	if d.Interactive && fields[0] == "help" {
		_, err := d.out.WriteString(StepSyntax)
		return err
	}
	if word().MatchString(fields[0]) {
		steps, checks, err := d.operation(fields[0], strings.Join(fields[1:], " "))
		for _, s := range steps {
			err = cmp.Or(err, d.legal(s))
		}
		if err != nil {
			return err
		}
		for _, c := range checks {
			c.Step += len(d.steps)
			d.checks = append(d.checks, c)
		}
		d.steps = append(d.steps, steps...)
		return nil
	}
	step, err := parseStep(fields)
	if err == nil {
		err = d.legal(step)
	}
	if err == nil {
		d.steps = append(d.steps, step)
	}
	return err
}

// legal returns an error for a step in which bench and chip would both drive a line.
func (d *Stepper) legal(step transport.Step) error {
	if drives := d.Tile.Drives(step); step.Drive&drives != 0 {
		return fmt.Errorf("bench and chip would both drive uio: at these levels of ui the chip drives %02X of it, so "+
			"OE has to be 00 there, not %02X", drives, step.Drive)
	}
	return nil
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

// answer applies the collected steps and writes a line for each.
func (d *Stepper) answer(ctx context.Context) error {
	if len(d.steps) > len(d.samples) {
		d.samples = make([]transport.Sample, len(d.steps))
	}
	n, err := transport.Apply(ctx, d.Chip, d.steps, d.samples)
	for i, m := range d.samples[:n] {
		fmt.Fprintf(d.out, "%s %s", tile.Hex(m.Out, m.OutX), tile.Hex(m.IO, m.IOX))
		if d.Interactive {
			step := d.steps[i]
			fmt.Fprintf(d.out, "   %s: %s", tile.Describe(d.Tile, step),
				tile.HighOutputs(d.Tile, step.In, m.Out&^m.OutX))
			if lines := d.missed(i, m); lines != 0 {
				fmt.Fprintf(d.out, "; wanted otherwise: %s", strings.Join(lines.Names(), " "))
			}
		}
		d.out.WriteByte('\n')
	}
	d.steps, d.checks = d.steps[:0], d.checks[:0]
	if ferr := d.out.Flush(); ferr != nil && err == nil {
		err = fmt.Errorf("standard output: %w", ferr)
	}
	return err
}
