package station

import (
	"context"
	"strings"
	"testing"

	"utfbench/boards"
	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// If the bench cannot select the factory test, the report on a stuck output suggests how to locate the fault. If there
// is no doubt, it suggests nothing.
func TestAdvice(t *testing.T) {
	demo, pi := boards.Board{Mux: new(boards.Mux)}, boards.Board{}
	for _, c := range []struct {
		name  string
		chip  Chip
		fault string
		want  string
	}{
		{"wires by hand", Chip{HasWires: true, Board: &pi, Tile: utf.TT09}, "uo3=stuck1", "exchange at the chip's end"},
		{"an input", Chip{HasWires: true, Board: &pi, Tile: utf.TT09}, "ui3=stuck1",
			"; a broken pad or input of the chip looks the same; to tell, exchange at the chip's end"},
		{"the clock", Chip{HasWires: true, Board: &pi, Tile: utf.TT09}, "clk=open", "; a broken pad or input"},
		{"a short", Chip{HasWires: true, Board: &pi, Tile: utf.TT09}, "ui3~ui4=and", ""},
		{"swapped wires", Chip{HasWires: true, Board: &pi, Tile: utf.TT09}, "ui3<>ui4", ""},
		{"an input of the factory test", Chip{HasWires: true, Board: &demo, Tile: tile.FactoryTest{}}, "ui3=stuck1",
			"; a broken pad or input of the chip looks the same"},
		{"no design selected", Chip{HasWires: true, Board: &demo, Tile: utf.TT09}, "uo3=stuck1",
			"leave --design none out"},
		{"no wires", Chip{Board: &pi, Tile: utf.TT09}, "uo3=stuck1", ""},
		{"no wires to an input", Chip{Board: &pi, Tile: utf.TT09}, "ui3=stuck1", ""},
		{"in the chip", Chip{HasWires: true, Board: &pi, Tile: utf.TT09}, "v5=stuck1", ""},
	} {
		r := checked(t, c.chip.Tile, c.fault)
		before := r.Reason
		c.chip.hedge(r)
		if err := c.chip.advise(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(r.Reason, before) || !strings.Contains(r.Reason, c.want) ||
			c.want == "" && r.Reason != before || r.FaultLocated {
			t.Errorf("%s: %s", c.name, r.Reason)
		}
	}
}

// The user's design is not blamed for an output that is at fault in the factory test.
func TestAdviceOfTheFactoryTest(t *testing.T) {
	var own tile.Tile = tile.FactoryTest{}
	c := Chip{HasWires: true, Board: &boards.Board{Mux: new(boards.Mux)}, Tile: own}
	h := stuckOutput(t)
	if err := c.advise(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if !h.FaultLocated || !strings.Contains(h.Reason, "so it is not the design") {
		t.Errorf("%+v", h)
	}
}

// If the factory test is good, the design is blamed for an output, but not if the output is good in a second check.
func TestLooseContact(t *testing.T) {
	f := testkit.Must(tile.RegisterBits(utf.TT09).Parse("uo4=stuck1"))(t)
	for _, loose := range []bool{false, true} {
		c := Chip{HasWires: true, Tile: utf.TT09}
		c.Transport = mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}})
		c.factory = func(context.Context) (*diagnose.WiringReport, error, error) {
			if loose {
				c.Transport = mock.Open(mock.Config{Tile: utf.TT09})
			}
			return checked(t, tile.FactoryTest{}, "uo7=flip:1e-12:1"), nil, nil
		}
		if r := testkit.Must(c.CheckWires(t.Context()))(t); r.BlamesDesign() == loose {
			t.Errorf("loose %v: %s, %s", loose, r.Verdict, r.Reason)
		}
	}
}

func stuckOutput(t *testing.T) *diagnose.WiringReport {
	t.Helper()
	r := checked(t, tile.FactoryTest{}, "uo4=stuck1")
	if r.FaultyOutputs == nil {
		t.Fatalf("%+v", r)
	}
	return r
}

func checked(t *testing.T, of tile.Tile, fault string) *diagnose.WiringReport {
	t.Helper()
	target := NewTarget("mock")
	target.Tile, target.Faults = of, []string{fault}
	c := testkit.Must(target.Open(t.Context()))(t)
	defer c.Close()
	return testkit.Must(c.CheckWires(t.Context()))(t)
}

// wiredMock returns a target whose chip is a mock with a fault behind wires.
func wiredMock(t *testing.T, text string, change func(transport.Transport) transport.Transport) *Target {
	t.Helper()
	f := testkit.Must(tile.RegisterBits(utf.TT09).Parse(text))(t)
	of := NewTarget("it")
	of.Kinds = []Kind{{Name: "it", DefaultBoard: "mock", HasWires: true, Open: func(_ context.Context, _ *Target,
		_ string, c *Chip) (transport.Transport, error) {
		c.ask = true
		return change(mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}})), nil
	}}}
	return &of
}

// If the revision of a chip is detected, the chip is compared with that revision, and the notes name it.
func TestAskedRevision(t *testing.T) {
	for text, want := range map[string]string{"uo7=flip:1e-12:1": "it answers as tt09 does where the revisions differ",
		"ui5=stuck1": "it answers as neither, so it is compared with tt09"} {
		of := wiredMock(t, text, func(tr transport.Transport) transport.Transport { return tr })
		c := testkit.Must(of.Open(t.Context()))(t)
		if !strings.Contains(strings.Join(c.Notes, "\n"), want) {
			t.Errorf("%s: %q", text, c.Notes)
		}
		c.Close()
	}
}

// driving is a transport that counts the steps in which the bench drives uio.
type driving struct {
	transport.Transport
	steps int
}

func (d *driving) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	for _, s := range steps {
		if s.Drive != 0 {
			d.steps++
		}
	}
	return d.Transport.Apply(ctx, steps, samples)
}

// If a wire may keep READ high, so that the chip drives uio, neither run nor doctor drives uio, and the wire is named.
func TestUIOIsNotDrivenAgainstTheChip(t *testing.T) {
	for text, drives := range map[string]bool{"ui4=stuck1": false, "ui4<>ui5": false, "ui5=stuck1": true} {
		d := new(driving)
		of := wiredMock(t, text, func(tr transport.Transport) transport.Transport { d.Transport = tr; return d })
		c := testkit.Must(of.Open(t.Context()))(t)
		if err := c.AssessWires(t.Context(), ""); err != nil || c.BrokenWires == nil || d.steps > 0 != drives {
			t.Errorf("%s: %v, %+v, %d steps drive uio", text, err, c.BrokenWires, d.steps)
		}
		c.Close()
		d.steps = 0
		said := ""
		verdict, err := of.Examine(t.Context(), func(f Finding) { said += f.String() + "\n" })
		if verdict != driver.Wiring || err != nil || d.steps > 0 != drives || !strings.Contains(said, "ui"+text[2:3]) {
			t.Errorf("doctor, %s: %v, %v, %d steps drive uio\n%s", text, verdict, err, d.steps, said)
		}
	}
}

// After the factory test has found a bad line, doctor does not call a design good. It names the same lines as the
// wiring check: the lines that both the design and the factory test suspect.
func TestDoctorBehindABadLine(t *testing.T) {
	of := wiredMock(t, "rst_n=stuck0", func(tr transport.Transport) transport.Transport { return tr })
	c := testkit.Must(of.Open(t.Context()))(t)
	defer c.Close()
	said := ""
	e := &examination{Target: of, tell: func(f Finding) { said += f.String() + "\n" }, ill: true, found: true,
		board: checked(t, tile.FactoryTest{}, "rst_n=stuck0")}
	if err := e.check(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(said, "ok  this design") || !strings.Contains(said, "NO  wires") ||
		!strings.Contains(said, "rst_n is stuck at 0 or open") || strings.Contains(said, "ui0") {
		t.Errorf("%s", said)
	}
}

// If another design responds, a passing factory test proves board and cable good.
func TestOtherDesign(t *testing.T) {
	of := NewTarget("it")
	of.Kinds = []Kind{{Name: "it", DefaultBoard: "mock", HasWires: true,
		HasFactoryTest: func(*Target, *Chip) bool { return true },
		Open: func(context.Context, *Target, string, *Chip) (transport.Transport, error) {
			return mock.Open(mock.Config{Tile: tile.FactoryTest{}}), nil
		}}}
	_, err := of.Open(t.Context())
	if failure.KindOf(err) != failure.OtherDesign || strings.Contains(err.Error(), "?") ||
		!strings.Contains(err.Error(), "\n  the factory test passes, so board and cable are good") ||
		!strings.Contains(err.Error(), "give --tile FILE.pack:NAME") {
		t.Error(err)
	}
	of.Kinds[0].HasFactoryTest = nil
	if _, err = of.Open(t.Context()); !strings.Contains(err.Error(), "is it selected, powered, ") {
		t.Error(err)
	}
}
