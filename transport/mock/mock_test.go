package mock

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
)

func TestConformance(t *testing.T) {
	for _, rev := range []utf.Tile{utf.TT09, utf.TT08} {
		t.Run(rev.Revision(), func(t *testing.T) {
			steps := testkit.Stimulus(1, 500)
			testkit.RunTransport(t, testkit.TransportKit{
				Open:     func(testing.TB) transport.Transport { return Open(Config{Tile: rev}) },
				Stimulus: steps,
				Want:     testkit.ModelSamples(model.Revision(rev), steps),
				Pins:     func(tr transport.Transport) transport.Step { return tr.(*Transport).LastStep() },
			})
		})
	}
}

// With a fault that never acts, every step passes through the wires, which must not change the samples.
func TestWiresAreTransparent(t *testing.T) {
	never := fault.Fault{Kind: fault.Flip, A: fault.Clk, Probability: 1e-300}
	steps := testkit.Stimulus(2, 5000)
	testkit.RunTransport(t, testkit.TransportKit{
		Open: func(testing.TB) transport.Transport {
			return Open(Config{Tile: utf.TT09, Faults: []fault.Fault{never}})
		},
		Stimulus: steps,
		Want:     testkit.ModelSamples(model.TT09, steps),
	})
}

func TestApplyDoesNotAllocate(t *testing.T) {
	steps := testkit.Stimulus(3, 1000)
	samples := make([]transport.Sample, len(steps))
	for name, tr := range map[string]*Transport{
		"plain":  Open(Config{Tile: utf.TT09}),
		"faulty": Open(Config{Tile: utf.TT09, Faults: []fault.Fault{{Kind: fault.Stuck, A: fault.UO}}}),
	} {
		n := testing.AllocsPerRun(5, func() {
			if _, err := tr.Apply(context.Background(), steps, samples); err != nil {
				t.Fatal(err)
			}
		})
		if n != 0 {
			t.Errorf("%s: Apply of %d steps allocates %v times; want 0", name, len(steps), n)
		}
	}
}

// A fault has acted once a sample differs from the sample without it, whatever the other faults do.
func TestActed(t *testing.T) {
	for texts, want := range map[string]string{"uo3=stuck0 ui5=stuck1": "[false false]",
		"uo1=stuck1 uo5=stuck1": "[true true]", "uo1=stuck1 uo7=flip:1e-9": "[true false]",
		"uo0<>uo1 uo2<>uo7": "[false true]", "fmax=1kHz": "[true]", "uo0=open": "[true]", "uo3=stuck1": "[true]"} {
		var faults []fault.Fault
		for text := range strings.FieldsSeq(texts) {
			faults = append(faults, testkit.Must(model.Bits.Parse(text))(t))
		}
		acted := make([]atomic.Bool, len(faults))
		tr := Open(Config{Tile: utf.TT09, Faults: faults, Activity: acted})
		steps := []transport.Step{{In: model.Idle, Reset: texts != "uo3=stuck1", Clocks: 1}} // else all is unknown
		testkit.Must(tr.Apply(t.Context(), steps, make([]transport.Sample, 1)))(t)
		var got []bool
		for i := range acted {
			got = append(got, acted[i].Load())
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", texts, got, want)
		}
	}
}

func TestFaultActs(t *testing.T) {
	idle := transport.Step{In: model.Idle}
	reset := transport.Step{In: model.Idle, Reset: true, Clocks: 1}
	write41 := transport.Step{In: model.Idle &^ (model.READ | model.BIO), IO: 0x41, Drive: 0xFF, Clocks: 1}
	read8 := transport.Step{In: model.Idle &^ model.BIO, Clocks: 1}
	for _, c := range []struct {
		fault string
		steps []transport.Step
		want  transport.Sample // after the last step
	}{
		{"uo1=stuck1", []transport.Step{reset}, transport.Sample{Out: 0xC2}},
		{"uo7=stuck0", []transport.Step{reset}, transport.Sample{Out: 0x40}},
		{"uo7=open", []transport.Step{reset}, transport.Sample{Out: 0x40, OutX: 0x80}},
		{"uo7=open:keep", []transport.Step{reset}, transport.Sample{Out: 0x40}},
		{"uo6=inverted", []transport.Step{reset}, transport.Sample{Out: 0x80}},
		{"uo0=late", []transport.Step{reset, write41, idle}, transport.Sample{Out: 0x01}},
		{"uo0=late", []transport.Step{reset, idle, write41}, transport.Sample{Out: 0x00, IO: 0x41}},
		{"uo0<>uo7", []transport.Step{reset}, transport.Sample{Out: 0x41}},
		{"uo0~uo7=and", []transport.Step{reset}, transport.Sample{Out: 0x40}},
		{"uo0~uo7=or", []transport.Step{reset}, transport.Sample{Out: 0xC1}},
		// crossed when written and when read, so the effects cancel out
		{"uio0<>uio1", []transport.Step{reset, write41, read8}, transport.Sample{Out: 0x81, IO: 0x41}},
		{"uio0=open:keep", []transport.Step{reset, write41, read8}, transport.Sample{Out: 0x81, IO: 0x41}},
		{"uio0=open", []transport.Step{reset, write41, read8}, transport.Sample{OutX: 0xFF, IOX: 0xFF}},
		{"clk=stuck0", []transport.Step{reset}, transport.Sample{OutX: 0xFF, IOX: 0xFF}},
		{"rst_n=stuck1", []transport.Step{reset}, transport.Sample{OutX: 0xFF, IOX: 0xFF}},
		{"ui7=stuck1", []transport.Step{reset, write41, idle}, transport.Sample{Out: 0xC0}},
		{"v1=stuck1", []transport.Step{reset, write41, read8}, transport.Sample{Out: 0x81, IO: 0x43}},
		{"retry=stuck1", []transport.Step{reset}, transport.Sample{Out: 0xE2}},
		{"ui4=stuck1", []transport.Step{reset, write41}, transport.Sample{Out: 0xC0, IOX: 0x41}}, // both ends drive
	} {
		f := testkit.Must(model.Bits.Parse(c.fault))(t)
		got := make([]transport.Sample, len(c.steps))
		if _, err := Open(Config{Tile: utf.TT09, Faults: []fault.Fault{f}}).Apply(context.Background(), c.steps,
			got); err != nil {
			t.Fatal(err)
		}
		if last := got[len(got)-1]; last != c.want {
			t.Errorf("%s after %d steps:\ngot  %+v\nwant %+v", c.fault, len(c.steps), last, c.want)
		}
	}
}

func TestFlipKeepsItsProbability(t *testing.T) {
	const n, p = 100_000, 0.01
	tr := Open(Config{Tile: utf.TT09, Faults: []fault.Fault{{Kind: fault.Flip, A: fault.UO, Probability: p}}, Seed: 7})
	steps := make([]transport.Step, n)
	for i := range steps {
		steps[i] = transport.Step{In: model.Idle, Reset: true, Clocks: 1}
	}
	got := make([]transport.Sample, n)
	if _, err := tr.Apply(context.Background(), steps, got); err != nil {
		t.Fatal(err)
	}
	flips := 0
	for _, s := range got {
		flips += int(s.Out & 1)
	}
	// The expected number is 1000, its standard deviation 31; the bounds are six standard deviations.
	if flips < 810 || flips > 1190 {
		t.Errorf("%d flips in %d steps at p=%v", flips, n, p)
	}
}

func TestSeedRepeats(t *testing.T) {
	run := func(seed uint64) transport.Sample {
		var sum transport.Sample
		tr := Open(Config{Tile: utf.TT09, Faults: []fault.Fault{{Kind: fault.Cut, A: fault.UO, End: fault.Random}},
			Seed: seed})
		got := make([]transport.Sample, 64)
		steps := make([]transport.Step, 64)
		if _, err := tr.Apply(context.Background(), steps, got); err != nil {
			t.Fatal(err)
		}
		for i, s := range got {
			sum.Out ^= s.Out << (i % 8)
			sum.IO += s.Out
		}
		return sum
	}
	if first, again := run(1), run(1); first != again {
		t.Error("one seed gave two runs that differ")
	}
	if run(1) == run(2) && run(2) == run(3) {
		t.Error("three seeds gave the same run")
	}
}

func BenchmarkApply(b *testing.B) {
	steps := testkit.Stimulus(4, 8192)
	samples := make([]transport.Sample, len(steps))
	for name, c := range map[string]Config{"plain": {Tile: utf.TT09}, "faulty": {Tile: utf.TT09,
		Faults: []fault.Fault{{Kind: fault.Stuck, A: fault.UO}}}} {
		b.Run(name, func(b *testing.B) {
			tr := Open(c)
			b.ReportAllocs()
			for b.Loop() {
				tr.Apply(context.Background(), steps, samples)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(steps)), "ns/step")
		})
	}
}
