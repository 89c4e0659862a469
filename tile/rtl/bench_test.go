package rtl

import (
	"slices"
	"testing"

	"utfbench/tile/project"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// BenchmarkReference is a step of a reference with its usual states, in each simulator that is there.
func BenchmarkReference(b *testing.B) {
	for command, simulator := range map[string]string{"verilator": "verilator", "iverilog": "icarus"} {
		if !slices.Contains(verilog.Installed(), command) {
			continue
		}
		b.Run(simulator, func(b *testing.B) {
			p, err := project.Open("testdata/turn")
			if err != nil {
				b.Fatal(err)
			}
			x, err := Open(b.Context(), p, verilog.Config{Simulator: simulator})
			if err != nil {
				b.Fatal(err)
			}
			defer x.Close()
			steps := make([]transport.Step, 5000)
			for i := range steps {
				steps[i] = transport.Step{In: uint8(i*7) & 0x10, Clocks: 1}
			}
			samples := make([]transport.Sample, len(steps))
			r := x.New()
			if err := r.Run(steps, samples); err != nil { // it begins
				b.Fatal(err)
			}
			b.ResetTimer()
			for b.Loop() {
				if err := r.Run(steps, samples); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(steps)), "ns/step")
		})
	}
}
