package rp2040

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"utfbench/internal/printable"
	"utfbench/transport"
	"utfbench/transport/burst"
)

// # Frames of bursts
//
//	A  how many operations there will be, 2, how many DMA channels, how many blocks of the PIO, the register of
//	   enabled machines of each block, 4 each, and those that are to be put back. The answer is 0, for how many
//	   periods there is room, for how many where no direction changes, the address of the lists and how far they are
//	   from each other, the address of what is found, bytes of memory that are left, the system clock in hertz, 4
//	   each, and the DMA channels; or 1 and why there are no bursts
//	O  an index, 2, then words of the operations
//	L  1 for the first of a burst, 2 where no direction changes in it, then step codes; the answer is how many
//	   periods there are now, 4
//	B  how many operations to do, 2, the system clock for them in hertz, 4, or 0 to leave it, then index, 2, and word,
//	   4, of what is otherwise in them; the answer is FDEBUG and the channels of DMA that have ended, see
//	   ensemble.go
//	R  so many steps, 2; the answer is their samples, packed as those of steps that drive nothing
//
//go:embed burst.py
var burstProgram []byte

// Words of the program's table. burst.py has the same numbers.
const (
	wordOE   = 40 // registers of bank 0 and bank 1, then bits of a period's word: clk, rst_n, uo, uio
	wordRest = 46
)

var _ transport.Burster = (*Transport)(nil)

// A burster is what a board has for bursts.
type burster struct {
	ensemble
	periods int // that there is room for
	plain   int // where no direction changes
	free    int // bytes that are left on the board
	score   *score
	at      transport.Timing // of the score
	clock   int              // hertz
	clocks  []int
}

// Grid implements transport.Burster. The first call sends the board the program of bursts.
func (t *Transport) Grid() (transport.Grid, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.usable(context.Background()); err != nil {
		return transport.Grid{}, err
	}
	if t.bursts == nil {
		var err error
		if t.bursts, err = t.beginBursts(context.Background()); err != nil {
			return transport.Grid{}, err
		}
	}
	return t.bursts.grid(), nil
}

func (b *burster) grid() transport.Grid {
	g := transport.Grid{Clock: b.clock, High: highTicks, Gap: b.gap()}
	g.LeastPeriod, g.MostPeriod, g.MostSample = g.Time(g.High+g.Gap+1), g.Time(mostPeriod), g.Time(mostSample)
	g.Steps, g.Periods, g.PlainPeriods = b.plain, b.periods, b.plain
	g.StillPeriod, g.Clocks = g.Time(leastStill), b.clocks
	return g
}

// System clocks of an RP2040 for a burst, in MHz. It is made for the most, and its PLL makes each whole MHz up to it,
// of 12 MHz times as many by 12 (RP2040 datasheet, 2.15 and 2.18). From the least on two ticks of one are no more than
// a tick of another, so that from 7.5 ns on there is one for each time.
const (
	leastClock = 64
	mostClock  = 133
)

// otherClocks are those besides its own, the next one first. An RP2350 has its own alone: nobody has seen it change.
func (f *family) otherClocks(own int) (all []int) {
	if f.name != "RP2040" {
		return nil
	}
	for mhz := leastClock; mhz <= mostClock; mhz++ {
		if hz := mhz * 1_000_000; hz != own {
			all = append(all, hz)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(max(a-own, own-a), max(b-own, own-b)) })
	return all
}

func (b *burster) ticks(at transport.Timing) ticks {
	g := b.grid().On(at.Clock)
	t := ticks{g.Ticks(at.Period), g.Gap, g.Ticks(at.Lead), g.Ticks(at.Sample)}
	if g.Still(at) {
		t.gap = 0
	}
	return t
}

// noBursts is the error of a board that can play none, whatever is done: it is burst.ErrNone.
type noBursts struct{ error }

func (noBursts) Is(target error) bool { return target == burst.ErrNone }

func (e noBursts) Unwrap() error { return e.error }

// beginBursts sends what the board needs. What it has not is an error, and none of the link.
func (t *Transport) beginBursts(ctx context.Context) (*burster, error) {
	if !t.board.viper {
		return nil, noBursts{errors.New("its firmware has no viper, without which bursts cannot be prepared")}
	}
	w, err := newWindow(t.family, t.pins)
	if err != nil {
		return nil, noBursts{err}
	}
	if why, err := t.add(ctx, w.fill(burstProgram, t.pins)); err != nil || why != "" {
		return nil, cmp.Or(t.bury(err), fmt.Errorf("the board does not take the program of bursts: %s", why))
	}
	e := ensemble{family: t.family, window: w, pins: t.pins}
	f, err := t.exchange(ctx, kindBegin, e.request())
	if err != nil {
		return nil, t.bury(err)
	}
	b, err := e.newBurster(f.payload)
	if err != nil {
		return nil, err
	}
	banks := t.family.banks
	_, err = t.exchange(ctx, kindWords, words(wordOE, banks[0].oe, banks[1].oe, w.bit("clk"), w.bit("rst_n"),
		w.bits.mask(transport.UO), w.bits.mask(transport.UIO)))
	return b, t.bury(err)
}

// request is what kindBegin carries.
func (e *ensemble) request() []byte {
	blocks := e.blocks()
	request := binary.LittleEndian.AppendUint16(nil, mostOperations)
	request = append(request, byte(e.wants()), byte(len(blocks)))
	for _, b := range blocks {
		request = binary.LittleEndian.AppendUint32(request, b.at(pioCtrl))
	}
	for _, r := range e.borrowed() {
		request = binary.LittleEndian.AppendUint32(request, r)
	}
	return request
}

// add adds more to the program that runs on the board, or says why the board does not take it.
func (t *Transport) add(ctx context.Context, more []byte) (why string, err error) {
	for _, piece := range morePieces(more) {
		if why, err = t.sendCode(ctx, piece); why != "" || err != nil {
			break
		}
	}
	return why, err
}

// morePieces are those of a program that has the constants of program.py.
func morePieces(more []byte) []string {
	own := len(pieces(program))
	return pieces(append(program[:len(program):len(program)], more...))[own:]
}

func (t *Transport) sendCode(ctx context.Context, text string) (why string, err error) {
	for text != "" && why == "" {
		part := text[:min(len(text), t.board.payload-1)]
		text = text[len(part):]
		last := byte(0)
		if text == "" {
			last = 1
		}
		f, err := t.exchange(ctx, kindCode, append([]byte{last}, part...))
		if err != nil {
			return "", err
		}
		why = printable.Text(string(f.payload))
	}
	return why, nil
}

const (
	helloBytes   = 1 + 4*7 // and the channels
	leastPeriods = 255 + 2 // clocks of a step and rests
)

// newBurster reads the answer to kindBegin.
func (e ensemble) newBurster(answer []byte) (*burster, error) {
	if len(answer) == 0 || answer[0] != 0 {
		return nil, fmt.Errorf("the board plays no bursts: %s", printable.Text(string(answer[min(1, len(answer)):])))
	}
	if due := helloBytes + e.wants(); len(answer) != due {
		return nil, fmt.Errorf("the board answered %d bytes about bursts, and %d were due", len(answer), due)
	}
	word := func(i int) int { return int(int32(binary.LittleEndian.Uint32(answer[1+4*i:]))) } // less than none: -1
	b := &burster{periods: word(0), plain: word(1), free: word(5), clock: word(6),
		clocks: e.family.otherClocks(word(6))}
	if b.periods < leastPeriods {
		return nil, fmt.Errorf("the board has memory for bursts of %d periods, and a step alone may have %d", b.periods,
			leastPeriods)
	}
	e.lists, e.distance, e.found, e.channels = uint32(word(2)), uint32(word(3)), uint32(word(4)), answer[helloBytes:]
	b.ensemble = e
	return b, nil
}

// Burst implements transport.Burster. A step has to fit, with its clocks, into what the grid says.
func (t *Transport) Burst(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	at transport.Timing) error {
	if _, err := t.Grid(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.usable(ctx); err != nil {
		return err
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil || len(steps) == 0 {
		return err
	}
	if t.bursts.grid().Still(at) {
		if err := t.still(steps); err != nil {
			return err
		}
	}
	plain := t.bursts.isPlain(steps, at)
	if plain {
		if err := t.turn(ctx, steps[0]); err != nil {
			return err
		}
	}
	if err := t.prepare(ctx, at); err != nil {
		return t.bury(err)
	}
	periods, err := t.load(ctx, steps, plain)
	if err != nil {
		return t.bury(err)
	}
	whole, err := t.playLoaded(ctx, periods, steps[len(steps)-1].Reset)
	if err != nil {
		return t.bury(err)
	}
	if !whole {
		return fmt.Errorf("%s: the burst did not run evenly at a period of %v, since the microcontroller's memory had "+
			"other work, and it is void: ask for a longer period", t.name, at.Period)
	}
	return t.bury(t.taken(ctx, samples))
}

// still says where rst_n or a direction of uio changes.
func (t *Transport) still(steps []transport.Step) error {
	first := steps[0]
	for i, s := range steps {
		if s.Drive != first.Drive || s.Reset != first.Reset {
			return fmt.Errorf("%s: rst_n or a direction of uio changes in step %d of a burst that is too fast for that",
				t.name, i)
		}
	}
	return nil
}

// isPlain says whether a burst is played without directions: they do not change in it, and there is no room for them,
// or no time, as in all that are still.
func (b *burster) isPlain(steps []transport.Step, at transport.Timing) bool {
	periods := 0
	for _, s := range steps {
		if s.Drive != steps[0].Drive {
			return false
		}
		periods += at.Periods(s, s.Drive)
	}
	return periods+at.Rest() > b.periods || b.grid().Still(at)
}

// turn sets rst_n and the directions of uio to what they are in a step, with clk at rest.
func (t *Transport) turn(ctx context.Context, s transport.Step) error {
	s.Clocks = 0
	_, err := t.apply(ctx, []transport.Step{s}, make([]transport.Sample, 1), nil)
	return err
}

// prepare sends the operations of a timing, unless the board has them.
func (t *Transport) prepare(ctx context.Context, at transport.Timing) error {
	b := t.bursts
	if b.score != nil && b.at == at {
		return nil
	}
	s, err := b.ensemble.score(b.ticks(at))
	if err != nil {
		return err
	}
	var all []uint32
	for _, o := range s.ops {
		all = append(all, o[:]...)
	}
	per := (t.board.payload - 2) / 4
	for i := 0; i < len(all); i += per {
		if _, err := t.exchange(ctx, kindOps, words(i, all[i:min(i+per, len(all))]...)); err != nil {
			return err
		}
	}
	if _, err := t.exchange(ctx, kindWords, words(wordRest, uint32(at.Rest()))); err != nil {
		return err
	}
	b.score, b.at = s, at
	return nil
}

// load has the board prepare steps, and says how many periods they take.
func (t *Transport) load(ctx context.Context, steps []transport.Step, plain bool) (periods int, err error) {
	var flying []uint16
	settle := func(most int) error {
		for len(flying) > most {
			f, err := t.answer(ctx, kindLoad, flying[0])
			if err == nil && len(f.payload) != 4 {
				err = fmt.Errorf("the board answered %d bytes to steps of a burst, and 4 were due", len(f.payload))
			}
			if err != nil {
				return err
			}
			periods, flying = int(binary.LittleEndian.Uint32(f.payload)), flying[1:]
		}
		return nil
	}
	for sent := 0; sent < len(steps); {
		first := byte(0)
		switch {
		case sent > 0:
		case plain:
			first = 2
		default:
			first = 1
		}
		codes, n := t.codes.encode([]byte{first}, steps[sent:], t.board.payload-1, len(steps)-sent)
		seq, err := t.post(kindLoad, codes)
		if err != nil {
			return 0, err
		}
		flying = append(flying, seq)
		if sent += n; len(flying) >= t.board.inFlight {
			if err := settle(len(flying) - 1); err != nil {
				return 0, err
			}
		}
	}
	return periods, settle(0)
}

// playLoaded plays what is loaded.
func (t *Transport) playLoaded(ctx context.Context, periods int, reset bool) (whole bool, err error) {
	b := t.bursts
	release := uint32(0)
	if !reset {
		release = 1 << (b.pins["rst_n"] % bankPins)
	}
	const cyclesOfALook = 4 // at least
	ticks := b.ticks(b.at).period*periods + 2*mostSample
	request := binary.LittleEndian.AppendUint16(nil, uint16(len(b.score.ops)))
	request = binary.LittleEndian.AppendUint32(request, uint32(b.at.Clock))
	for _, other := range []struct {
		op, word int
		value    uint32
	}{{b.score.looks, 2, uint32(ticks/cyclesOfALook + 1000)}, {b.score.rst, 1, release}} {
		request = binary.LittleEndian.AppendUint16(request, uint16(3*other.op+other.word))
		request = binary.LittleEndian.AppendUint32(request, other.value)
	}
	f, err := t.exchange(ctx, kindBurst, request)
	if due := 4 * foundWords; err == nil && len(f.payload) != due {
		err = fmt.Errorf("the board answered %d bytes to a burst, and %d were due", len(f.payload), due)
	}
	return err == nil && b.whole(f.payload), err
}

// taken fetches the samples of a burst.
func (t *Transport) taken(ctx context.Context, samples []transport.Sample) error {
	var flying []flight
	released := make([]transport.Step, min(len(samples), t.board.steps))
	var packed unpacker
	for sent, good := 0, 0; good < len(samples); {
		for sent < len(samples) && len(flying) < t.board.inFlight {
			n := min(len(samples)-sent, t.board.steps)
			seq, err := t.post(kindTaken, binary.LittleEndian.AppendUint16(nil, uint16(n)))
			if err != nil {
				return err
			}
			flying = append(flying, flight{seq, n})
			sent += n
		}
		f, err := t.answer(ctx, kindTaken, flying[0].seq)
		if err != nil {
			return err
		}
		end := good + flying[0].steps
		if err := packed.unpack(f.payload, released[:flying[0].steps], samples[good:end]); err != nil {
			return err
		}
		good, flying = end, flying[1:]
	}
	return nil
}
