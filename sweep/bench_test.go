package sweep

import (
	"context"
	"testing"

	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// BenchmarkBlock measures the cost of a step on one core: generating the step, mock, model, comparison and hash.
func BenchmarkBlock(b *testing.B) {
	for _, c := range []struct {
		name  string
		scope tile.Scope
		block int
	}{
		{"codepoints", tile.Scope{Space: "codepoints"}, 100},
		{"bytes", tile.Scope{Space: "bytes"}, 1000},
		{"ops", tile.Scope{Space: "ops", Depth: 4}, 3},
	} {
		c.scope.Revision = utf.TT09.Revision()
		space, own, err := Open(utf.TT09, c.scope)
		if err != nil {
			b.Fatal(err)
		}
		for name, chip := range map[string]transport.Transport{"mock": mock.Open(mock.Config{Tile: utf.TT09}),
			"model": nil} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				w := NewBlockRunner(space, own, chip)
				steps := 0
				b.ReportAllocs()
				for b.Loop() {
					done, err := w.Run(context.Background(), c.block)
					if err != nil || done.Failed > 0 {
						b.Fatal(done.Failed, err)
					}
					steps += done.Steps
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
			})
		}
	}
}
