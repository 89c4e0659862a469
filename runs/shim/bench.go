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

// A Bench serves shims. Set Chip and Tile, and call Serve.
type Bench struct {
	Chip transport.Transport
	Tile *gates.Tile
	// Simulated means that the chip is a simulation. Its X, and unknown levels before its first reset, prove nothing.
	Simulated bool

	Count
	FirstDifference  *Difference   // nil if the chip matches its Verilog
	Elapsed          time.Duration // time between the first and the last exchange
	Evidence         driver.Evidence
	UnknownExchanges int // number of exchanges in which a simulated chip showed X where silicon has a level
	// lines of uio that the test drove to both levels, but the bench did not drive, since the tile may drive them
	WithheldLines uint8

	// number of exchanges in which the copy differs from the chip without a proven error: the test judges the copy
	CopyDifferences int

	// first clock of all simulations at which the test held ena low, or 0; a reference and a selected tile have it high
	FirstEnaLow int

	Progress     func() // called after each response of the chip; may be nil
	OnDifference func() // called after FirstDifference is set; may be nil

	follower  *gates.Follower
	ahead     []request // exchanges that are not yet applied to the chip
	last      outputs   // the chip's latest outputs
	reset     bool      // the test has reset the tile with a clock, in this simulation
	out       bool      // the test has released that reset
	began     time.Time
	high, low uint8 // withheld levels
}

// A Count counts the activity of a test.
type Count struct{ Simulations, Clocks, Exchanges int }

// MaxExchangesAfterDifference is the number of exchanges after a difference at which Serve ends, since a test may wait
// forever for a level that the chip does not show.
const MaxExchangesAfterDifference = 200_000

var errEnough = errors.New("the chip differed long ago")

// A Difference is the first exchange in which the chip differs from its Verilog. Index counts over all simulations.
type Difference struct {
	Count // counts up to and including this exchange
	driver.Mismatch
}

// Serve responds until in ends, which is not an error. It fails on an error of the chip or the reference, and on a line
// that no shim writes. The last line of a killed simulation may be incomplete.
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
	case a.look && (b.FirstDifference != nil || b.CopyDifferences > 0):
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

// begin begins a further simulation. The chip and the reference keep their state.
func (b *Bench) begin(ctx context.Context) (err error) {
	if err = b.catchUp(ctx); err == nil && b.follower == nil {
		b.follower = b.Tile.NewFollower()
		b.began = time.Now()
	}
	b.Simulations++
	b.last, b.reset, b.out = outputs{}, false, false
	return err
}

func (b *Bench) exchange(ctx context.Context, m gates.StepX) (string, error) {
	seen := b.follower.Apply(m)
	got, err := b.apply(ctx, []gates.StepX{m}, []gates.Response{seen})
	if err != nil {
		return "", err
	}
	b.last = outputs{}
	return answer(got[0], &seen), nil
}

// catchUp applies the exchanges by which the simulation is ahead.
func (b *Bench) catchUp(ctx context.Context) error {
	n := len(b.ahead)
	if n == 0 {
		return nil
	}
	moves, seen := make([]gates.StepX, n), make([]gates.Response, n)
	for i, a := range b.ahead {
		moves[i], seen[i] = a.StepX, b.follower.Apply(a.StepX)
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

// released reports whether the test has reset the tile with a clock and released the reset; before, no level counts.
func (b *Bench) released(m gates.StepX) bool {
	resets := !m.ResetX && m.Reset == b.Tile.ResetStep().Reset
	b.reset = b.reset || resets && m.Clocks > 0
	b.out = b.out || b.reset && !resets
	return b.out
}

// outputs holds the outputs of a tile after an exchange, from the chip or the copy.
type outputs struct {
	uo, uio level
	enable  level // lines of uio that the copy drives
	known   bool  // the chip has been reset
}

// differs reports whether the copy's levels differ from the chip's. It ignores uio lines that the copy does not drive.
func (s outputs) differs(copy outputs) bool {
	uio := copy.enable.level &^ copy.enable.unknown &^ copy.uio.unknown &^ s.uio.unknown
	return s.known && ((s.uo.level^copy.uo.level)&^copy.uo.unknown&^s.uo.unknown|(s.uio.level^copy.uio.level)&uio) != 0
}

// apply applies moves to the chip, with the reference's directions of uio, and compares the samples. The directions
// depend on the state, so the bench drives a turning line only until the chip has differed.
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
		if b.FirstDifference != nil {
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
	if b.FirstDifference != nil && b.Exchanges-b.FirstDifference.Exchanges >= MaxExchangesAfterDifference {
		return nil, errEnough
	}
	return got, nil
}

// withhold records levels on lines of uio that the test drives and the bench does not.
func (b *Bench) withhold(level, lines uint8) {
	b.high |= level & lines
	b.low |= ^level & lines
	b.WithheldLines = b.high & b.low
}

// compare compares two samples, and records the first difference.
func (b *Bench) compare(s transport.Step, got, want transport.Sample) {
	four := transport.IsFourState(b.Chip) // in a simulator without X, an unknown line beside a known uo was released
	if lines := got.Differ(want) & got.UnknownUncontended(); b.Simulated && lines != 0 && (four || got.OutX == 0xFF) {
		if want.SetUnknown(lines); four {
			b.UnknownExchanges++
		}
	}
	b.Evidence.Add([]transport.Step{s}, []transport.Sample{want})
	if b.FirstDifference != nil || got.Differ(want) == 0 {
		return
	}
	out, io := got.Differ(want).Bytes()
	b.FirstDifference = &Difference{b.Count, driver.Mismatch{Index: b.Exchanges - 1, Step: s, Got: got, Want: want,
		OutDiff: out, IODiff: io}}
	if four {
		b.FirstDifference.X = transport.Outputs(got.OutX & want.OutX)
	}
	if b.OnDifference != nil {
		b.OnDifference()
	}
}

// answer returns the response: the chip's levels and the reference's directions of uio.
func answer(got transport.Sample, seen *gates.Response) string {
	return tile.Binary(got.Out, got.OutX) + " " + tile.Binary(got.IO, got.IOX) + " " +
		tile.Binary(seen.Enable, seen.EnableX) + "\n"
}
