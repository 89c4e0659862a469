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
)

//go:embed console.py
var questions []byte

// A Console is a board at its raw REPL, before the step program runs: it answers questions, selects the design and reads the
// chip's ROM. [Console.Start] turns it into a Transport; otherwise Close it.
type Console struct {
	name  string
	link  *link
	knows bool // the board has console.py's functions
}

// Facts are what a board says of itself.
type Facts struct {
	Machine  string `json:"machine"`  // as in "Raspberry Pi Pico with RP2040"
	Firmware string `json:"firmware"` // MicroPython's version
	Hertz    int    `json:"hertz"`    // of the microcontroller
	ID       string `json:"id"`       // of the microcontroller's flash, in hex
	SDK      *SDK   `json:"sdk,omitempty"`
}

// An SDK is what Tiny Tapeout's software on the board says.
type SDK struct {
	Version string `json:"version"`
	Carrier string `json:"carrier,omitempty"` // which demo board it found, "TT04/TT05" or "TT06+"
	ROM
	Design string `json:"design,omitempty"` // that is selected
	Number int    `json:"number,omitempty"`
	Clock  int    `json:"clock,omitempty"` // that it makes for the project, in Hz
}

// A ROM is what the chip says of itself.
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

// Dial takes over the port and enters the raw REPL. It closes the port when it fails.
func Dial(ctx context.Context, rwc io.ReadWriteCloser, name string) (*Console, error) {
	c := &Console{name: name, link: newLink(rwc)}
	if err := c.link.enterRaw(ctx); err != nil {
		c.link.close()
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

// Close gives the prompt back and closes the port. After Start it does nothing.
func (c *Console) Close() error {
	if c.link == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), replPatience)
	defer cancel()
	left := c.forget(ctx)
	if left == nil {
		left = c.link.leaveRaw(ctx)
	}
	err := errors.Join(left, c.link.close())
	c.link = nil
	return c.wrap(err)
}

// Patience for an answer. The SDK takes 5.6 s to start, which it may have to; the mux takes 2 ms for each of up to 1,023
// designs.
const askPatience = 15 * time.Second

const answerMark = "\nbench-answer:"

// ask calls one of console.py's functions. What else the board prints meanwhile, as the SDK's log does, is passed over.
func (c *Console) ask(ctx context.Context, answer any, call string, args ...any) error {
	if !c.knows {
		if _, err := c.link.run(ctx, questions); err != nil {
			return c.wrap(err)
		}
		c.knows = true
	}
	said, err := c.link.run(ctx, []byte(call+"("+literals(args)+")"))
	if err != nil {
		return c.wrap(err)
	}
	_, line, ok := strings.Cut(said, answerMark)
	line, _, _ = strings.Cut(line, "\n")
	if !ok {
		return c.wrap(fmt.Errorf("the board gave no answer to %s: it said %q", call, said))
	}
	if err := json.Unmarshal([]byte(line), answer); err != nil {
		return c.wrap(fmt.Errorf("the board's answer to %s makes no sense: %q", call, strings.TrimSpace(line)))
	}
	return nil
}

// literals writes numbers, texts and lists of them as Python does, which for these is JSON.
func literals(args []any) string {
	texts := make([]string, len(args))
	for i, a := range args {
		b, err := json.Marshal(a)
		if err != nil {
			panic(err) // a mistake in this file
		}
		texts[i] = string(b)
	}
	return strings.Join(texts, ", ")
}

// Facts asks the board what it is.
func (c *Console) Facts(ctx context.Context) (*Facts, error) {
	var f Facts
	return &f, c.ask(ctx, &f, "_facts")
}

// Enable selects a design through the SDK, by its number if name is empty, and stops the clock that the SDK makes. It
// returns what is selected then, which is another one, or none, when the chip has no such design.
func (c *Console) Enable(ctx context.Context, d Design) (now Design, err error) {
	if d.Name != "" {
		return now, c.ask(ctx, &now, "_enable", d.Name)
	}
	return now, c.ask(ctx, &now, "_enable", d.Number)
}

// Select selects a design by pulses on the shuttle's mux. The chip does not say whether it has it.
func (c *Console) Select(ctx context.Context, m Mux, pins map[string]int, number int) error {
	quiet := append(busPins(pins, "uio"), busPins(pins, "uo")...)
	var done bool
	return c.ask(ctx, &done, "_mux", m.NRst, m.Inc, m.Ena, m.Select, quiet, number)
}

// ReadROM selects the chip's ROM by the mux and reads it; nil when nothing there has a ROM's marks. Another design has to be
// selected afterwards.
func (c *Console) ReadROM(ctx context.Context, m Mux, pins map[string]int) (*ROM, error) {
	if err := c.Select(ctx, m, pins, 0); err != nil {
		return nil, err
	}
	var text *string
	if err := c.ask(ctx, &text, "_rom", busPins(pins, "ui"), busPins(pins, "uo")); err != nil || text == nil {
		return nil, err
	}
	return parseROM(*text), nil
}

// parseROM reads lines of KEY=VALUE.
func parseROM(text string) *ROM {
	var r ROM
	fields := map[string]*string{"shuttle": &r.Shuttle, "repo": &r.Repo, "commit": &r.Commit}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if f := fields[key]; f != nil {
			*f = value
		}
	}
	return &r
}

// Held says which bits of ui something else holds high, as a DIP switch does: loosely ones give way to the bench, fast ones
// do not. Afterwards the bench drives none of them.
func (c *Console) Held(ctx context.Context, pins map[string]int) (loose, fast []int, err error) {
	var seen [2][]int
	err = c.ask(ctx, &seen, "_held", busPins(pins, "ui"))
	return seen[0], seen[1], err
}

// Release makes every pin of the board an input, for a board whose pins are not known.
func (c *Console) Release(ctx context.Context) error {
	var done bool
	return c.ask(ctx, &done, "_release")
}

// forget removes console.py's functions from the board.
func (c *Console) forget(ctx context.Context) error {
	if !c.knows {
		return nil
	}
	c.knows = false
	_, err := c.link.run(ctx, []byte("_forget()"))
	return err
}

func busPins(pins map[string]int, bus string) []int {
	list := make([]int, 8)
	for i := range list {
		list[i] = pins[fmt.Sprint(bus, i)]
	}
	return list
}

// Start sends the step program and leaves the chip parked. The port is the Transport's, or closed when Start fails.
func (c *Console) Start(ctx context.Context, config Config) (*Transport, error) {
	t := &Transport{name: "rp2040:" + c.name, link: c.link, patience: config.patience()}
	err := checkPins(&config)
	if err == nil {
		err = c.forget(ctx)
	}
	if err == nil {
		err = t.begin(ctx, &config)
	}
	c.link = nil
	if err != nil {
		t.link.close()
		return nil, c.wrap(err)
	}
	go t.keepAlive()
	return t, nil
}
