package remote

import (
	"context"
	"slices"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

type null struct{ transport.Transport }

func (null) Close() error { return nil }
func (null) Apply(_ context.Context, steps []transport.Step, _ []transport.Sample) (int, error) {
	return len(steps), nil
}

// far is a link with a delay of a millisecond in each direction; requests overlap.
type far struct{ memory }

func (f *far) Ask(ctx context.Context, request []byte) ([]byte, error) {
	request = slices.Clone(request)
	time.Sleep(time.Millisecond)
	defer time.Sleep(time.Millisecond)
	return f.memory.Ask(ctx, request)
}

func newMock() transport.Transport { return mock.Open(mock.Config{Tile: utf.TT09}) }

// BenchmarkApply measures the cost of a link: the mock without one, and over several.
func BenchmarkApply(b *testing.B) {
	for _, c := range []struct {
		name  string
		steps int
		open  func() transport.Transport
	}{
		{"mock", 8192, newMock},
		{"mock-over-link", 8192, func() transport.Transport { return open(b, newMock(), 0) }},
		{"null-over-link", 8192, func() transport.Transport { return open(b, null{}, 0) }},
		{"null-over-link-1-step", 1, func() transport.Transport { return open(b, null{}, 0) }},
		{"null-over-1ms", 100_000, func() transport.Transport {
			return openOver(b, &far{memory{far: NewFar(null{}), limit: 1 << 20}}, 0)
		}},
		{"mock-over-1ms", 100_000, func() transport.Transport {
			return openOver(b, &far{memory{far: NewFar(newMock()), limit: 1 << 20}}, 0)
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			steps := testkit.Stimulus(4, c.steps)[:c.steps]
			samples := make([]transport.Sample, len(steps))
			tr := c.open()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := tr.Apply(context.Background(), steps, samples); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(steps)), "ns/step")
		})
	}
}
