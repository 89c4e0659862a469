package remote

import (
	"context"
	"encoding/binary"
	"testing"

	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A far end answers any request with a message that a near end can read and a link can carry.
func FuzzFar(f *testing.F) {
	guards := part{flags: flagGuards, steps: stepsOf(3), at: []int{1, 2}, want: make([]transport.Sample, 3)}
	f.Add(byte(kindApply), guards.append(nil, 0), false)
	f.Add(byte(kindApply), partOf(40), false)
	series := transport.Series{Steps: []transport.Step{{Reset: true, Clocks: 1, Drive: 255}}, Count: 2,
		Fields: []transport.Field{{Mask: 255}}, Want: make([]transport.Sample, 2)}
	f.Add(byte(kindSign), appendSeries([]byte{0}, &series, 0, 2), false)
	played := []byte{100, 0, 0, 0, 0, 0, 0, 0, 48, 0, 0, 0, 0, 0, 0, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	f.Add(byte(kindBurst), appendSteps(played, stepsOf(3)), false)
	f.Add(byte(kindFree), append(appendSteps(played, stepsOf(1)), 9, 0, 0, 0), false)
	f.Add(byte(kindTune), append(binary.LittleEndian.AppendUint64(nil, 1000), "pulse"...), false)
	f.Add(byte(kindPin), []byte("29"), false)
	f.Add(byte(kindHello), []byte{version, 0, 0, 16, 0, 0}, false)
	f.Add(byte(0), []byte{kindClose, 1, 2, 3, 4, 5, 6, 7, 8}, true)
	f.Fuzz(func(t *testing.T, kind byte, body []byte, raw bool) {
		const head = timingSize + stepSize
		many := kind == kindFree && len(body) == head+4 && binary.LittleEndian.Uint32(body[head:]) > 1<<16
		if many || kind == kindBurst && len(body) > 200*stepSize || len(body) > 1<<14 {
			return // longer ones are no different, only slower
		}
		far := begun(t, mock.Open(mock.Config{Tile: utf.TT09}))
		defer far.Close()
		q := request{kind, 101, body}
		message := q.append(nil)
		if raw {
			message = body
			q, _ = readRequest(body)
		}
		b := far.Answer(context.Background(), message)
		if _, err := readAnswer(b, q); err != nil && b[0] != kindRefused {
			t.Errorf("%q is answered by % x: %v", message, b, err)
		}
		if len(b) > max(LeastLimit, answerHead+mostTrouble) {
			t.Errorf("%d bytes are answered by %d", len(message), len(b))
		}
	})
}

// liar answers hello correctly and everything else with the given message.
type liar struct {
	far  *Far
	raw  []byte // a whole answer, or nil
	said []byte // the error
	body []byte
}

func (l *liar) Limit() int   { return LeastLimit }
func (l *liar) Close() error { return nil }
func (l *liar) Ask(ctx context.Context, message []byte) ([]byte, error) {
	r, _ := readRequest(message)
	if r.kind == kindHello {
		return l.far.Answer(ctx, message), nil
	}
	if l.raw != nil && r.kind != kindClose {
		return l.raw, nil
	}
	b := answer{request: request{kind: r.kind, number: r.number}}.bytes()
	binary.LittleEndian.PutUint16(b[answerHead-2:], uint16(len(l.said)))
	return append(append(b, l.said...), l.body...), nil
}

// Whatever the far end answers, the near end never returns more good samples than steps, and either works on or fails
// for good.
func FuzzNear(f *testing.F) {
	f.Add([]byte(`{"text":"no answer","is":["closed","canceled"]}`), []byte{2, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}, false)
	f.Add([]byte(`{"pin":{"Pin":"1","Why":"x","Free":["2"]}}`), []byte{1}, false)
	f.Add([]byte{}, []byte(`{"Clock":1000,"Steps":1,"Periods":255,"LeastPeriod":10,"MostPeriod":9999}`), false)
	f.Add([]byte{}, []byte{3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, false)
	f.Add([]byte{}, append([]byte{8, 0, 0, 0}, make([]byte, 8*sampleSize)...), false)
	f.Add([]byte{}, make([]byte, 8), false)
	f.Add([]byte{}, answer{request: request{kind: kindApply, number: 1}}.bytes(), true)
	far := func() *Far { return NewFar(mock.Open(mock.Config{Tile: utf.TT09})) }
	f.Fuzz(func(t *testing.T, text, body []byte, raw bool) {
		l := &liar{far: far(), said: text[:min(len(text), 1<<16-1)], body: body}
		if raw {
			l.raw = append([]byte{}, body...)
		}
		try := func(what string, do func(n *Near) (int, error)) {
			l.far = far()
			if good, err := do(openOver(t, l, 0)); good > 7 || good < 0 {
				t.Errorf("%s: %d of 7, %v", what, good, err)
			}
		}
		ctx, steps, samples := context.Background(), stepsOf(7), make([]transport.Sample, 7)
		try("Apply", func(n *Near) (int, error) { return n.Apply(ctx, steps, samples) })
		try("Burst", func(n *Near) (int, error) { return 0, n.Burst(ctx, steps, samples, transport.Timing{}) })
		try("FreeRun", func(n *Near) (int, error) {
			return 0, n.FreeRun(ctx, steps[0], 7, transport.Timing{Period: 100})
		})
		try("Tune", func(n *Near) (int, error) { _, err := n.Tune(t.Context(), "pulse", 1000); return 0, err })
		try("pin", func(n *Near) (int, error) { _, err := n.TakePin(ctx, "7"); return 0, err })
		try("Sign", func(n *Near) (int, error) {
			r := transport.Series{Steps: []transport.Step{{Reset: true, Clocks: 1}}, Count: 1, Want: samples[:1]}
			return n.Sign(ctx, []transport.Series{r, r, r, r, r, r, r})
		})
		try("Grid", func(n *Near) (int, error) {
			g, err := n.Grid(t.Context())
			if err == nil {
				g.Round(transport.Timing{Period: 100})
			}
			return 0, err
		})
	})
}
