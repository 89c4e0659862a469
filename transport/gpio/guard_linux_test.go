package gpio

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
)

// dyingKernel is a kernel that reports the lines as in use a few times, as if still closing a dead bench's files.
type dyingKernel struct {
	*fakeKernel
	left int
}

func (k *dyingKernel) open(path string) (chip, error) {
	c, err := k.fakeKernel.open(path)
	k.devices[0].refuse = nil
	if k.left--; k.left >= 0 {
		k.devices[0].refuse = errBusy
	}
	return c, err
}

// guardRig is a machine with a chip attached, for one back-end.
type guardRig struct {
	host   host
	config Config
	wires  *wires
}

func guardRigs(t *testing.T) map[string]guardRig {
	page := newFakePage(model.TT09, header)
	chip := newFakeChip("bank", model.TT09)
	return map[string]guardRig{
		"registers": {host{machine: pi4, kernel: &fakeKernel{}, mapPage: pageOf(page, nil)},
			Config{Backend: "registers", Pins: header}, page.wires},
		"lines": {host{machine: machine{fstest.MapFS{}},
			kernel:  &dyingKernel{&fakeKernel{devices: []*fakeChip{chip}}, 0},
			mapPage: pageOf(page, nil)}, Config{Backend: "lines", Chips: []string{"bank"}, Pins: bank}, chip.wires},
	}
}

// If a bench dies, at any step, its guard parks the chip without contention and makes all lines inputs.
func TestGuardRelieves(t *testing.T) {
	steps := testkit.Stimulus(5, 40)
	for name, rig := range guardRigs(t) {
		program.host = rig.host
		defer func() { program.host = host{} }()
		for n := range steps {
			tr := must(t, rig.host, rig.config)
			if _, err := tr.Apply(context.Background(), steps[:n+1], make([]transport.Sample, n+1)); err != nil {
				t.Fatal(err)
			}
			if k, is := rig.host.kernel.(*dyingKernel); is {
				k.left = n % 3
			}
			if err := relieve(rig.config); err != nil { // tr is never closed
				t.Fatal(err)
			}
			if at := rig.wires.pins(); at != transport.ParkStep || len(rig.wires.wrong) > 0 {
				t.Fatalf("%s, dead after %d steps: the lines are %+v, %q", name, n+1, at, rig.wires.wrong)
			}
		}
	}
}

// A guard rejects input that no bench sent.
func TestGuardOfNobody(t *testing.T) {
	if err := stand(strings.NewReader("")); err == nil || !strings.Contains(err.Error(), "nothing to guard") {
		t.Error(err)
	}
}
