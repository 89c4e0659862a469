package demoboard

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/transport/rp2040"
)

// Identify identifies the board from the user's option or the SDK. If the SDK has not started, as after another
// program's soft reset, it runs main.py as the board would. The bench itself never creates a DemoBoard object: without
// main.py's probe, the object assumes TT04's wiring on any board and drives its outputs.
func (b *Board) Identify(ctx context.Context) (err error) {
	if b.options.Board == nil && b.Facts.Installed && !b.Facts.Started {
		if err := b.startSDK(ctx); err != nil {
			return err
		}
	}
	if b.Wiring, err = b.Detect(); err != nil {
		return err
	}
	if b.pins, b.high, err = b.Wiring.PinNumbers(); err != nil {
		return failure.Usagef("%v", err)
	}
	if err := (&rp2040.Config{Pins: b.pins, HighPins: b.high}).CheckPins(b.Facts.Machine); err != nil {
		return err
	}
	return b.wire(b.Wiring)
}

// wire sets the mux from a board file, or to nil if the file has none.
func (b *Board) wire(w *boards.Board) error {
	b.mux = nil
	if w.Mux == nil {
		return nil
	}
	n, err := w.MuxPinNumbers()
	if err != nil {
		return failure.Usagef("%v", err)
	}
	b.mux = &rp2040.Mux{NRst: n[0], Inc: n[1], Ena: n[2], Select: n[3]}
	return nil
}

// startSDK runs main.py, which takes 1 to 6 s.
func (b *Board) startSDK(ctx context.Context) error {
	if err := b.Reboot(ctx); err != nil {
		return err
	}
	f, err := b.Console.ReadFacts(ctx)
	if err != nil {
		return err
	}
	b.Facts = f
	if !f.Started {
		return fmt.Errorf("main.py was run, and Tiny Tapeout's SDK made no tt: look at boot.log on the board, or say "+
			"with --board which it is (%s)", strings.Join(BoardNames(), ", "))
	}
	b.note("tt was missing, so main.py was run as at power-up")
	return nil
}

// Detect returns the board without affecting a pin. If the SDK does not identify it, Detect does not probe: driving
// pins of an unknown wiring can damage a chip.
func (b *Board) Detect() (*boards.Board, error) {
	f := b.Facts
	switch {
	case b.options.Board != nil:
		return b.options.Board, b.checkNamed(b.options.Board)
	case f.SDK != nil:
		return b.bySDK(f.SDK)
	case f.Installed:
		return nil, failure.Usagef("%s has Tiny Tapeout's SDK, which has not started, so its wiring is not known: "+
			"bench park --reboot starts it, or say with --board which it is (%s, or a file of your own)",
			b.Port, strings.Join(BoardNames(), ", "))
	}
	return nil, failure.Usagef("%s runs MicroPython %s without Tiny Tapeout's SDK, so its wiring is not known: say "+
		"which with --board (%s, or a file of your own)", b.Port, f.Firmware, strings.Join(BoardNames(), ", "))
}

// checkNamed returns an error if the user names a known board but the SDK identifies another one.
func (b *Board) checkNamed(named *boards.Board) error {
	if b.Facts.SDK == nil || b.options.Insist || !slices.Contains(BoardNames(), named.Name) {
		return nil
	}
	if is, err := b.bySDK(b.Facts.SDK); err == nil && is.Name != named.Name {
		return failure.Usagef("--board %s: the board at %s is a %s, as its SDK says: omit --board (--insist overrides "+
			"this)", named.Name, b.Port, is.Name)
	}
	return nil // the SDK does not identify the board
}

func (b *Board) bySDK(sdk *rp2040.SDK) (*boards.Board, error) {
	switch {
	case strings.Contains(b.Facts.Machine, "RP2350"):
		return boards.Open("tt-demo-rp2350")
	case strings.HasPrefix(sdk.Carrier, "TT04"):
		return boards.Open("tt-demo-tt04")
	case sdk.Shuttle == "tt07":
		return boards.Open("tt-demo-tt07")
	case strings.HasPrefix(sdk.Carrier, "TT06"):
		return boards.Open("tt-demo-tt06")
	case sdk.Carrier == "UNKNOWN":
		return nil, fmt.Errorf("the SDK %s on %s has not detected its board, so it may have taken another "+
			"wiring: bench park --reboot runs main.py, which looks; or say with --board", sdk.Version, b.Port)
	}
	return nil, fmt.Errorf("%s has the SDK %s, a chip of the shuttle %q and a board %q, which fits no board that the "+
		"bench knows: say which with --board", b.Port, sdk.Version, sdk.Shuttle, sdk.Carrier)
}

// BoardNames returns the names of the known boards with MicroPython.
func BoardNames() (names []string) {
	for _, w := range boards.All() {
		if w.Transport == "rp2040" {
			names = append(names, w.Name)
		}
	}
	return names
}

func fitting(shuttle string) *boards.Board {
	for _, w := range boards.All() {
		if slices.Contains(w.Shuttles, shuttle) {
			return w
		}
	}
	return nil
}

// checkShuttle compares the ROM with the board file, and returns an error if the chip is known to be another board's.
func (b *Board) checkShuttle() error {
	if b.ROM == nil || len(b.Wiring.Shuttles) == 0 || slices.Contains(b.Wiring.Shuttles, b.ROM.Shuttle) {
		return nil
	}
	other := fitting(b.ROM.Shuttle)
	if other == nil {
		return nil
	}
	return fmt.Errorf("the chip's ROM says that it is of the shuttle %s, and the board %s is for %s: try --board %s",
		b.ROM.Shuttle, b.Wiring.Name, strings.Join(b.Wiring.Shuttles, ", "), other.Name)
}
