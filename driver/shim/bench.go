package shim

import (
	"bufio"
	"cmp"
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
	moves     []rtl.Move // on which the simulation is ahead
	may       []uint8    // lines of uio that the tile drives before each, as the simulation has it
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

// end is the line with which a Test ends Serve, when all that simulations said is in the pipe.
const end = "end"

// Serve answers until in ends, which is no error. One of the chip or of the reference ends it; so does a line that no
// shim writes, unless it is the last one of a simulation, which may have been killed within it.
func (b *Bench) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	defer func() {
		if b.follower != nil {
			b.follower.Close()
		}
	}()
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
		case errors.As(err, new(oddLine)) && len(b.moves) > 0:
			odd = err
		case err != nil:
			return err
		}
		if _, err := io.WriteString(out, answer); err != nil {
			return fmt.Errorf("the simulation takes no answer: %w", err)
		}
	}
}

// An oddLine is what no shim of this version writes.
type oddLine string

func (l oddLine) Error() string {
	return fmt.Sprintf("the simulation says %.60q, which no shim does", string(l))
}

// begins is how a shim of this version begins.
const begins = "begin-3 "

// line answers a line:
//
//	begin-3 TOP         "begin" and its number, so that a simulation can tell what is left of one before from its own
//	N C R UI UIO        an exchange, by simulation N: see parse; the answer is what the shim has to show
//	N C R UI UIO OE     an exchange on which the simulation is ahead, and the lines of uio that the tile drives before
//	                    it; no answer
//	N look              "same", unless the chip has differed
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
		b.moves, b.may = append(b.moves, a.Move), append(b.may, a.may)
		return "", nil
	}
	err = b.follow(ctx)
	switch {
	case err != nil:
		return "", err
	case a.look && b.First != nil:
		return "other\n", nil
	case a.look:
		return "same\n", nil
	}
	return b.exchange(ctx, a.Move)
}

// begin is a new simulation. The chip is still the same one, in the state in which the simulation before has left it,
// and so is the reference.
func (b *Bench) begin(ctx context.Context) (err error) {
	if err = b.follow(ctx); err == nil && b.follower == nil {
		b.follower, err = b.Tile.Follow()
	}
	b.Simulations++
	return err
}

// exchange does a move, and gives the shim its answer.
func (b *Bench) exchange(ctx context.Context, m rtl.Move) (string, error) {
	seen, err := b.follower.Do(m)
	if err != nil {
		return "", err
	}
	got, err := b.apply(ctx, []rtl.Move{m}, []rtl.Seen{seen})
	if err != nil {
		return "", err
	}
	return answer(got[0], &seen), nil
}

// follow does the moves on which the simulation is ahead. After the last one the tile is taken to drive what it drove
// before that.
func (b *Bench) follow(ctx context.Context) error {
	n := len(b.moves)
	if n == 0 {
		return nil
	}
	seen := make([]rtl.Seen, n)
	err := b.follower.DoAll(b.moves, append(b.may, b.may[n-1]), seen)
	if err == nil {
		_, err = b.apply(ctx, b.moves, seen)
	}
	b.moves, b.may = b.moves[:0], b.may[:0]
	return err
}

// apply does moves on the chip, as the reference says who drives uio at each, and compares.
func (b *Bench) apply(ctx context.Context, moves []rtl.Move, seen []rtl.Seen) ([]transport.Sample, error) {
	if b.Exchanges == 0 {
		b.began = time.Now()
	}
	steps, want := make([]transport.Step, len(moves)), make([]transport.Sample, len(moves))
	for i, m := range moves {
		steps[i], want[i] = m.Step, seen[i].Sample
		steps[i].Drive = seen[i].Drive
		steps[i].IO &= steps[i].Drive
		steps[i].Reset = m.Reset || m.ResetX
	}
	got := make([]transport.Sample, len(moves))
	if err := driver.Apply(ctx, b.Chip, b.Tile.Turns(), steps, want, got, b.First != nil); err != nil {
		return nil, err
	}
	b.Took = time.Since(b.began)
	for i, m := range moves {
		b.Exchanges++
		b.Clocks += int(m.Clocks)
		b.withhold(m.IO, m.Drive&^steps[i].Drive)
		if err := b.compare(steps[i], got[i], want[i]); err != nil {
			return nil, err
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
	if err := b.follower.Doubt(b.Exchanges, &want); err != nil {
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

// An asked line is an exchange, or look.
type asked struct {
	rtl.Move
	simulation  int
	ahead, look bool
	may         uint8 // lines of uio that the tile may drive, if the simulation is ahead
}

// parse reads a line: the number of the simulation, and in binary digits, with x and z where there is no level, whether
// clk has risen, rst_n, and the buses.
func parse(line string) (a asked, err error) {
	number, rest, _ := strings.Cut(line, " ")
	if a.simulation, err = strconv.Atoi(number); err != nil {
		return a, oddLine(line)
	}
	words := strings.Fields(rest)
	if a.look = rest == "look"; a.look {
		return a, nil
	}
	if len(words) < 4 || len(words) > 5 {
		return a, oddLine(line)
	}
	var bits [5]level
	for i, word := range words {
		size := 8
		if i < 2 {
			size = 1
		}
		var ok bool
		if bits[i], ok = levels(word, size); !ok {
			return a, oddLine(line)
		}
	}
	a.Step = transport.Step{Clocks: bits[0].level, In: bits[2].level, IO: bits[3].level, Drive: ^bits[3].unknown,
		Reset: bits[1].level == 0}
	a.InX, a.ResetX = bits[2].unknown, bits[1].unknown != 0
	a.ahead, a.may = len(words) == 5, bits[4].level|bits[4].unknown
	return a, nil
}

// A level is that of up to 8 lines.
type level struct{ level, unknown uint8 }

func levels(word string, size int) (l level, ok bool) {
	if len(word) != size {
		return l, false
	}
	for _, c := range word {
		l.level, l.unknown = l.level<<1, l.unknown<<1
		switch c {
		case '0':
		case '1':
			l.level |= 1
		case 'x', 'X', 'z', 'Z':
			l.unknown |= 1
		default:
			return l, false
		}
	}
	return l, true
}
