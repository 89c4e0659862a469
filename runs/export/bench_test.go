package export

import (
	"context"
	"io"
	"testing"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// BenchmarkVCD writes a waveform of each vector of the suite chip.
func BenchmarkVCD(b *testing.B) {
	jobs := testkit.Jobs[driver.Job](b, "chip.vec")
	for b.Loop() {
		r := driver.Runner{Transport: mock.Open(mock.Config{Tile: utf.TT09}), Tile: utf.TT09}
		r.Report = func(r *driver.Result) {
			if err := WriteVCD(io.Discard, WholeVector(r)); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := r.Run(context.Background(), jobs); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(jobs)), "us/vector")
}
