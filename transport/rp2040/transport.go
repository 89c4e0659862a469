// Package rp2040 carries steps to a chip on a board with an RP2040 or RP2350 that runs MicroPython, as the Tiny Tapeout
// demo boards do. Nothing has to be installed on the board.
//
// It enters the raw REPL, sends program.py, and from then on both talk frames: see [frame]. The host decides where the
// registers and the pins are and sends both; the program knows neither. Bytes into the board are what costs (7.85 us
// each over USB, against 1.25 us out of it), so steps are coded so that a write costs about one byte and a read less.
//
// The strictest rule: an answer that is damaged, late or lost is an error and never a sample. After it the link is
// dead, and every further Apply returns the same error.
package rp2040

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"

	"utfbench/transport"
)

//go:embed program.py
var program []byte

// Config says how the chip is wired. All but Pins may stay zero.
type Config struct {
	Name string         // of the port, for messages
	Pins map[string]int // GPIO numbers by signal: clk, rst_n, ui0..ui7, uo0..uo7, uio0..uio7
	High []int          // pins of the board that have to be high meanwhile, such as a multiplexer's
	// what else is at pins of the board, which no trigger may have
	Taken map[int]string

	Patience time.Duration // for an answer; 0 means DefaultPatience
	Settle   time.Duration // how long changed levels are left, at least; 0 waits for nothing, as in gpio
	Pulse    time.Duration // how long each half of a clock pulse is, at least; 0 waits for nothing
}

// DefaultPatience is long against the 0.1 s that a board may take for the frames in flight, and short for a person.
const DefaultPatience = 3 * time.Second

func (c *Config) patience() time.Duration { return cmp.Or(c.Patience, DefaultPatience) }

// silence returns how long the host may be silent before the board assumes it dead. It grows with the host's patience.
func (t *Transport) silence() time.Duration { return t.link.slow(2 * time.Second) }

func (c *Config) settle() time.Duration { return c.Settle }
func (c *Config) pulse() time.Duration  { return c.Pulse }

// Transport is a board with the program running.
type Transport struct {
	name     string
	link     *link
	patience time.Duration
	board    hello
	plain    bool // the firmware has no viper
	left     Left
	knobs    []transport.Knob
	family   *family
	owner    map[int]string // what is at which pin
	pins     map[string]int // by signal
	bursts   *burster       // nil until they are asked for
	maker    *maker         // nil until cases are to be made
	done     func()         // it need not be parked after a crash any more

	pace          pace
	pulse, settle time.Duration // as they were last set

	mu     sync.Mutex
	seq    uint16 // of the next frame
	frames decoder
	codes  encoder
	packed unpacker
	guards *guarding
	dead   error
	closed bool
	used   time.Time // when something was last sent
}

var (
	_ transport.Transport = (*Transport)(nil)
	_ transport.Signer    = (*Transport)(nil)
)

// Open dials the board and starts the step program, asking nothing in between. It closes the port when it fails.
func Open(ctx context.Context, rwc io.ReadWriteCloser, c Config) (*Transport, error) {
	console, err := Dial(ctx, rwc, c.Name, c.patience())
	if err != nil {
		return nil, err
	}
	return console.Start(ctx, c, "")
}

// begin starts the program and tells it where things are.
func (t *Transport) begin(ctx context.Context, c *Config) error {
	viper := 1
	if t.plain {
		viper = 0
	}
	if err := t.link.start(ctx, checked(fmt.Sprintf("serve(%d, %d)", viper, t.silence().Milliseconds()))); err != nil {
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

// noViper matches errors of firmware without viper, or whose viper rejects the step loop.
var noViper = regexp.MustCompile("decorator|method too big|Viper")

// upload sends the program piece by piece, without viper where the firmware refuses it.
func (t *Transport) upload(ctx context.Context, c *Config) error {
	for _, piece := range pieces(wiring(c.Pins).fill(program)) {
		err := t.send(ctx, piece)
		var refused *execError
		if errors.As(err, &refused) && noViper.MatchString(refused.text) {
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

// setUp sends where things are, and parks.
func (t *Transport) setUp(ctx context.Context, c *Config) error {
	f, err := findFamily(t.board.machine)
	if err != nil {
		return err
	}
	t.family, t.pace, t.guards = f, newPace(f, &t.board), newGuarding(wiring(c.Pins))
	t.knobs, t.pulse, t.settle = newKnobs(t.pace, &t.board, c), c.pulse(), c.settle()
	l, err := newLayout(f, c, t.board.steps)
	if err != nil {
		return err
	}
	l.words[wordHigh] = t.pace.loops(t.pulse, t.pace.pulse)
	copy(l.words[wordSettle:], t.pace.settleLoops(t.settle))
	for _, p := range l.frames(t.board.payload) {
		if _, err := t.exchange(ctx, kindWords, p); err != nil {
			return err
		}
	}
	if _, err := t.exchange(ctx, kindPins, l.modes); err != nil {
		return err
	}
	var sample [1]transport.Sample
	_, err = t.batch(ctx, []transport.Step{transport.Park}, sample[:], nil)
	return err
}

func (t *Transport) String() string { return t.name }

// Left returns the state in which Close left the board.
func (t *Transport) Left() Left { return t.left }

// Apply sends the steps in several frames at a time.
func (t *Transport) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.apply(ctx, steps, samples, nil)
}

func (t *Transport) apply(ctx context.Context, steps []transport.Step, samples []transport.Sample, marks []mark) (int,
	error) {
	if err := t.usable(ctx); err != nil {
		return 0, err
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil {
		return 0, err
	}
	n, err := t.batch(ctx, steps, samples, marks)
	return n, t.bury(err)
}

// usable says why nothing can be applied.
func (t *Transport) usable(ctx context.Context) error {
	switch {
	case t.closed:
		return transport.ErrClosed
	case t.dead != nil:
		return t.dead
	}
	return ctx.Err()
}

// bury makes the first error the last word.
func (t *Transport) bury(err error) error {
	if err != nil {
		t.dead = fmt.Errorf("%s: %w", t.name, err)
	}
	return t.dead
}

// Close parks the chip, returns the board to its prompt and closes the port. Its error says that the chip may not be
// parked.
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
	if left != nil {
		t.left.Alone = t.silence() * 3 / 2 // its watch looks four times in a silence
		return fmt.Errorf("%s: the board did not say that it parked the chip (it does by itself after %v): %w", t.name,
			t.silence(), left)
	}
	return err
}

var _ transport.Meter = (*Transport)(nil)

// Traffic implements transport.Meter: bytes over the serial port, set-up included.
func (t *Transport) Traffic() (sent, received int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.link.sent, t.link.received
}
