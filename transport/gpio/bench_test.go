//go:build linux

package gpio

import (
	"context"
	"testing"

	"utfbench/golden"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
)

func chipSteps(b *testing.B) (steps []transport.Step) {
	s, err := golden.LoadFile(golden.FS(), "chip.vec", utf.Dialect)
	if err != nil {
		b.Fatal(err)
	}
	for i := range s.Vectors {
		steps = append(steps, s.Vectors[i].Steps...)
	}
	return steps
}

// BenchmarkRegisters measures the bench's own cost per step: the registers are plain memory, and all waits are 0. The
// access time of a Raspberry Pi's registers adds to it; it has not been measured.
func BenchmarkRegisters(b *testing.B) {
	steps := chipSteps(b)
	samples := make([]transport.Sample, len(steps))
	r := &registers{page: mapped(make([]uint32, 64)), gpio: headerGPIO}
	r.tabulate()
	tr := start(r, Config{})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tr.Apply(context.Background(), steps, samples); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(steps)), "ns/step")
}

// BenchmarkCalls reports the mean and maximum number of system calls per step of the suite chip.
func BenchmarkCalls(b *testing.B) {
	steps := chipSteps(b)
	c := newFakeChip("bank", model.TT09)
	h := host{machine: pc, kernel: &fakeKernel{devices: []*fakeChip{c}}}
	tr := must(b, h, Config{Backend: "lines", Chips: []string{"bank"}, Pins: bank})
	defer tr.Close()
	var sample [1]transport.Sample
	c.calls = 0
	calls, most := 0, 0
	for b.Loop() {
		for i := range steps {
			before := c.calls
			if _, err := tr.Apply(context.Background(), steps[i:i+1], sample[:]); err != nil {
				b.Fatal(err)
			}
			most = max(most, c.calls-before)
		}
		calls = c.calls
	}
	b.ReportMetric(float64(calls)/float64(b.N)/float64(len(steps)), "calls/step")
	b.ReportMetric(float64(most), "calls-at-most")
}
