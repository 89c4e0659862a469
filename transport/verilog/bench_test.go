package verilog

import (
	"context"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
)

// BenchmarkApply measures the speed of the test chip under each simulator, without the build.
func BenchmarkApply(b *testing.B) {
	steps := testkit.Stimulus(4, 100_000)
	samples := make([]transport.Sample, len(steps))
	for _, tool := range tools {
		b.Run(tool.name, func(b *testing.B) {
			need(b, tool.name)
			tr := mustOpen(b, ourChip(tool.name, model.TT09))
			defer tr.Close()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := tr.Apply(context.Background(), steps, samples); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(steps)*b.N)/b.Elapsed().Seconds()/1000, "ksteps/s")
		})
	}
}
