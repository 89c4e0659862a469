package remote

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"utfbench/internal/printable"
	"utfbench/transport"
)

// A player executes requests on a transport, one at a time.
type player struct {
	tr      transport.Transport
	limit   int  // bytes of an answer; 0 until hello
	pin     bool // the trigger has a pin
	part    part // reused for each request
	samples []transport.Sample

	steps  atomic.Uint64 // executed so far
	broken bool          // the last part of a batch did not complete
	doubt  bool          // a sample after the last guard of the batch differs
}

// about is a far end's description in JSON.
type about struct {
	FourState bool             `json:"four_state,omitempty"`
	Knobs     []transport.Knob `json:"knobs,omitempty"`
	Free      bool             `json:"free,omitempty"` // see transport.FreeRunner; older far ends have none
}

// play executes a request and returns the body of its answer, possibly together with an error.
func (p *player) play(ctx context.Context, r request) ([]byte, error) {
	switch r.kind {
	case kindHello:
		return p.hello(r.body)
	case kindApply:
		return p.apply(ctx, r.body)
	case kindSign:
		return p.sign(ctx, r.body)
	case kindBurst:
		return p.burst(ctx, r.body)
	case kindFree:
		return nil, p.freeRun(ctx, r.body)
	case kindGrid:
		g, err := p.grid(ctx)
		if err != nil {
			return nil, err
		}
		return json.Marshal(g)
	case kindPull:
		return nil, p.pull(ctx, r.body)
	case kindTune:
		return p.tune(ctx, r.body)
	case kindPin:
		return p.takePin(ctx, r.body)
	}
	return nil, fmt.Errorf("a request of the unknown kind %q: %w", r.kind, errCut)
}

// hello returns the version, and the description of the far end if the near end has the same version.
func (p *player) hello(body []byte) ([]byte, error) {
	r := reader{rest: body}
	theirs, limit := r.uint16(), r.uint32()
	own := binary.LittleEndian.AppendUint16(nil, version)
	if r.short || theirs != version {
		return own, nil
	}
	if limit < LeastLimit || r.end() != nil {
		return nil, fmt.Errorf("a limit of %d bytes is below the minimum of %d: %w", limit, LeastLimit, errCut)
	}
	p.limit = int(min(limit, mostMessage))
	a := about{FourState: transport.FourState(p.tr)}
	if t, is := p.tr.(transport.Tuner); is {
		a.Knobs = t.Knobs()
	}
	f, is := p.tr.(transport.FreeRunner)
	a.Free = is && f.RunsFree()
	text, err := json.Marshal(a)
	return append(own, text...), err
}

func (p *player) apply(ctx context.Context, body []byte) ([]byte, error) {
	if err := p.part.read(body); err != nil {
		return nil, err
	}
	if p.part.flags&flagFollows == 0 {
		p.broken, p.doubt = false, false
	}
	p.samples = grown(p.samples, len(p.part.steps))
	good, err := 0, error(nil)
	if !p.broken {
		good, err = p.applyPart(ctx)
	}
	p.steps.Add(uint64(good))
	p.broken = p.broken || err != nil || good < len(p.part.steps)
	answer := make([]byte, 0, 4+good*sampleSize)
	answer = binary.LittleEndian.AppendUint32(answer, uint32(good))
	return appendSamples(answer, p.samples[:good]), err
}

func (p *player) applyPart(ctx context.Context) (int, error) {
	switch {
	case p.part.flags&flagGuards != 0:
		return p.applyGuarded(ctx)
	case p.part.flags&flagTriggers == 0:
		return transport.Apply(ctx, p.tr, p.part.steps, p.samples)
	}
	trigger, is := p.tr.(transport.Trigger)
	if !is || !p.pin {
		return 0, errors.New("a triggered step without a trigger pin")
	}
	good, err := trigger.ApplyTriggered(ctx, p.part.steps, p.samples, p.part.at)
	if err == nil && good < len(p.part.steps) {
		err = fmt.Errorf("%s answered %d of %d steps without an error", p.tr, good, len(p.part.steps))
	}
	return good, err
}

// applyGuarded checks each guard against the samples of earlier parts too. A guard before the part's first step depends
// on those only.
func (p *player) applyGuarded(ctx context.Context) (int, error) {
	steps, at := p.part.steps, p.part.at
	if len(at) > 0 && at[0] == 0 {
		if p.doubt {
			return 0, nil
		}
		at = at[1:]
	}
	if p.doubt && len(at) > 0 {
		return transport.Apply(ctx, p.tr, steps[:at[0]], p.samples)
	}
	good, err := transport.ApplyGuarded(ctx, p.tr, steps, p.samples, transport.Guard{Want: p.part.want, At: at})
	if err != nil || good < len(steps) {
		return good, err
	}
	behind := 0
	if len(at) > 0 {
		behind = at[len(at)-1]
	}
	p.doubt = p.doubt || transport.Differ(p.samples[behind:good], p.part.want[behind:]) != 0
	return good, nil
}

// sign signs series; without a Signer it applies their steps.
func (p *player) sign(ctx context.Context, body []byte) ([]byte, error) {
	r := reader{rest: body}
	if r.byte()&flagFollows == 0 {
		p.broken = false
	}
	series, err := readSeries(&r)
	if err != nil || p.broken {
		return nil, err
	}
	n, err := transport.Sign(ctx, p.tr, series)
	p.broken = err != nil
	same := make([]byte, n)
	for i := range same {
		p.steps.Add(uint64(series[i].Count * len(series[i].Steps)))
		if series[i].Same {
			same[i] = 1
		}
	}
	return same, err
}

func (p *player) grid(ctx context.Context) (transport.Grid, error) {
	b, is := p.tr.(transport.Burster)
	if !is {
		return transport.Grid{}, transport.ErrNoBursts
	}
	return b.Grid(ctx)
}

// burst plays a burst after checking its timing, since transports rely on a timing of their grid.
func (p *player) burst(ctx context.Context, body []byte) ([]byte, error) {
	r := reader{rest: body}
	at := r.timing()
	steps := r.array(uint32(len(r.rest)/stepSize), stepSize)
	if err := r.end(); err != nil {
		return nil, err
	}
	p.part.steps = readSteps(p.part.steps[:0], steps)
	if err := p.playable(ctx, len(p.part.steps), at); err != nil {
		return nil, err
	}
	p.samples = grown(p.samples, len(p.part.steps))
	if err := p.tr.(transport.Burster).Burst(ctx, p.part.steps, p.samples, at); err != nil {
		return nil, err
	}
	p.steps.Add(uint64(len(p.samples)))
	return appendSamples(nil, p.samples), nil
}

// freeRun runs clk without samples, after checking its timing.
func (p *player) freeRun(ctx context.Context, body []byte) error {
	r := reader{rest: body}
	at, held, clocks := r.timing(), readSteps(nil, r.array(1, stepSize)), r.uint32()
	if err := r.end(); err != nil {
		return err
	}
	f, is := p.tr.(transport.FreeRunner)
	if !is {
		return transport.ErrNoBursts
	}
	if err := p.playable(ctx, 1, at); err != nil {
		return err
	}
	p.steps.Add(1)
	return f.FreeRun(ctx, held[0], int(clocks), at)
}

// playable checks a burst of the given number of steps against the grid.
func (p *player) playable(ctx context.Context, steps int, at transport.Timing) error {
	g, err := p.grid(ctx)
	if err != nil {
		return err
	}
	if steps > g.Steps {
		return fmt.Errorf("a burst of %d steps exceeds the maximum of %d", steps, g.Steps)
	}
	if at.Clock != 0 && at.Clock != g.Clock && !slices.Contains(g.Clocks, at.Clock) {
		return fmt.Errorf("a burst with an unsupported clock of %d Hz", at.Clock)
	}
	took, err := g.On(at.Clock).Round(at)
	if took.Clock = at.Clock; err == nil && took != at {
		err = fmt.Errorf("a burst with %s is impossible: the nearest has %s", at, took)
	}
	return err
}

func (p *player) pull(ctx context.Context, body []byte) error {
	if len(body) != 1 || body[0] > byte(transport.PullDown) {
		return fmt.Errorf("an unknown pull: %w", errCut)
	}
	if puller, is := p.tr.(transport.Puller); is {
		return puller.Pull(ctx, transport.Pull(body[0]))
	}
	return errors.ErrUnsupported
}

func (p *player) tune(ctx context.Context, body []byte) ([]byte, error) {
	r := reader{rest: body}
	d := time.Duration(r.uint64())
	name, err := text(r.rest)
	if r.short || err != nil {
		return nil, errCut
	}
	t, is := p.tr.(transport.Tuner)
	if !is {
		return nil, transport.CheckKnob(nil, name, d)
	}
	took, err := t.Tune(ctx, name, d)
	return binary.LittleEndian.AppendUint64(nil, uint64(took)), err
}

func (p *player) takePin(ctx context.Context, body []byte) ([]byte, error) {
	pin, err := text(body)
	if err != nil {
		return nil, err
	}
	t, is := p.tr.(transport.Trigger)
	if !is {
		return nil, &transport.PinError{Pin: pin, Why: "this transport has no pins besides the chip's lines"}
	}
	name, err := t.TakePin(ctx, pin)
	p.pin = p.pin || err == nil
	return []byte(name), err
}

// mostName is the maximum length of a knob's or pin's name, in bytes.
const mostName = 200

// text returns a name sent by the near end.
func text(b []byte) (string, error) {
	if len(b) > mostName {
		return "", fmt.Errorf("a name of %d bytes exceeds the maximum of %d: %w", len(b), mostName, errCut)
	}
	return printable.Text(string(b)), nil
}
