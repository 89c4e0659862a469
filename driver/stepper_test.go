package driver

import (
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// counting is a transport that counts non-empty batches.
type counting struct {
	transport.Transport
	batches int
}

func (c *counting) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if len(steps) > 0 {
		c.batches++
	}
	return c.Transport.Apply(ctx, steps, samples)
}

func theChip() *counting {
	return &counting{Transport: mock.Open(mock.Config{Tile: utf.TT09})}
}

// All lines that are available form one batch. A program that waits for a sample after each step receives it.
func TestBatches(t *testing.T) {
	chip, out := theChip(), &strings.Builder{}
	if err := (&Stepper{Chip: chip, Tile: utf.TT09}).Serve(t.Context(),
		strings.NewReader(strings.Repeat("FF 00 00 0 1\n", 100)), out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 100 || chip.batches != 1 {
		t.Errorf("%d answers by %d batches", n, chip.batches)
	}
	toStepper, lines := io.Pipe()
	answers, fromStepper := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- (&Stepper{Chip: theChip(), Tile: utf.TT09}).Serve(t.Context(), toStepper, fromStepper) }()
	answer := make([]byte, 100)
	for range 3 {
		io.WriteString(lines, "FF 00 00 0 1\n")
		if n, err := answers.Read(answer); err != nil || strings.Count(string(answer[:n]), "\n") != 1 {
			t.Errorf("%q, %v", answer[:n], err)
		}
	}
	lines.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// An interactive user gets samples in words, and the chip keeps its state after a bad line or a request for help.
func TestPerson(t *testing.T) {
	for _, c := range []struct{ lines, want string }{
		{"FF 00 00 0 1", "C0 00   reset: UEOF BEOF\n"},
		{"reset; write utf8 E2 82 AC; FF 00 00 1; status; wrote; help", `.*: READY\n` +
			`4 fields: a step is .*\n.*: READY\n` +
			`unknown operation "wrote": allowed are reset, .*\n  in   UI UIO OE RST CLK (?s:.*)`},
		{"reset; write utf8 E2 82 AC; status READY ERROR", "look at the status: READY; wanted otherwise: uo5\n"},
		{"reset; write utf8 E2 82 AC; read utf16 AC 20", "READY; wanted otherwise: uio2 uio3 uio7\n"},
	} {
		var out strings.Builder
		d := Stepper{Chip: theChip(), Tile: utf.TT09, Interactive: true}
		lines := strings.NewReader(strings.ReplaceAll(c.lines, "; ", "\n") + "\n")
		if err := d.Serve(t.Context(), lines, &out); err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(c.want).MatchString(out.String()) {
			t.Errorf("%s: want %s in\n%s", c.lines, c.want, out.String())
		}
	}
}

// The output contains a line for each step of an operation. A bad operation ends it, like any bad line.
func TestOperations(t *testing.T) {
	var out strings.Builder
	d := Stepper{Chip: theChip(), Tile: utf.TT09}
	lines := strings.NewReader("reset\nwrite utf8 41\nread utf32 00\nwrite utf9 41\nstatus\n")
	err := d.Serve(t.Context(), lines, &out)
	var bad *StepError
	if !errors.As(err, &bad) || bad.Line != 4 || !regexp.MustCompile(`^([0-9A-F]{2} [0-9A-F]{2}\n)+$`).MatchString(
		out.String()) {
		t.Errorf("%v\n%s", err, out.String())
	}
}

type brokenPipe struct{ error }

func (b brokenPipe) Read([]byte) (int, error)  { return 0, b.error }
func (b brokenPipe) Write([]byte) (int, error) { return 0, b.error }

// A failed read or write, or the end of the context during a blocked read, is not reported as a bad line.
func TestTrouble(t *testing.T) {
	cable := errors.New("the pipe is broken")
	d := Stepper{Chip: theChip(), Tile: utf.TT09}
	var bad *StepError
	if err := d.Serve(t.Context(), brokenPipe{cable}, io.Discard); !errors.Is(err, cable) || errors.As(err, &bad) {
		t.Error("input: ", err)
	}
	if err := d.Serve(t.Context(), strings.NewReader("FF 00 00 0 1\n"), brokenPipe{cable}); !errors.Is(err, cable) ||
		errors.As(err, &bad) {
		t.Error("output: ", err)
	}
	if err := d.Serve(t.Context(), strings.NewReader("\n10 00 FF 1 1"), io.Discard); !errors.As(err, &bad) ||
		bad.Line != 2 {
		t.Error("contention: ", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	silent, w := io.Pipe()
	defer w.Close()
	if err := (&Stepper{Chip: theChip(), Tile: utf.TT09}).Serve(ctx, silent, io.Discard); !errors.Is(err,
		context.Canceled) {
		t.Error("interrupt: ", err)
	}
}

// FuzzStep checks that the output has one line for each good line before the first bad one, which is an error.
func FuzzStep(f *testing.F) {
	f.Add("FF 00 00 0 1\n6F 41 FF 1 1\nFF 00 00 1 0\n")
	f.Add("# a comment\n\n00 00 00 1 255")
	f.Add("10 00 FF 1 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		var out strings.Builder
		d := Stepper{Chip: theChip(), Tile: utf.TT09}
		err := d.Serve(context.Background(), strings.NewReader(text), &out)
		good, bad := 0, false
		for line := range strings.Lines(text) {
			fields := strings.Fields(line)
			if len(fields) == 0 || fields[0][0] == '#' {
				continue
			}
			if s, perr := parseStep(fields); perr != nil || d.legal(s) != nil {
				bad = true
				break
			}
			good++
		}
		if n := strings.Count(out.String(), "\n"); n != good || (err != nil) != bad {
			t.Errorf("%d answers and %v; want %d of %q", n, err, good, text)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("no sentence: %q", err)
		}
	})
}
