// Package rp2040 applies steps to a chip on a board with an RP2040 or RP2350 that runs MicroPython, such as the Tiny
// Tapeout demo boards. Nothing has to be installed on the board.
//
// It enters the raw REPL and sends program.py, into which it writes the pins that are read; then both sides exchange
// frames: see [frame]. Frames carry the addresses of registers and the other pins. Bytes to the board are the
// bottleneck (7.85 us each over USB, against 1.25 us from it). So the step encoding takes about one byte for a write
// and less for a read.
//
// A damaged, late or lost answer is always an error and never becomes a sample. The link is then dead, and every
// further Apply returns the same error.
package rp2040

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"utfbench/internal/printable"
	"utfbench/transport"
)

//go:embed program.py
var program []byte

// Config specifies the chip's wiring. Only Pins is required.
type Config struct {
	Pins     map[string]int // GPIO numbers by signal: clk, rst_n, ui0..ui7, uo0..uo7, uio0..uio7
	HighPins []int          // pins of the board to hold high, such as a multiplexer's

	Patience time.Duration // timeout of an answer; 0 for DefaultPatience
	Settle   time.Duration // minimum time for levels to settle; 0 for no wait, as in gpio
	Pulse    time.Duration // minimum time of each half of a clock pulse; 0 for no wait
}

// DefaultPatience is long compared with the 0.1 s that a board may take for the frames in flight, but short for a user.
const DefaultPatience = 3 * time.Second

func (c *Config) patience() time.Duration { return cmp.Or(c.Patience, DefaultPatience) }

// A Transport is a board that runs the program.
type Transport struct {
	name     string
	link     *link
	patience time.Duration // timeout of an answer
	silence  time.Duration // time without frames after which the board assumes a dead host
	board    hello
	plain    bool // the firmware has no viper
	left     BoardState
	knobs    []transport.Knob
	family   *family
	pins     map[string]int // by signal
	bursts   *burster       // nil until first used
	done     func()         // cancels the parking after a panic

	pace          pace
	pulse, settle time.Duration // as last set

	mu     sync.Mutex
	seq    uint16 // of the next frame
	frames decoder
	codes  encoder
	packed unpacker
	dead   error
	closed bool
	parked bool      // the board's program has parked the chip and given up
	used   time.Time // time of the last frame sent
}

var (
	_ transport.Transport = (*Transport)(nil)
	_ transport.Signer    = (*Transport)(nil)
)

func (t *Transport) begin(ctx context.Context, c *Config) error {
	viper := 1
	if t.plain {
		viper = 0
	}
	l := t.link
	t.patience = max(c.patience(), time.Duration(float64(DefaultPatience)*float64(l.latency)/float64(TypicalLatency)))
	t.silence = l.slow(2 * time.Second)
	if err := l.start(ctx, checked(fmt.Sprintf("serve(%d, %d)", viper, t.silence.Milliseconds()))); err != nil {
		return err
	}
	f, err := t.receive(ctx)
	if err != nil {
		return err
	}
	if t.board, err = parseHello(f); err != nil {
		return err
	}
	return t.setUp(ctx, c)
}

const decorator = "@micropython.viper\n"

// noViper matches errors of firmware that lacks viper, or has a viper that rejects the step loop.
var noViper = printable.LazyRegexp("decorator|method too big|Viper")

// upload sends the program piece by piece, without viper if the firmware rejects it.
func (t *Transport) upload(ctx context.Context, c *Config) error {
	for _, piece := range pieces(wiring(c.Pins).fill(program)) {
		err := t.send(ctx, piece)
		if refused, is := errors.AsType[*execError](err); is && noViper().MatchString(refused.text) {
			t.plain = true
			err = t.send(ctx, piece)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *Transport) send(ctx context.Context, piece string) error {
	if t.plain {
		piece = strings.ReplaceAll(piece, decorator, "")
	}
	_, err := t.link.do(ctx, piece)
	return err
}

func (t *Transport) setUp(ctx context.Context, c *Config) error {
	f, err := findFamily(t.board.machine)
	if err != nil {
		return err
	}
	t.family, t.pace = f, newPace(f, &t.board)
	t.knobs, t.pulse, t.settle = newKnobs(t.pace, &t.board, c), c.Pulse, c.Settle
	l, err := newLayout(f, c, t.board.steps)
	if err != nil {
		return err
	}
	l.words[wordHigh] = t.pace.loops(t.pulse, t.pace.pulse)
	l.words[wordSettle] = t.pace.loops(t.settle, t.pace.settle)
	if err := t.sendWords(ctx, kindWords, l.used()); err != nil {
		return err
	}
	if _, err := t.exchange(ctx, kindPins, l.modes); err != nil {
		return err
	}
	var sample [1]transport.Sample
	_, err = t.batch(ctx, []transport.Step{transport.ParkStep}, sample[:])
	return err
}

func (t *Transport) String() string { return t.name }

// BoardState returns the state in which Close left the board.
func (t *Transport) BoardState() BoardState { return t.left }

// Apply sends the steps with several frames in flight.
func (t *Transport) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.apply(ctx, steps, samples)
}

func (t *Transport) apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if err := t.usable(ctx); err != nil {
		return 0, err
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil {
		return 0, err
	}
	if err := transport.RejectLinger(steps); err != nil {
		return 0, err
	}
	n, err := t.batch(ctx, steps, samples)
	return n, t.bury(err)
}

// usable returns the reason why no step can be applied, or nil.
func (t *Transport) usable(ctx context.Context) error {
	switch {
	case t.closed:
		return transport.ErrClosed
	case t.dead != nil:
		return t.dead
	}
	return ctx.Err()
}

func (t *Transport) bury(err error) error {
	if err != nil {
		t.dead = fmt.Errorf("%s: %w", t.name, err)
	}
	return t.dead
}

// Close parks the chip, restores the prompt and closes the port. After an error the chip might not be parked.
func (t *Transport) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	t.closed = true
	defer t.done()
	ctx, cancel := context.WithTimeout(context.Background(), t.patience)
	defer cancel()
	left := t.quit(ctx)
	err := t.link.close()
	switch {
	case left != nil && t.parked:
		return fmt.Errorf("%s: the board parked the chip and gave up: %w", t.name, left)
	case left != nil:
		t.left.ParksAfter = t.silence * 3 / 2 // the board's watchdog checks four times per silence
		return fmt.Errorf("%s: the board did not say that it parked the chip (it does by itself after %v): %w", t.name,
			t.left.ParksAfter.Round(time.Millisecond), left)
	}
	return err
}
