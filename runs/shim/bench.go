package shim

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// A Bench serves shims. Set Chip and Tile and call Serve.
type Bench struct {
	Chip transport.Transport
	Tile *gates.Tile
	// Simulated marks a simulation in place of a chip. Its unknown levels before the first reset, and its X, prove
	// nothing.
	Simulated bool

	Count
	First            *Difference   // nil if the chip matches its Verilog
	Elapsed          time.Duration // from the first exchange to the last
	Evidence         driver.Evidence
	UnknownExchanges int // exchanges with X from a simulated chip where a real one has a level
	// lines of uio that the test drove to both levels and the bench did not drive, since the tile may
	WithheldLines uint8

	// the first clock, over all simulations, at which the test held ena low, or 0. A selected tile has ena high, as has
	// the reference.
	EnaLow int

	Progress     func() // called after the chip has responded; may be nil
	OnDifference func() // called once First is set; may be nil

	follower  *gates.Follower
	began     time.Time
	high, low uint8 // withheld levels
}

// A Count counts a test's activity.
type Count struct{ Simulations, Clocks, Exchanges int }

// LimitAfterDifference is the number of exchanges after a difference at which Serve ends: a test may wait forever for a
// level that the chip does not show.
const LimitAfterDifference = 20_000

var errEnough = errors.New("the chip differed long ago")

// A Difference is the first exchange at which the chip differs from its Verilog. Index counts the exchanges of all
// simulations.
type Difference struct {
	Count // up to and including this exchange
	driver.Mismatch
}

// Serve responds until the end of in, which is no error. An error of the chip or the reference ends it, and so does a
// line that no shim writes.
func (b *Bench) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() && lines.Text() != end {
		if lines.Text() == "" {
			continue
		}
		answer, err := b.line(ctx, lines.Text())
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, answer); err != nil {
			return fmt.Errorf("the simulation accepts no response: %w", err)
		}
	}
	return lines.Err()
}

// line processes a line of a simulation and returns the response.
func (b *Bench) line(ctx context.Context, line string) (string, error) {
	if strings.HasPrefix(line, begins) {
		return b.begin(), nil
	}
	r, err := parse(line)
	switch {
	case err != nil:
		return "", err
	case b.follower == nil:
		return "", errors.New("a simulation uses the chip before it began")
	case r.simulation != b.Simulations:
		return "", errors.New("two simulations use one chip at once: let the test run them one after another")
	case r.low:
		b.EnaLow = cmp.Or(b.EnaLow, b.Clocks+1)
		return "", nil
	}
	return b.exchange(ctx, r.StepX)
}

// begin starts a new simulation. Chip and reference keep the state of the previous one.
func (b *Bench) begin() string {
	if b.follower == nil {
		b.follower = b.Tile.Follow()
		b.began = time.Now()
	}
	b.Simulations++
	return fmt.Sprintf("begin %d\n", b.Simulations)
}

// exchange applies a move to the chip, with uio directions by the reference, compares, and returns the response.
// Directions depend on the state, so the bench drives a line that turns only while the chip has not differed.
func (b *Bench) exchange(ctx context.Context, m gates.StepX) (string, error) {
	seen := b.follower.Do(m)
	steps, got := []transport.Step{m.Step}, make([]transport.Sample, 1)
	step := &steps[0]
	step.Drive = seen.Drive
	step.IO &= step.Drive
	step.Reset = m.Reset || m.ResetX
	if b.First != nil {
		driver.ReleaseLines(steps, b.Tile.DrivenLines())
	}
	if _, err := transport.Apply(ctx, b.Chip, steps, got); err != nil {
		return "", err
	}
	b.Elapsed = time.Since(b.began)
	b.Exchanges++
	b.Clocks += int(m.Clocks)
	b.withhold(m.IO, m.Drive&^step.Drive)
	b.compare(*step, got[0], seen.Sample)
	if b.Progress != nil {
		b.Progress()
	}
	if b.First != nil && b.Exchanges-b.First.Exchanges >= LimitAfterDifference {
		return "", errEnough
	}
	return answer(got[0], &seen), nil
}

// withhold records levels of the test on lines of uio that do not reach the chip.
func (b *Bench) withhold(level, lines uint8) {
	b.high |= level & lines
	b.low |= ^level & lines
	b.WithheldLines = b.high & b.low
}

// compare records the first difference.
func (b *Bench) compare(s transport.Step, got, want transport.Sample) {
	four := transport.FourState(b.Chip) // without X, a line unknown beside a known uo is one that the design releases
	if lines := got.Differ(want) & got.UnknownUncontended(); b.Simulated && lines != 0 && (four || got.OutX == 0xFF) {
		if want.SetUnknown(lines); four {
			b.UnknownExchanges++
		}
	}
	b.Evidence.Add([]transport.Step{s}, []transport.Sample{want})
	if b.First != nil || got.Differ(want) == 0 {
		return
	}
	out, io := got.Differ(want).Bytes()
	b.First = &Difference{b.Count, driver.Mismatch{Index: b.Exchanges - 1, Step: s, Got: got, Want: want,
		OutDiff: out, IODiff: io}}
	if four {
		b.First.X = transport.Outputs(got.OutX & want.OutX)
	}
	if b.OnDifference != nil {
		b.OnDifference()
	}
}

// answer returns the response: the chip's levels, and the directions of uio by the reference.
func answer(got transport.Sample, seen *gates.Response) string {
	return tile.Binary(got.Out, got.OutX) + " " + tile.Binary(got.IO, got.IOX) + " " +
		tile.Binary(seen.Enable, seen.EnableX) + "\n"
}
