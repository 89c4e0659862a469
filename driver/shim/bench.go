package shim

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/tile"
	"utfbench/tile/rtl"
	"utfbench/transport"
)

// A Bench answers shims. Fill in Chip and Tile, and call Serve.
type Bench struct {
	Chip transport.Transport
	Tile *rtl.Tile
	// Simulated is a simulation in place of a chip: what it does not know, as before its first reset, decides nothing
	Simulated bool

	Count
	First    *Difference   // nil if the chip did all that its Verilog does
	Took     time.Duration // from the first exchange to the last
	Compared int           // bits that the tile shows, and that both know
	Open     int           // exchanges at which a simulation in place of the chip shows X where a chip has a level
	// lines of uio that the test put both levels on, and the bench did not, since the tile may drive them
	Withheld uint8

	follower  *rtl.Follower
	began     time.Time
	high, low uint8 // levels that were withheld
}

// A Count is how much was asked.
type Count struct{ Simulations, Clocks, Exchanges int }

// A Difference is the first exchange at which the chip shows something else than its Verilog. Index is of the exchange
// in all simulations.
type Difference struct {
	Count // so far, with this one
	driver.Mismatch
}

// Serve answers until in ends, which is no error. One of the chip or of the reference ends it; so does a line that no
// shim writes.
func (b *Bench) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	defer func() {
		if b.follower != nil {
			b.follower.Close()
		}
	}()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		answer, err := b.line(ctx, lines.Text())
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, answer); err != nil {
			return fmt.Errorf("the simulation takes no answer: %w", err)
		}
	}
	return lines.Err()
}

// begins is how a shim of this version begins.
const begins = "begin-2 "

// line answers a line: "begin-2 TOP" with "begin" and its number, so that a simulation can tell what is left of one
// before from its own answers, or an exchange.
func (b *Bench) line(ctx context.Context, line string) (string, error) {
	if strings.HasPrefix(line, begins) {
		err := b.begin()
		return fmt.Sprintf("begin %d\n", b.Simulations), err
	}
	simulation, m, err := parse(line)
	switch {
	case err != nil:
		return "", err
	case b.follower == nil:
		return "", errors.New("a simulation asks before it began")
	case simulation != b.Simulations:
		return "", errors.New("two simulations at once ask one chip: let the test run them one after another")
	}
	return b.exchange(ctx, m)
}

// begin is a new simulation. The chip is still the same one, in the state in which the simulation before has left it,
// and so is the reference.
func (b *Bench) begin() (err error) {
	if b.Simulations++; b.follower == nil {
		b.follower, err = b.Tile.Follow()
	}
	return err
}

// exchange does a move on the reference, which says who drives uio, then on the chip.
func (b *Bench) exchange(ctx context.Context, m rtl.Move) (string, error) {
	seen, err := b.follower.Do(m)
	if err != nil {
		return "", err
	}
	s := [1]transport.Step{m.Step}
	if s[0].Drive = seen.Drive; b.First != nil {
		s[0].Drive &^= b.Tile.Turns() // nobody knows any more who drives them
	}
	s[0].IO &= s[0].Drive
	s[0].Reset = m.Reset || m.ResetX
	var got [1]transport.Sample
	if _, err := transport.Apply(ctx, b.Chip, s[:], got[:]); err != nil {
		return "", err
	}
	if b.Exchanges++; b.Exchanges == 1 {
		b.began = time.Now()
	}
	b.Took = time.Since(b.began)
	b.withhold(m.IO, m.Drive&^s[0].Drive)
	b.Clocks += int(m.Clocks)
	if err := b.compare(s[0], got[0], seen.Sample); err != nil {
		return "", err
	}
	return answer(got[0], &seen), nil
}

// withhold keeps on which lines of uio the test puts levels that do not reach the chip.
func (b *Bench) withhold(level, lines uint8) {
	b.high |= level & lines
	b.low |= ^level & lines
	b.Withheld = b.high & b.low
}

// compare keeps the first difference, which is looked at twice.
func (b *Bench) compare(s transport.Step, got, want transport.Sample) error {
	b.Compared += (^(want.Unknown() | got.Unknown() | transport.Outputs(s.Drive)<<8)).Count()
	if lines := got.Differ(want) & got.Unknown(); b.Simulated && lines != 0 {
		if want.Forget(lines); transport.FourState(b.Chip) {
			b.Open++
		}
	}
	if b.First != nil || got.Differ(want) == 0 {
		return nil
	}
	if err := b.follower.Doubt(&want); err != nil {
		return err
	}
	if lines := got.Differ(want); lines != 0 {
		out, io := lines.Bytes()
		b.First = &Difference{b.Count, driver.Mismatch{Index: b.Exchanges - 1, Step: s, Got: got,
			Want: want, OutDiff: out,
			IODiff: io}}
	}
	return nil
}

// answer is what the shim shows: the chip's levels, and the reference's word on which lines of uio are outputs.
func answer(got transport.Sample, seen *rtl.Seen) string {
	return tile.Binary(got.Out, got.OutX) + " " + tile.Binary(got.IO, got.IOX) + " " +
		tile.Binary(seen.Enable, seen.EnableX) + "\n"
}

// parse reads an exchange: "N C R UI UIO", the number of the simulation, and in binary digits, with x and z where there
// is no level, whether clk has risen, rst_n, and the two buses.
func parse(line string) (simulation int, m rtl.Move, err error) {
	number, rest, _ := strings.Cut(line, " ")
	if simulation, err = strconv.Atoi(number); err != nil {
		return 0, m, fmt.Errorf("the simulation says %.60q, which no shim does", line)
	}
	words := strings.Fields(rest)
	if len(words) != 4 || len(words[0]) != 1 || len(words[1]) != 1 || len(words[2]) != 8 || len(words[3]) != 8 {
		return 0, m, fmt.Errorf("the simulation says %.60q, which no shim does", line)
	}
	var bits [4]struct{ level, unknown uint8 }
	for i, word := range words {
		for _, c := range word {
			b := &bits[i]
			b.level, b.unknown = b.level<<1, b.unknown<<1
			switch c {
			case '0':
			case '1':
				b.level |= 1
			case 'x', 'X', 'z', 'Z':
				b.unknown |= 1
			default:
				return 0, m, fmt.Errorf("the simulation says %.60q, which no shim does", line)
			}
		}
	}
	m.Step = transport.Step{Clocks: bits[0].level, In: bits[2].level, IO: bits[3].level, Drive: ^bits[3].unknown,
		Reset: bits[1].level == 0}
	m.InX, m.ResetX = bits[2].unknown, bits[1].unknown != 0
	return simulation, m, nil
}
