package rp2040

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"utfbench/internal/crash"
	"utfbench/transport"
)

//go:embed console.py
var questions []byte

// A Console is a board at its raw REPL, before the step program runs: it answers questions, selects the design and
// reads the chip's ROM. [Console.Start] turns it into a Transport; otherwise Close it.
type Console struct {
	name  string
	link  *link
	state consoleState
	left  Left
}

// A consoleState is how much of the bench's program the board holds.
type consoleState int

const (
	bare   consoleState = iota // nothing
	loaded                     // loader.py
	asked                      // and console.py
)

// Facts describe a board, in its own words.
type Facts struct {
	Machine   string   `json:"machine"`   // as in "Raspberry Pi Pico with RP2040"
	Firmware  string   `json:"firmware"`  // MicroPython's version
	Hertz     int      `json:"hertz"`     // of the microcontroller
	Celsius   *float64 `json:"celsius"`   // of the microcontroller, by its own sensor; nil where it cannot be read
	ID        string   `json:"id"`        // of the microcontroller's flash, in hex
	Free      int      `json:"free"`      // bytes of its memory, after a collection
	Installed bool     `json:"installed"` // Tiny Tapeout's SDK is on the board
	Started   bool     `json:"tt"`        // and its tt is there
	Kept      string   `json:"kept"`      // what the bench before wrote down with Keep; may be empty
	SDK       *SDK     `json:"sdk,omitempty"`
}

// Temperature returns the temperature in Celsius if it is plausible for a microcontroller. The sensor is some degrees
// off, and arbitrary without an ADC reference.
func (f *Facts) Temperature() (celsius float64, known bool) {
	if f.Celsius == nil || *f.Celsius < -40 || *f.Celsius > 125 {
		return 0, false
	}
	return *f.Celsius, true
}

// An SDK describes Tiny Tapeout's software on the board. Generations differ: a zero value is unknown.
type SDK struct {
	Version string `json:"version"`
	PCB     int    `json:"pcb"`     // the kind of demo board that it found; 0 when it did not look
	Carrier string `json:"carrier"` // the same in words: "TT04/TT05", "TT06+", "TTDBv3"
	Present *bool  `json:"present"` // a chip carrier is on the board; null when it is not known
	Kind    *int   `json:"kind"`    // of carrier, SDK 3 only: 1 a chip, 2 the FPGA breakout, 0 none
	ROM
	Read   bool   `json:"read"`   // the ROM's word is the chip's: it names a repository
	Design string `json:"design"` // that is selected
	Number int    `json:"number"`
	Clock  int    `json:"clock"` // that it makes for the project, in Hz
}

// A ROM is the contents of the chip's ROM.
type ROM struct {
	Shuttle string `json:"shuttle"`
	Repo    string `json:"repo,omitempty"`
	Commit  string `json:"commit,omitempty"`
}

// A Mux is the shuttle's control lines as GPIO numbers. Select is -1 where the board has no multiplexer of its own.
type Mux struct{ NRst, Inc, Ena, Select int }

// A Design is one project on a chip.
type Design struct {
	Name   string `json:"name"`
	Number int    `json:"number"`
}

// A Known is a design in the SDK's index. Danger is 0 for a safe one, and when the SDK has no levels.
type Known struct{ Number, Danger int }

// Dial takes over the port and enters the raw REPL, after any start in progress has ended. It closes the port on
// failure. Patience is that of Config; all waits grow with it.
func Dial(ctx context.Context, rwc io.ReadWriteCloser, name string, patience time.Duration) (*Console, error) {
	c := &Console{name: name, link: newLink(rwc)}
	c.link.patient = max(1, float64(patience)/float64(DefaultPatience))
	if err := c.link.enterRaw(ctx); err != nil {
		if ctx.Err() != nil {
			c.Close()
		} else {
			c.link.close()
		}
		return nil, c.wrap(err)
	}
	return c, nil
}

func (c *Console) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("rp2040:%s: %w", c.name, err)
}

// Close gives the prompt back, whatever was under way, and closes the port. After Start it does nothing.
func (c *Console) Close() error {
	if c.link == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.link.slow(2*replPatience))
	defer cancel()
	err := errors.Join(c.link.recover(ctx), c.link.close())
	c.link = nil
	return c.wrap(err)
}

// Patience for an answer. The mux takes 2 ms for each of up to 1,023 designs, and the SDK's index is read from flash.
const askPatience = 15 * time.Second

// ask calls one of console.py's functions, which the board takes first.
func (c *Console) ask(ctx context.Context, answer any, function string, args ...any) error {
	return c.wrap(c.tryAsk(ctx, answer, function, args...))
}

func (c *Console) tryAsk(ctx context.Context, answer any, function string, args ...any) error {
	if err := c.prepare(ctx, asked); err != nil {
		return err
	}
	return c.link.ask(ctx, answer, function+"("+literals(args)+")")
}

// prepare sends the missing parts of the program.
func (c *Console) prepare(ctx context.Context, want consoleState) error {
	if c.state == bare {
		if err := c.link.load(ctx); err != nil {
			return err
		}
		c.state = loaded
	}
	if c.state == want {
		return nil
	}
	for _, piece := range pieces(questions) {
		if _, err := c.link.do(ctx, piece); err != nil {
			return err
		}
	}
	c.state = asked
	return nil
}

// literals writes arguments as Python does.
func literals(args []any) string {
	texts := make([]string, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case bool:
			texts[i] = map[bool]string{true: "True", false: "False"}[a]
		case string:
			texts[i] = quote(a)
		default: // a number, or a list of them, which JSON writes alike
			b, err := json.Marshal(a)
			if err != nil {
				panic(err) // a mistake in this file
			}
			texts[i] = string(b)
		}
	}
	return strings.Join(texts, ", ")
}

// Facts queries the board, and the SDK if it has started. It touches no pin.
func (c *Console) Facts(ctx context.Context) (*Facts, error) {
	var f Facts
	if err := c.ask(ctx, &f, "facts"); err != nil {
		return nil, err
	}
	c.left = Left{Installed: f.Installed, Started: f.Started}
	if !f.Started {
		return &f, nil
	}
	f.SDK = &SDK{}
	return &f, c.ask(ctx, f.SDK, "sdk")
}

// Reboot runs main.py as at power-up, which starts the SDK, selects its default design and clocks that.
func (c *Console) Reboot(ctx context.Context) error {
	c.state = bare
	err := c.link.reboot(ctx)
	if err == nil {
		err = c.link.tryRaw(ctx, interrupt, 3)
	}
	return c.wrap(err)
}

// Known looks a design up in the SDK's index; nil if it is missing.
func (c *Console) Known(ctx context.Context, name string) (k *Known, err error) {
	return k, c.ask(ctx, &k, "known", name)
}

// Designs lists names of the SDK's index, some dozens at most.
func (c *Console) Designs(ctx context.Context) (names []string, err error) {
	return names, c.ask(ctx, &names, "designs", 40)
}

// Enable selects a design of the SDK's index; force allows an unsafe one. It returns the selected design, which is
// another one, or nil, if the SDK refused.
func (c *Console) Enable(ctx context.Context, name string, force bool) (now *Design, err error) {
	return now, c.ask(ctx, &now, "enable", name, force)
}

// ClockMux selects a number through the SDK, which knows the board's wiring and needs no index for it.
func (c *Console) ClockMux(ctx context.Context, number int) error {
	var done bool
	return c.ask(ctx, &done, "clock_mux", number)
}

// StopClock stops the clock that the SDK makes, and returns the microcontroller's frequency in Hz.
func (c *Console) StopClock(ctx context.Context) (hertz int, err error) {
	return hertz, c.ask(ctx, &hertz, "stop_clock")
}

// Select selects a design by pulses on the shuttle's mux, which gives no confirmation.
func (c *Console) Select(ctx context.Context, m Mux, pins map[string]int, number int) error {
	quiet := append(busPins(pins, transport.UIO), busPins(pins, transport.UO)...)
	var done bool
	return c.ask(ctx, &done, "mux", m.NRst, m.Inc, m.Ena, m.Select, quiet, number)
}

// ReadROM selects the chip's ROM by the mux and returns its bytes at ROMAddresses. Another design has to be selected
// afterwards.
func (c *Console) ReadROM(ctx context.Context, m Mux, pins map[string]int) (read []byte, err error) {
	if err := c.Select(ctx, m, pins, 0); err != nil {
		return nil, err
	}
	addresses := ROMAddresses()
	var levels []int
	if err := c.ask(ctx, &levels, "rom", busPins(pins, transport.UI), busPins(pins, transport.UO),
		addresses); err != nil {
		return nil, err
	}
	for _, level := range levels {
		read = append(read, byte(level))
	}
	if len(read) != len(addresses) {
		return nil, c.wrap(fmt.Errorf("the board read %d bytes of the chip's ROM, not %d", len(read),
			len(addresses)))
	}
	return read, nil
}

// ROMAddresses lists the addresses to read in the chip's ROM: its two marks, then its text.
func ROMAddresses() []int {
	all := []int{0, 129}
	for i := 32; i < 128; i++ {
		all = append(all, i)
	}
	return all
}

// ParseROM parses the bytes at ROMAddresses; nil if the marks of a ROM are missing.
func ParseROM(read []byte) *ROM {
	if read[0] != 0x78 || read[1] != 0 {
		return nil
	}
	text, _, _ := strings.Cut(string(read[2:]), "\x00")
	return ROMOf(text)
}

// ROMOf reads the text of a ROM: words of KEY=VALUE, one a line.
func ROMOf(text string) *ROM {
	var r ROM
	fields := map[string]*string{"shuttle": &r.Shuttle, "repo": &r.Repo, "commit": &r.Commit}
	for line := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(line, "=")
		if f := fields[key]; f != nil {
			*f = value
		}
	}
	return &r
}

// Held lists bits of ui that something else holds. High and Low keep their level against the bench, as an output does.
// Loose are high when released, as with a DIP switch; Moving change when released, which no switch does. Pairs keep the
// bench's level only together: they are shorted.
type Held struct {
	Loose  []int    `json:"loose"`
	High   []int    `json:"high"`
	Low    []int    `json:"low"`
	Moving []int    `json:"moving"`
	Pairs  [][2]int `json:"pairs"`
}

// Held looks for what else holds lines of ui. Afterwards the bench drives none of them. No internal pull is used
// (erratum RP2350-E9).
func (c *Console) Held(ctx context.Context, pins map[string]int) (h Held, err error) {
	return h, c.ask(ctx, &h, "held", busPins(pins, transport.UI))
}

// Release makes every pin an input, for a board whose pins are unknown.
func (c *Console) Release(ctx context.Context) error {
	var done bool
	return c.ask(ctx, &done, "release")
}

// Keep stores a text in the board's memory for the next bench, until the board restarts.
func (c *Console) Keep(ctx context.Context, text string) error {
	var done bool
	return c.ask(ctx, &done, "keep", text)
}

func busPins(pins map[string]int, bus int) []int {
	list := make([]int, 8)
	for i := range list {
		list[i] = pins[transport.Lines[bus+i]]
	}
	return list
}

// Start sends the step program and leaves the chip parked. The port is the Transport's, or closed when Start fails.
//
// The program runs beside the SDK where the board's memory has room for both. Where it has not, the memory is cleared
// first, and with it the SDK's tt; keep is then written down as by Keep.
func (c *Console) Start(ctx context.Context, config Config, keep string) (*Transport, error) {
	t := &Transport{name: "rp2040:" + c.name, link: c.link, patience: config.patience(), pins: config.Pins}
	owner, err := owners(&config)
	if err == nil {
		t.owner = config.besides(owner)
		err = c.start(ctx, t, &config)
	}
	if errors.Is(err, errMemory) {
		had := c.left.Started
		if err = c.clear(ctx, keep); err == nil {
			err = c.start(ctx, t, &config)
		}
		if err != nil && had {
			err = fmt.Errorf("%w; the board's memory was cleared, and tt is gone until main.py runs again: bench safe "+
				"--reboot", err)
		}
	}
	if err != nil {
		c.Close()
		return nil, c.wrap(err)
	}
	c.link, t.left = nil, c.left
	t.done = crash.Keep(t.Close)
	crash.Go(t.keepAlive)
	return t, nil
}

// start forgets the questions, which have had their turn, and runs the step program.
func (c *Console) start(ctx context.Context, t *Transport, config *Config) error {
	if err := c.forget(ctx); err != nil {
		return err
	}
	if err := c.prepare(ctx, loaded); err != nil {
		return err
	}
	if err := t.upload(ctx, config); err != nil {
		return err
	}
	if err := t.begin(ctx, config); err != nil {
		return err
	}
	return ctx.Err() // an interrupt at the last byte counts as well
}

func (c *Console) forget(ctx context.Context) error {
	if c.state == bare {
		return nil
	}
	c.state = bare
	return c.link.unload(ctx)
}

// clear empties the board's memory, the SDK included.
func (c *Console) clear(ctx context.Context, keep string) error {
	if err := c.link.softReset(ctx); err != nil {
		return err
	}
	c.state, c.left.Started = bare, false
	if !c.left.Installed || keep == "" {
		return nil
	}
	return c.Keep(ctx, keep)
}

// A Left is the state in which the bench leaves a board with the SDK.
type Left struct {
	Installed bool // the SDK is on the board
	Started   bool // tt is there, as it was; otherwise not until main.py runs again

	// Alone is how long the board's program waits before it parks the chip by itself, if the board did not say at the
	// end that it had parked it; else 0.
	Alone time.Duration
}

func (l Left) String() string {
	switch {
	case l.Alone > 0:
		return fmt.Sprintf("it is not known whether the chip is parked, since the board did not say so; a board that "+
			"has power parks it by itself within %v, and bench safe makes sure", l.Alone)
	case !l.Installed:
		return "the chip is parked"
	case l.Started:
		return "the chip is parked, and tt is available"
	}
	return "the chip is parked, without tt until main.py runs again: bench safe --reboot, or Ctrl-D at " +
		"the board's prompt"
}
