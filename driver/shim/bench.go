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

// A Bench answers shims. Fill in Chip and Tile, and call Serve.
type Bench struct {
	Chip transport.Transport
	Tile *gates.Tile
	// Simulated marks a simulation in place of a chip: its unknown levels, as before its first reset, decide nothing
	Simulated bool

	Count
	First    *Difference   // nil if the chip did all that its Verilog does
	Took     time.Duration // from the first exchange to the last
	Evidence driver.Evidence
	Open     int // exchanges at which a simulation in place of the chip shows X where a chip has a level
	// lines of uio that the test put both levels on, and the bench did not, since the tile may drive them
	Withheld uint8

	// exchanges at which the test saw something in the copy of the Verilog that the chip does not show, though it is
	// not known to be wrong: the verdict of the test is of the copy
	Unlike int

	follower  *gates.Follower
	ahead     []asked // exchanges on which the simulation is ahead
	last      shown   // by the chip, of those the last
	reset     bool    // in this simulation it was reset, with a clock
	out       bool    // and has come out of it
	began     time.Time
	high, low uint8 // levels that were withheld
}

// A Count counts a test's activity.
type Count struct{ Simulations, Clocks, Exchanges int }

// A Difference is the first exchange at which the chip shows something else than its Verilog. Index is of the exchange
// in all simulations.
type Difference struct {
	Count // so far, with this one
	driver.Mismatch
}

// Serve answers until in ends, which is no error. One of the chip or of the reference ends it; so does a line that no
// shim writes, unless it is the last one of a simulation, which may have been killed within it.
func (b *Bench) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	var odd error
	for lines := bufio.NewScanner(in); ; {
		if !lines.Scan() {
			return cmp.Or(odd, lines.Err(), b.follow(ctx))
		}
		line := lines.Text()
		switch {
		case line == "":
			continue
		case line == end:
			return b.follow(ctx)
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
			return fmt.Errorf("the simulation takes no answer: %w", err)
		}
	}
}

// line answers a line of a simulation.
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
		return "", errors.New("a simulation asks before it began")
	case a.simulation != b.Simulations:
		return "", errors.New("two simulations at once ask one chip: let the test run them one after another")
	case a.ahead:
		b.ahead = append(b.ahead, a)
		return "", nil
	}
	err = b.follow(ctx)
	switch {
	case err != nil:
		return "", err
	case a.look && (b.First != nil || b.Unlike > 0):
		return "other\n", nil
	case a.look:
		return "same\n", nil
	}
	return b.exchange(ctx, a.Move)
}

// begin starts a new simulation. Chip and reference stay in the state left by the one before.
func (b *Bench) begin(ctx context.Context) (err error) {
	if err = b.follow(ctx); err == nil && b.follower == nil {
		b.follower = b.Tile.Follow()
		b.began = time.Now()
	}
	b.Simulations++
	b.last, b.reset, b.out = shown{}, false, false
	return err
}

// exchange does a move, and returns the shim's answer.
func (b *Bench) exchange(ctx context.Context, m gates.Move) (string, error) {
	seen := b.follower.Do(m)
	got, err := b.apply(ctx, []gates.Move{m}, []gates.Seen{seen})
	if err != nil {
		return "", err
	}
	b.last = shown{}
	return answer(got[0], &seen), nil
}

// follow does the exchanges on which the simulation is ahead.
func (b *Bench) follow(ctx context.Context) error {
	n := len(b.ahead)
	if n == 0 {
		return nil
	}
	moves, seen := make([]gates.Move, n), make([]gates.Seen, n)
	for i, a := range b.ahead {
		moves[i], seen[i] = a.Move, b.follower.Do(a.Move)
	}
	got, err := b.apply(ctx, moves, seen)
	if err != nil {
		return err
	}
	for i, a := range b.ahead {
		if b.last.unlike(a.copy) {
			b.Unlike++
		}
		b.last = shown{uo: level{got[i].Out, got[i].OutX}, uio: level{got[i].IO, got[i].IOX},
			known: b.released(a.Move)}
	}
	b.ahead = b.ahead[:0]
	return nil
}

// released reports whether the tile has been reset, with a clock, and released. Until then its levels are arbitrary.
func (b *Bench) released(m gates.Move) bool {
	resets := !m.ResetX && m.Reset == b.Tile.ResetStep().Reset
	b.reset = b.reset || resets && m.Clocks > 0
	b.out = b.out || b.reset && !resets
	return b.out
}

// A shown is a tile's outputs after an exchange, from the chip or the copy.
type shown struct {
	uo, uio level
	enable  level // the lines of uio that a copy drives
	known   bool  // a chip was reset before
}

// unlike reports whether the copy shows a test another level than the chip's. Undriven lines of the copy's uio are
// ignored.
func (s shown) unlike(copy shown) bool {
	uio := copy.enable.level &^ copy.enable.unknown &^ copy.uio.unknown &^ s.uio.unknown
	return s.known && ((s.uo.level^copy.uo.level)&^copy.uo.unknown&^s.uo.unknown|(s.uio.level^copy.uio.level)&uio) != 0
}

// apply applies moves to the chip, with uio directions by the reference, and compares. Directions depend on the state,
// so before the bench drives a line that turns, the chip must not have differed.
func (b *Bench) apply(ctx context.Context, moves []gates.Move, seen []gates.Seen) ([]transport.Sample, error) {
	n := len(moves)
	steps, want, got := make([]transport.Step, n), make([]transport.Sample, n), make([]transport.Sample, n)
	for i, m := range moves {
		steps[i], want[i] = m.Step, seen[i].Sample
		steps[i].Drive = seen[i].Drive
		steps[i].IO &= steps[i].Drive
		steps[i].Reset = m.Reset || m.ResetX
	}
	for good := 0; good < n; {
		if b.First != nil {
			driver.Release(steps[good:], b.Tile.Turns())
		}
		done, err := transport.ApplyGuarded(ctx, b.Chip, steps[good:], got[good:],
			transport.Guard{Want: want[good:], At: driver.Takes(steps[good:], b.Tile.Turns())})
		if err != nil {
			return nil, err
		}
		b.Took = time.Since(b.began)
		for end := good + done; good < end; good++ {
			b.Exchanges++
			b.Clocks += int(moves[good].Clocks)
			b.withhold(moves[good].IO, moves[good].Drive&^steps[good].Drive)
			b.compare(steps[good], got[good], want[good])
		}
	}
	return got, nil
}

// withhold keeps on which lines of uio the test puts levels that do not reach the chip.
func (b *Bench) withhold(level, lines uint8) {
	b.high |= level & lines
	b.low |= ^level & lines
	b.Withheld = b.high & b.low
}

// compare keeps the first difference.
func (b *Bench) compare(s transport.Step, got, want transport.Sample) {
	if lines := got.Differ(want) & got.Vague(); b.Simulated && lines != 0 {
		if want.Forget(lines); transport.FourState(b.Chip) {
			b.Open++
		}
	}
	b.Evidence.Add([]transport.Step{s}, []transport.Sample{want})
	if b.First != nil || got.Differ(want) == 0 {
		return
	}
	out, io := got.Differ(want).Bytes()
	b.First = &Difference{b.Count, driver.Mismatch{Index: b.Exchanges - 1, Step: s, Got: got, Want: want,
		OutDiff: out, IODiff: io}}
}

// answer returns the shim's outputs: the chip's levels, and the reference's directions of uio.
func answer(got transport.Sample, seen *gates.Seen) string {
	return tile.Binary(got.Out, got.OutX) + " " + tile.Binary(got.IO, got.IOX) + " " +
		tile.Binary(seen.Enable, seen.EnableX) + "\n"
}
