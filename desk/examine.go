package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"utfbench/cause/wiring"
	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/explain"
	"utfbench/tile"
	"utfbench/tile/factory"
)

// A Finding is what is known of one layer between bench and chip.
type Finding struct {
	Mark  string // ok, NO, or -- for what was not asked
	Layer string // as in "firmware"
	Text  string // what is there, or what is wrong and what to do about it
	Err   error  // of a layer without which those after it cannot be looked at
}

// String is a line.
func (f Finding) String() string { return fmt.Sprintf("%-3s %-16s %s", f.Mark, f.Layer, f.Text) }

// MarshalJSON is an object: whether it is well, null for what was not asked.
func (f Finding) MarshalJSON() ([]byte, error) {
	well := map[string]any{"ok": true, "NO": false}[f.Mark]
	return json.Marshal(struct {
		Layer string `json:"layer"`
		Well  any    `json:"ok"`
		Text  string `json:"text"`
	}{f.Layer, well, f.Text})
}

// An examination tells of each layer.
type examination struct {
	*Target
	tell  func(Finding)
	ill   bool
	board bool // is good, by the factory test
}

// Examine goes from the port to the chip, closes it, and tells of each layer. The verdict is PASS when all is well,
// FAIL when the chip or a wire is not, SKIPPED when nothing but the model could be asked. The error is that of a layer,
// whose finding has it then; or it is bad input or the end of ctx, of which nothing is told.
func (t *Target) Examine(ctx context.Context, tell func(Finding)) (driver.Verdict, error) {
	e := &examination{Target: t, tell: tell}
	c, err := e.open(ctx)
	if err != nil {
		return driver.Error, err
	}
	defer c.Close()
	if err := e.probe(ctx, c); err != nil {
		return driver.Error, err
	}
	if err := c.Close(); err != nil {
		return driver.Error, e.report("parking", "", benchFault(err))
	}
	e.well("parking", cmp.Or(c.Left(), "reset held, ui low, uio released"))
	if c.Asked.Modelled() {
		tell(Finding{Mark: "--", Layer: "chip", Text: "none was asked, this is the model in memory: name one with -t " +
			"rp2040, -t gpio or -t verilog:FILE,..."})
	}
	switch {
	case e.ill:
		return driver.Fail, nil
	case c.Asked.Modelled():
		return driver.Skipped, nil
	}
	return driver.Pass, nil
}

// report tells of a layer on which those after it stand. Bad input is no finding, nor is Ctrl-C.
func (e *examination) report(layer, found string, err error) error {
	if err == nil {
		e.well(layer, found)
		return nil
	}
	switch failure.KindOf(err) {
	case failure.User, failure.Interrupted:
	default:
		e.tell(Finding{"NO", layer, err.Error(), err})
	}
	return err
}

func (e *examination) well(layer, found string) {
	e.tell(Finding{Mark: "ok", Layer: layer, Text: found})
}

// wrong tells of what is wrong with the chip or a wire.
func (e *examination) wrong(layer, found string) {
	e.ill = true
	e.tell(Finding{Mark: "NO", Layer: layer, Text: found})
}

// open opens the target, layer by layer where it has some.
func (e *examination) open(ctx context.Context) (*Chip, error) {
	k, where, err := e.Kind()
	if err != nil {
		return nil, err
	}
	if k.Name == "rp2040" {
		return e.demoBoard(ctx, where)
	}
	c, err := e.Open(ctx)
	if err != nil {
		return nil, e.report("transport", "", err)
	}
	e.well("transport", c.String())
	return c, nil
}

func (e *examination) demoBoard(ctx context.Context, where string) (*Chip, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	tested := func() {}
	if e.Design != "none" {
		tested = e.factoryTest(ctx)
	}
	b, err := e.DialDemoBoard(ctx, where)
	if err != nil {
		return nil, e.report("port and REPL", "", err)
	}
	defer b.Close()
	e.well("port and REPL", b.Port)
	e.well("firmware", b.Firmware())
	c, err := e.prepare(&Kind{Name: "rp2040", Wires: true})
	if err != nil {
		return nil, err
	}
	for _, l := range e.layers(b, c) {
		b.Notes = nil
		if err := l.Pass(ctx); err != nil {
			return nil, e.report(l.Name, "", err)
		}
		e.well(l.Name, cmp.Or(strings.Join(b.Notes, "; "), l.Well()))
	}
	tested()
	return c, nil
}

// factoryTest proves board and cable by the chip's own test, before the user's design is selected, and gives what tells
// of it when the layers have passed. What stops it short of the chip stops them as well, and they say at which layer.
func (e *examination) factoryTest(ctx context.Context) (tell func()) {
	const layer = "factory test"
	r, c, err := e.factory(ctx)
	return func() {
		switch {
		case err != nil && failure.KindOf(err) == failure.OtherDesign:
			e.wrong(layer, err.Error())
		case err != nil:
			e.tell(Finding{Mark: "--", Layer: layer, Text: "not asked: " + err.Error()})
		case r.Verdict == wiring.Good:
			e.board = true
			e.well(layer, fmt.Sprintf("%d steps: every line, clk and rst_n reach the chip, so board and cable are good",
				r.Steps))
		default:
			e.wrong(layer, r.Why+": "+strings.Join(explain.Suspects(c.Board, r), "; "))
		}
	}
}

// factory selects the design that every Tiny Tapeout chip carries at number 1, and proves board and cable by it: every
// line, clk and rst_n, without the target's own tile, which is not selected any more afterwards. Why it cannot be
// asked, as where the board has no mux, is bad input; that something else answers there is OtherDesign.
func (t *Target) factory(ctx context.Context) (*wiring.Report, *Chip, error) {
	f := *t
	f.Tile, f.Revision, f.Design, f.Insist = factory.Tile{}, "", factory.Project, false
	c, err := f.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	r, err := wiring.Check(ctx, c.Slow(), c.Tile)
	if cerr := c.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, nil, asking(ctx, err)
	}
	return r, c, nil
}

// probe puts the first questions to the chip.
func (e *examination) probe(ctx context.Context, c *Chip) error {
	if c.Wires {
		if err := e.design(ctx, c); err != nil {
			return err
		}
		if err := e.uio(ctx, c); err != nil {
			return err
		}
	}
	asks, ok := c.Tile.(tile.Prober)
	if !ok {
		return nil
	}
	for _, p := range asks.Probes() {
		found, err := driver.Ask(ctx, c, c.Tile, p)
		switch {
		case err != nil:
			return e.report(p.Name, "", benchFault(err))
		case !found.OK:
			e.wrong(p.Name, found.Text)
		default:
			e.well(p.Name, found.Text)
		}
	}
	return nil
}

// design asks first what answers, where another design's outputs could drive against the bench.
func (e *examination) design(ctx context.Context, c *Chip) error {
	c.Notes = nil
	err := c.Recognise(ctx)
	if err != nil && e.board {
		err = fmt.Errorf("%w; the factory test answers, so board and cable are good: it is the design, or its number",
			err)
	}
	return e.report("this design", cmp.Or(strings.Join(c.Notes, "; "), "it answers as this design does"), err)
}
