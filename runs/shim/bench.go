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

	// exchanges at which the copy showed the test other levels than the chip, without a proven error: the test's
	// verdict is on the copy
	CopyDifferences int

	// the first clock, over all simulations, at which the test held ena low, or 0. A selected tile has ena high, as has
	// the reference.
	FirstEnaLow int

	Progress     func() // called after the chip has responded; may be nil
	OnDifference func() // called once First is set; may be nil

	follower  *gates.Follower
	ahead     []request // exchanges that the chip has not done yet
	last      outputs   // the chip's latest outputs
	reset     bool      // reset with a clock in this simulation
	out       bool      // released from that reset
	began     time.Time
	high, low uint8 // withheld levels
}

// A Count counts a test's activity.
type Count struct{ Simulations, Clocks, Exchanges int }

// LimitAfterDifference is the number of exchanges after a difference at which Serve ends: a test may wait forever for a
// level that the chip does not show.
const LimitAfterDifference = 200_000

var errEnough = errors.New("the chip differed long ago")

// A Difference is the first exchange at which the chip differs from its Verilog. Index counts the exchanges of all
// simulations.
type Difference struct {
	Count // up to and including this exchange
	driver.Mismatch
}

// Serve responds until the end of in, which is no error. An error of the chip or the reference ends it, and so does a
// line that no shim writes. The last line of a simulation may be incomplete, since the simulation may have been
// killed.
func (b *Bench) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	var odd error
	for lines := bufio.NewScanner(in); ; {
		if !lines.Scan() {
			return cmp.Or(odd, lines.Err(), b.catchUp(ctx))
		}
		line := lines.Text()
		switch {
		case line == "":
			continue
		case line == end:
			return b.catchUp(ctx)
		case odd != nil && !strings.HasPrefix(line, begins):
			return odd
		}
		odd = nil
		answer, err := b.line(ctx, line)
		switch {
		case errors.As(err, new(oddLine)) && len(b.ahead) > 0:
			odd = err
		case err != nil:
			return err
		}
		if _, err := io.WriteString(out, answer); err != nil {
			return fmt.Errorf("the simulation accepts no response: %w", err)
		}
	}
}

// line processes a line of a simulation and returns the response.
func (b *Bench) line(ctx context.Context, line string) (string, error) {
	if strings.HasPrefix(line, begins) {
		err := b.begin(ctx)
		return fmt.Sprintf("begin %d\n", b.Simulations), err
	}
	a, err := parse(line)
	switch {
	case err != nil:
		return "", err
	case b.follower == nil:
		return "", errors.New("a simulation uses the chip before it began")
	case a.simulation != b.Simulations:
		return "", errors.New("two simulations use one chip at once: let the test run them one after another")
	case a.ahead:
		b.ahead = append(b.ahead, a)
		return "", nil
	case a.low:
		b.recordEnaLow()
		return "", nil
	}
	err = b.catchUp(ctx)
	switch {
	case err != nil:
		return "", err
	case a.look && (b.First != nil || b.CopyDifferences > 0):
		return "other\n", nil
	case a.look:
		return "same\n", nil
	}
	return b.exchange(ctx, a.StepX)
}

// recordEnaLow records that the test holds ena low at the next clock.
func (b *Bench) recordEnaLow() {
	if b.FirstEnaLow != 0 {
		return
	}
	b.FirstEnaLow = b.Clocks + 1
	for _, a := range b.ahead {
		b.FirstEnaLow += int(a.Clocks)
	}
}

// begin starts a new simulation. Chip and reference keep the state of the previous one.
func (b *Bench) begin(ctx context.Context) (err error) {
	if err = b.catchUp(ctx); err == nil && b.follower == nil {
		b.follower = b.Tile.NewFollower()
		b.began = time.Now()
	}
	b.Simulations++
	b.last, b.reset, b.out = outputs{}, false, false
	return err
}

// exchange applies a move and returns the response.
func (b *Bench) exchange(ctx context.Context, m gates.StepX) (string, error) {
	seen := b.follower.Do(m)
	got, err := b.apply(ctx, []gates.StepX{m}, []gates.Response{seen})
	if err != nil {
		return "", err
	}
	b.last = outputs{}
	return answer(got[0], &seen), nil
}

// catchUp applies the exchanges on which the simulation is ahead.
func (b *Bench) catchUp(ctx context.Context) error {
	n := len(b.ahead)
	if n == 0 {
		return nil
	}
	moves, seen := make([]gates.StepX, n), make([]gates.Response, n)
	for i, a := range b.ahead {
		moves[i], seen[i] = a.StepX, b.follower.Do(a.StepX)
	}
	got, err := b.apply(ctx, moves, seen)
	if err != nil {
		return err
	}
	for i, a := range b.ahead {
		if b.last.differs(a.copy) {
			b.CopyDifferences++
		}
		b.last = outputs{uo: level{got[i].Out, got[i].OutX}, uio: level{got[i].IO, got[i].IOX},
			known: b.released(a.StepX)}
	}
	b.ahead = b.ahead[:0]
	return nil
}

// released reports whether the tile has been reset, with a clock, and released. Until then its levels are arbitrary.
func (b *Bench) released(m gates.StepX) bool {
	resets := !m.ResetX && m.Reset == b.Tile.ResetStep().Reset
	b.reset = b.reset || resets && m.Clocks > 0
	b.out = b.out || b.reset && !resets
	return b.out
}

// A outputs holds a tile's outputs after an exchange, from the chip or the copy.
type outputs struct {
	uo, uio level
	enable  level // lines of uio that a copy drives
	known   bool  // the chip has been reset
}

// differs reports whether the copy's levels differ from the chip's. It ignores undriven uio lines of the copy.
func (s outputs) differs(copy outputs) bool {
	uio := copy.enable.level &^ copy.enable.unknown &^ copy.uio.unknown &^ s.uio.unknown
	return s.known && ((s.uo.level^copy.uo.level)&^copy.uo.unknown&^s.uo.unknown|(s.uio.level^copy.uio.level)&uio) != 0
}

// apply applies moves to the chip, with uio directions by the reference, and compares. Directions depend on the state,
// so the bench drives a line that turns only while the chip has not differed.
func (b *Bench) apply(ctx context.Context, moves []gates.StepX, seen []gates.Response) ([]transport.Sample, error) {
	n := len(moves)
	steps, want, got := make([]transport.Step, n), make([]transport.Sample, n), make([]transport.Sample, n)
	for i, m := range moves {
		steps[i], want[i] = m.Step, seen[i].Sample
		steps[i].Drive = seen[i].BenchDrive
		steps[i].IO &= steps[i].Drive
		steps[i].Reset = m.Reset || m.ResetX
	}
	for good := 0; good < n; {
		if b.First != nil {
			driver.ReleaseLines(steps[good:], b.Tile.DrivenLines())
		}
		done, err := transport.ApplyGuarded(ctx, b.Chip, steps[good:], got[good:],
			transport.Guard{Want: want[good:], Indices: driver.TurnaroundSteps(steps[good:], b.Tile.DrivenLines())})
		if err != nil {
			return nil, err
		}
		b.Elapsed = time.Since(b.began)
		for end := good + done; good < end; good++ {
			b.Exchanges++
			b.Clocks += int(moves[good].Clocks)
			b.withhold(moves[good].IO, moves[good].Drive&^steps[good].Drive)
			b.compare(steps[good], got[good], want[good])
		}
		if b.Progress != nil {
			b.Progress()
		}
	}
	if b.First != nil && b.Exchanges-b.First.Exchanges >= LimitAfterDifference {
		return nil, errEnough
	}
	return got, nil
}

// withhold records levels of the test on lines of uio that do not reach the chip.
func (b *Bench) withhold(level, lines uint8) {
	b.high |= level & lines
	b.low |= ^level & lines
	b.WithheldLines = b.high & b.low
}

// compare records the first difference.
func (b *Bench) compare(s transport.Step, got, want transport.Sample) {
	four := transport.IsFourState(b.Chip) // without X, a line unknown beside a known uo is one that the design releases
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
