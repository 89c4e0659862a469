package gpio

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// header is a wiring in which successive lines never have successive pins.
var header = func() map[string]string {
	pins := map[string]string{}
	for i, s := range transport.Lines {
		pins[s] = strconv.Itoa(2 + i*7%26)
	}
	return pins
}()

var bank = func() map[string]string {
	pins := map[string]string{}
	for _, s := range transport.Lines {
		pins[s] = s
	}
	return pins
}()

// device returns a machine with these names in its device tree.
func device(compatible ...string) machine {
	return machine{fstest.MapFS{"proc/device-tree/compatible": {Data: []byte(strings.Join(compatible, "\x00") +
		"\x00")}}}
}

var pi4 = device("raspberrypi,4-model-b", "brcm,bcm2711")

// A rig is one back-end with its fake.
type rig struct {
	name string
	make func(t testing.TB, rev model.Revision) (*Transport, *wires)
}

func must(t testing.TB, h host, c Config) *Transport {
	t.Helper()
	return testkit.Must(h.open(c))(t)
}

var rigs = []rig{
	{"registers", func(t testing.TB, rev model.Revision) (*Transport, *wires) {
		p := newFakePage(rev, header)
		h := host{machine: pi4, kernel: &fakeKernel{}, mapPage: func() (page, error) { return p, nil }}
		return must(t, h, Config{Backend: "registers", Pins: header}), p.wires
	}},
	{"lines", func(t testing.TB, rev model.Revision) (*Transport, *wires) {
		c := newFakeChip("bank", rev)
		h := host{machine: machine{fstest.MapFS{}},
			kernel: &fakeKernel{devices: []*fakeChip{newFakeChip("other", rev), c}}}
		return must(t, h, Config{Backend: "lines", Chips: []string{"bank"}, Pins: bank}), c.wires
	}},
}

// open returns a transport whose wires are checked for errors when the test ends.
func (r rig) open(t testing.TB, rev model.Revision) (*Transport, *wires) {
	t.Helper()
	tr, w := r.make(t, rev)
	t.Cleanup(func() {
		tr.Close()
		if w.pins() != transport.ParkStep {
			t.Errorf("after Close the lines are %+v; want them parked", w.pins())
		}
		for _, s := range w.wrong {
			t.Error(s)
		}
	})
	return tr, w
}

func TestConformance(t *testing.T) {
	for _, r := range rigs {
		for _, rev := range []model.Revision{model.TT09, model.TT08} {
			t.Run(r.name+"/"+rev.String(), func(t *testing.T) {
				steps := testkit.Stimulus(1, 500)
				var w *wires
				testkit.RunTransport(t, testkit.TransportKit{
					Open: func(t testing.TB) transport.Transport {
						var tr *Transport
						tr, w = r.open(t, rev)
						return tr
					},
					Stimulus: steps,
					Want:     testkit.ModelSamples(rev, steps),
					Pins:     func(transport.Transport) transport.Step { return w.pins() },
				})
			})
		}
	}
}

// Every vector passes with every back-end.
func TestSuites(t *testing.T) {
	suites := testkit.Must(golden.Load(golden.FS(), utf.Dialect))(t)
	for _, r := range rigs {
		for _, suite := range suites {
			t.Run(r.name+"/"+suite.Name, func(t *testing.T) {
				var jobs []driver.Job
				for i := range suite.Vectors {
					jobs = append(jobs, driver.Job{Vector: &suite.Vectors[i], File: suite.File})
				}
				tr, _ := r.open(t, model.TT09)
				tally, err := (&driver.Runner{Transport: tr, Tile: utf.TT09}).Run(context.Background(), jobs)
				if err != nil || tally.Verdict() != driver.Pass {
					t.Errorf("%s: verdict %v, %v; want PASS", suite.Name, tally.Verdict(), err)
				}
			})
		}
	}
}

// Single lines of uio may change direction, and a step that starts to drive some and releases others keeps the order.
func TestPartialTurns(t *testing.T) {
	steps := []transport.Step{{In: model.Idle, Reset: true, Clocks: 1}}
	for drive := range 256 {
		steps = append(steps,
			transport.Step{In: model.Idle &^ model.READ, IO: uint8(drive * 37), Drive: uint8(drive), Clocks: 1},
			transport.Step{In: model.Idle &^ model.READ, IO: uint8(drive), Drive: uint8(drive * 73)},
			transport.Step{In: model.Idle &^ model.BIO, Clocks: 1})
	}
	want := testkit.ModelSamples(model.TT09, steps)
	for _, r := range rigs {
		t.Run(r.name, func(t *testing.T) {
			tr, _ := r.open(t, model.TT09)
			got := make([]transport.Sample, len(steps))
			if _, err := tr.Apply(context.Background(), steps, got); err != nil {
				t.Fatal(err)
			}
			for i, w := range want {
				if got[i].Differ(w) != 0 {
					t.Fatalf("step %d %+v:\ngot  %+v\nwant %+v", i, steps[i], got[i], w)
				}
			}
		})
	}
}

func TestApplyDoesNotAllocate(t *testing.T) {
	steps := testkit.Stimulus(3, 1000)
	samples := make([]transport.Sample, len(steps))
	for _, r := range rigs {
		tr, _ := r.open(t, model.TT09)
		n := testing.AllocsPerRun(5, func() {
			if _, err := tr.Apply(context.Background(), steps, samples); err != nil {
				t.Fatal(err)
			}
		})
		if n != 0 {
			t.Errorf("%s: Apply of %d steps allocates %v times; want 0", r.name, len(steps), n)
		}
	}
}

// An interrupted Apply returns promptly and leaves the transport usable.
func TestInterruptedInTheMiddle(t *testing.T) {
	c := newFakeChip("bank", model.TT09)
	h := host{machine: pi4, kernel: &fakeKernel{devices: []*fakeChip{c}}}
	tr := must(t, h, Config{Backend: "lines", Chips: []string{"bank"}, Pins: bank})
	defer tr.Close()
	ctx := &countdown{Context: context.Background(), looks: 3}
	steps := testkit.Stimulus(1, 10*stepsPerLook)
	n, err := tr.Apply(ctx, steps, make([]transport.Sample, len(steps)))
	if !errors.Is(err, context.Canceled) || n == 0 || n > 3*stepsPerLook {
		t.Errorf("Apply = %d, %v; want some steps and context.Canceled", n, err)
	}
	if _, err := tr.Apply(context.Background(), steps, make([]transport.Sample, len(steps))); err != nil {
		t.Errorf("Apply after an interrupt: %v", err)
	}
}

// A countdown is a context that is cancelled after a few calls of Err.
type countdown struct {
	context.Context
	looks int
}

func (c *countdown) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// After a failed call every further call returns the same error, and Close warns that lines may still be driven.
func TestFailureInTheMiddle(t *testing.T) {
	c := newFakeChip("bank", model.TT09)
	h := host{machine: pi4, kernel: &fakeKernel{devices: []*fakeChip{c}}}
	tr := must(t, h, Config{Backend: "lines", Chips: []string{"bank"}, Pins: bank})
	c.fails = fs.ErrInvalid
	steps := testkit.Stimulus(1, 10)
	for range 2 {
		n, err := tr.Apply(context.Background(), steps, make([]transport.Sample, len(steps)))
		if n != 0 || !errors.Is(err, fs.ErrInvalid) ||
			!strings.HasPrefix(err.Error(), "gpio:lines of /dev/gpiochip0 [bank]: setting lines: ") {
			t.Errorf("Apply = %d, %v; want 0 and the kernel's error with the name of the lines", n, err)
		}
	}
	if err := tr.Close(); err == nil || !strings.Contains(err.Error(), "the lines may still be driven") {
		t.Errorf("Close: %v; want a word about the lines", err)
	}
}
