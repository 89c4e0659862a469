package station

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport/rp2040/demoboard"
)

// An examination is the state of Target.Examine.
type examination struct {
	*Target
	tell  func(Finding)
	ill   bool
	wired bool                   // a wire is at fault, and the chip was not judged
	board *diagnose.WiringReport // report of the factory test; nil if it did not run
	proof *diagnose.WiringReport // the same report, if it proves board and cable good
	found bool                   // a fault between bench and design was reported; its consequences need not be

	differs  bool // the board differs from an assumption of the bench
	judged   bool // samples of the chip were compared
	unproven bool // some lines were not proven
}

// Examine checks each layer from the port to the chip, reports it, and closes the chip. The verdict is PASS if all are
// good, WIRING if a wire is bad, FAIL if the chip or perhaps a wire is bad, ERROR if an assumption about the board is
// wrong, WEAK if lines are unproven, SKIPPED if no sample was compared. The error reports bad input or comes from ctx.
// It has no text if a reported layer failed, and may wrap a *BoardStateError.
func (t *Target) Examine(ctx context.Context, tell func(Finding)) (driver.Verdict, error) {
	told, done := false, t.StartActivity("opening "+t.Transport)
	verdict, err := t.examine(ctx, func(f Finding) {
		done()
		tell(f)
		told = told || f.Err != nil
		done = t.StartActivity("examining the layer after " + f.Layer)
	})
	done()
	if err != nil && told {
		err = failure.MarkPrinted(err)
	}
	return verdict, err
}

func (t *Target) examine(ctx context.Context, tell func(Finding)) (driver.Verdict, error) {
	if k, _, err := t.FindKind(); err == nil && t.FirstContact && !k.HasWires {
		return driver.Error, failure.Usagef("--first measures a board, and %s is not a board: name one with -t rp2040 "+
			"or -t gpio", t.Transport)
	}
	e := &examination{Target: t, tell: tell}
	c, err := e.open(ctx)
	if err != nil {
		return driver.Error, err
	}
	defer c.Close()
	if err := e.check(ctx, c); err != nil {
		return driver.Error, c.leftBy(err)
	}
	if err := c.Close(); err != nil {
		return driver.Error, e.report("parking", "", c.leftBy(benchFault(err)))
	}
	e.well("parking", cmp.Or(c.LeftState(), "reset held, ui low, uio released"))
	if idle := report.DescribeIdleFaults(c.IdleFaults(), c.Speed()); idle != "" {
		tell(Finding{Mark: "--", Layer: "fault", Text: idle})
	}
	if c.Info.Modelled() {
		tell(Finding{Mark: "--", Layer: "chip",
			Text: "none, this is the reference in memory: name one with -t rp2040, -t gpio or -t verilog:FILE,..."})
	}
	return e.verdict(c), nil
}

// verdict returns the verdict if the layers of a chip were checked without an error.
func (e *examination) verdict(c *Chip) driver.Verdict {
	switch {
	case e.wired:
		return driver.Wiring
	case e.ill:
		return driver.Fail
	case e.differs:
		return driver.Error
	case c.Info.Modelled() && !e.unproven:
		return driver.Pass
	case !e.judged:
		why := "the tile " + c.Tile.Name() + " has no steps for it"
		if !c.HasWires {
			why = "it has no wires to check"
		}
		e.tell(Finding{Mark: "--", Layer: "chip", Text: "not judged: " + why + "; bench run compares its vectors"})
		return driver.Skipped
	case e.unproven:
		return driver.Weak
	}
	return driver.Pass
}

// report reports a layer that later layers need. Bad input and an interrupt are not reported as findings.
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

func (e *examination) wrong(layer, found string) {
	e.ill = true
	e.tell(Finding{Mark: "NO", Layer: layer, Text: found})
}

// open opens the target, layer by layer if its kind has layers.
func (e *examination) open(ctx context.Context) (*Chip, error) {
	k, where, err := e.FindKind()
	if err != nil {
		return nil, err
	}
	if k.examine != nil {
		return k.examine(ctx, e, where)
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
	if sdk := b.SDK(); sdk != "" {
		e.well("SDK", sdk)
	}
	k := RP2040()
	c, err := e.prepare(&k)
	if err != nil {
		return nil, err
	}
	for _, l := range e.layers(b, c) {
		b.Notes = nil
		if err := l.Check(ctx); err != nil {
			if l.Name == demoboard.LayerDesign { // the factory test does not need the ROM
				tested()
			}
			return nil, e.report(l.Name, "", leftBy(b, err))
		}
		found := Finding{Mark: "ok", Layer: l.Name, Text: cmp.Or(strings.Join(b.Notes, "; "), l.Summary())}
		if l.Name == demoboard.LayerInputs && b.Notes != nil {
			found.Mark = "--"
		}
		e.tell(found)
		if e.FirstContact && l.Name == demoboard.LayerInputs {
			b.Notes = nil
			all, err := b.MeasureFirstContact(ctx)
			for _, m := range all {
				e.measured(m.Name, m.Agrees, m.Text)
			}
			if err != nil {
				return nil, e.report("first contact", "", leftBy(b, err))
			}
		}
	}
	tested()
	return c, nil
}

// factoryTest checks the board and the cable with the chip's factory test, before the user's design is selected. It
// returns a function that reports the result, to be called after the layers have passed. A fault that stops the test
// before it reaches the chip also stops a layer, and the layer's finding names it.
func (e *examination) factoryTest(ctx context.Context) (tell func()) {
	const layer = "factory test"
	r, c, err := e.factory(ctx)
	if err == nil && r.FaultyOutputs != nil {
		err = r.LocateByOtherDesign(ctx, r, "the factory test") // the factory test is not the user's design
	}
	return func() {
		e.board = r
		switch {
		case err != nil && failure.KindOf(err) == failure.OtherDesign:
			e.tell(Finding{Mark: "--", Layer: layer, Text: "number 1 answers as no factory test that the bench " +
				"knows, so it proves nothing: TT04 to TT06 have an older one, or a line keeps it from answering"})
		case err != nil:
			e.tell(Finding{Mark: "--", Layer: layer, Text: "not asked: " + err.Error()})
		case r.Verdict == diagnose.GoodWires:
			e.proof, e.judged = r, true
			e.well(layer, fmt.Sprintf("%d steps: every line, clk and rst_n reach the chip, so board and cable are good",
				r.Steps))
		default:
			e.found, e.wired = true, r.Verdict == diagnose.BadWires
			e.wrong(layer, r.Sentence(c.Board, " "))
		}
	}
}

// factory selects the factory test, which every Tiny Tapeout chip has at number 1, and checks every line, clk and rst_n
// with it. It does not select the target's own tile again. The error reports bad input if the test cannot run, as on a
// board without a mux; its kind is OtherDesign if another design responds at that number.
func (t *Target) factory(ctx context.Context) (*diagnose.WiringReport, *Chip, error) {
	c, err := t.asFactory().Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	r, err := c.checkWires(ctx)
	if err = cmp.Or(err, c.Close()); err != nil {
		return nil, nil, failure.TransportError(ctx, err)
	}
	return r, c, nil
}

func (t *Target) asFactory() *Target {
	f := *t
	f.Tile, f.Revision, f.Insist = tile.FactoryTest{}, "", false
	f.Design = "1" // its number is 1 on every chip, whatever the ROM says
	return &f
}

func (e *examination) check(ctx context.Context, c *Chip) error {
	known, err := c.Info.Modelled(), error(nil) // a model is known to be its own design
	if c.HasWires {
		if known, err = e.design(ctx, c); err == nil && known && c.clash == nil {
			err = e.uio(ctx, c)
		}
	}
	if err == nil && known {
		err = e.wires(ctx, c)
	}
	if err == nil && known && e.FirstContact && c.HasWires {
		err = e.levels(ctx, c)
	}
	return err
}

// design recognises the chip before uio is driven, since another design could drive against the bench. After an earlier
// fault, the chip need not be recognised.
func (e *examination) design(ctx context.Context, c *Chip) (known bool, err error) {
	const layer = "this design"
	c.Notes = nil
	err = c.Recognise(ctx)
	switch {
	case e.found && failure.KindOf(err) == failure.OtherDesign:
		e.tell(Finding{Mark: "--", Layer: layer, Text: "it does not answer as this design does, which may be that " +
			"fault"})
		return false, nil
	case e.proof != nil:
		if other, is := errors.AsType[*otherDesignError](err); is {
			other.proof = goodBoard
		}
	}
	why := ""
	if _, can := c.Tile.(tile.Recogniser); !can {
		why = "nothing tells it from another design"
	} else if c.insist {
		why = "--insist judges it, whatever it answers"
	} else if e.found {
		why = cmp.Or(strings.Join(c.Notes, "; "), "it answers as this design does, in steps that need not show that "+
			"fault")
		c.Notes = nil
	}
	if err == nil && why != "" {
		e.tell(Finding{Mark: "--", Layer: layer, Text: strings.Join(append(c.Notes, why), "; ")})
		return true, nil
	}
	e.judged = e.judged || err == nil
	return true, e.report(layer, cmp.Or(strings.Join(c.Notes, "; "), "it answers as this design does"), err)
}

// wires checks the wires with the chip's tile and the result of the factory test.
func (e *examination) wires(ctx context.Context, c *Chip) error {
	chip := tile.WiredChip(c.Tile)
	if chip == nil {
		return nil // how the tile responds behind bad wires is unknown
	}
	tile.CloseReference(chip)
	r, err := c.checkWires(ctx)
	if err == nil && e.board != nil && r.SamplesDiffer() {
		err = c.locate(ctx, r, e.board)
	}
	switch {
	case err != nil:
		return e.report(layerWires, "", failure.TransportError(ctx, err))
	case r.Verdict == diagnose.UnprovenWires:
		e.judged, e.unproven = true, e.proof == nil
		e.tell(Finding{Mark: "--", Layer: layerWires, Text: fmt.Sprintf("%d steps: %s", r.Steps, r.Reason)})
	case r.Verdict != diagnose.GoodWires:
		e.found, e.wired = e.found || r.Suspects != nil, e.wired || r.Verdict == diagnose.BadWires
		layer := layerWires
		if r.Verdict != diagnose.BadWires {
			layer += " or chip"
		}
		e.wrong(layer, r.Sentence(c.Board, " "))
	default:
		e.judged = true
		e.well(layerWires, fmt.Sprintf("%d steps: %s", r.Steps, r.Reason))
	}
	return nil
}
