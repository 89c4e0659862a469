package station

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// looks is the number of steps for which uio stays released after it was driven, so that a changing line is seen.
const looks = 40

// uio checks whether something besides bench and chip drives uio, such as a module in a PMOD header. It holds the chip
// in reset, in which the recognised design releases uio.
func (e *examination) uio(ctx context.Context, c *Chip) error {
	const layer = "uio lines"
	quiet := transport.ParkStep
	steps := []transport.Step{{In: c.Tile.Idle(), Reset: true, Clocks: 1}}
	for _, level := range []uint8{0xFF, 0} {
		driven := quiet
		driven.IO, driven.Drive = level, 0xFF
		steps = append(append(steps, driven), slices.Repeat([]transport.Step{quiet}, looks)...)
	}
	if c.Tile.Drives(quiet) != 0 || c.Tile.Lint(steps) != nil {
		return nil // a tile that drives uio in reset says nothing of others
	}
	got := make([]transport.Sample, len(steps))
	if _, err := transport.Apply(ctx, c, steps, got); err != nil {
		return e.report(layer, "", failure.OfTransport(ctx, err))
	}
	h := heldOf(got)
	if err := h.pulled(ctx, c, quiet); err != nil {
		return e.report(layer, "", failure.OfTransport(ctx, err))
	}
	if text := h.against(); text != "" {
		e.wrong(layer, text)
		return nil
	}
	e.well(layer, h.givesWay())
	return nil
}

// held has the lines of uio that something else holds: high and low against the bench, the rest while released.
type held struct{ high, low, up, down, moving uint8 }

// heldOf evaluates the samples with uio driven high, released, driven low and released. A released line keeps its level
// for a while, so only one that leaves the low level is held.
func heldOf(got []transport.Sample) (h held) {
	high, low := got[1], got[2+looks]
	h.low, h.high = ^high.IO&^high.IOX, low.IO&^low.IOX
	released := got[3+looks:]
	h.up = released[looks-1].IO &^ released[looks-1].IOX
	var changed, again uint8
	for i := range released[1:] {
		now := (released[i].IO ^ released[i+1].IO) &^ released[i].IOX &^ released[i+1].IOX
		again |= changed & now
		changed |= now
	}
	h.moving = again
	return h
}

// pulled finds lines that hold their level against both pulls. It does nothing if the transport has no pulls.
func (h *held) pulled(ctx context.Context, c *Chip, quiet transport.Step) error {
	p, can := c.Transport.(transport.Puller)
	if !can {
		return nil
	}
	level := map[transport.Pull]uint8{}
	for _, to := range []transport.Pull{transport.PullUp, transport.PullDown, transport.PullNone} {
		err := p.Pull(ctx, to)
		if errors.Is(err, errors.ErrUnsupported) {
			return nil
		}
		if err != nil {
			return err
		}
		var got [1]transport.Sample
		if _, err := transport.Apply(ctx, c, []transport.Step{quiet}, got[:]); err != nil {
			return err
		}
		level[to] = got[0].IO
	}
	h.up, h.down = level[transport.PullDown], ^level[transport.PullUp]
	return nil
}

const unplug = "unplug the uio PMOD header"

// against describes the lines that something drives against the bench, or returns "".
func (h held) against() string {
	var all []string
	for _, of := range []struct {
		bits  uint8
		level string
	}{{h.high, "high"}, {h.low, "low"}} {
		if of.bits != 0 {
			all = append(all, uioNames(of.bits)+" "+of.level)
		}
	}
	if all == nil {
		return ""
	}
	return fmt.Sprintf("something drives %s against the bench, and the chip is in reset and drives none: %s, and look "+
		"for a short", strings.Join(all, " and "), unplug)
}

// givesWay describes weakly held lines, which any driver can override.
func (h held) givesWay() string {
	var all []string
	for _, of := range []struct {
		bits uint8
		how  string
	}{{h.moving, "seen changing"}, {h.up &^ h.moving, "held high"}, {h.down &^ h.moving, "held low"}} {
		if of.bits != 0 {
			all = append(all, uioNames(of.bits)+" "+of.how)
		}
	}
	if all == nil {
		return "none is held while released"
	}
	return fmt.Sprintf("%s while released, by something weak: if vectors fail, %s", strings.Join(all, ", "), unplug)
}

func uioNames(bits uint8) string {
	return (transport.Outputs(bits) << 8).String()
}
