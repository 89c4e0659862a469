package remote

import (
	"testing"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
	"utfbench/transport/transporttest"
)

// kit returns a kit for the mock at the far end of links.
func kit(open func(t testing.TB, tr transport.Transport) *Near) transporttest.Kit {
	steps := testkit.Stimulus(1, 500)
	answers := func(steps []transport.Step) []transport.Sample { return testkit.ModelSamples(model.TT09, steps) }
	return transporttest.Kit{
		Open: func(t testing.TB) transport.Transport {
			return open(t, mock.Open(mock.Config{Tile: utf.TT09}))
		},
		Stimulus: steps,
		Want:     answers(steps),
		Answers:  answers,
		Pins: func(tr transport.Transport) transport.Step {
			return tr.(*Near).link.(interface{ end() *Far }).end().player.tr.(*mock.Transport).Pins()
		},
	}
}

func (m *memory) end() *Far { return m.far }

func TestConformance(t *testing.T) {
	for name, limit := range map[string]int{"large": 1 << 20, "least": LeastLimit} {
		t.Run(name, func(t *testing.T) {
			transporttest.Run(t, kit(func(t testing.TB, tr transport.Transport) *Near {
				return openOver(t, &memory{far: NewFar(tr), limit: limit}, 0)
			}))
		})
	}
}

// A link that repeats, delays and loses messages has no visible effect.
func TestConformanceOverWildLink(t *testing.T) {
	seed := uint64(0)
	transporttest.Run(t, kit(func(t testing.TB, tr transport.Transport) *Near {
		seed++
		return openOver(t, newWild(t, tr, LeastLimit, seed), 700)
	}))
}
