package waveform

import (
	"encoding/json"
	"errors"
	"fmt"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// words are a tile's words for an excerpt: all that its picture needs.
type words struct {
	idle uint8
	in   []string   // names of ui
	does []string   // operation of each step
	out  [][]string // names of uo at each step
}

// words returns the tile's words, or those unpacked with the excerpt.
func (e *Excerpt) words() *words {
	if e.told != nil {
		return e.told
	}
	t := &e.Trace
	w := &words{idle: t.Tile.Idle(), in: tile.InNames(t.Tile)}
	for _, s := range t.Steps {
		w.does = append(w.does, tile.Describe(t.Tile, s))
		w.out = append(w.out, tile.OutNames(t.Tile, s.In))
	}
	return w
}

// A packed excerpt is JSON with the tile's words, so that drawing needs no tile.
type packed struct {
	Vector string       `json:"vector"`
	First  int          `json:"first"`
	Of     int          `json:"of"`
	At     int          `json:"at"`
	Idle   uint8        `json:"idle"`
	In     []string     `json:"in"`
	Prior  *packedIn    `json:"prior,omitempty"`
	Steps  []packedStep `json:"steps"`
}

type packedStep struct {
	Does string     `json:"does"`
	Step packedIn   `json:"step"`
	Want packedOut  `json:"want"`
	Got  *packedOut `json:"got,omitempty"` // nil without a sample
	Out  []string   `json:"out,omitempty"` // names of uo, if the sample differs
	Is   bool       `json:"checked,omitempty"`
}

type (
	packedIn  [5]uint8 // ui, uio, mask of driven uio, the step's flags, pulses of clk
	packedOut [4]uint8 // uo, mask of its unknown bits, the same for uio
)

func packIn(s transport.Step) packedIn {
	return packedIn{s.In, s.IO, s.Drive, s.Flags(), s.Clocks}
}

func (p packedIn) step() transport.Step {
	s := transport.Step{In: p[0], IO: p[1], Drive: p[2], Clocks: p[4]}
	s.SetFlags(p[3])
	return s
}

func (p packedOut) sample() transport.Sample {
	return transport.Sample{Out: p[0] &^ p[1], OutX: p[1], IO: p[2] &^ p[3], IOX: p[3]}
}

// Pack encodes an excerpt that Around made as some two kilobytes of JSON, which Unpack decodes.
func (e *Excerpt) Pack() ([]byte, error) {
	w, t := e.words(), &e.Trace
	p := packed{Vector: e.Vector, First: e.First, Of: e.Of, At: e.At, Idle: w.idle, In: w.in}
	if e.prior != nil {
		prior := packIn(*e.prior)
		p.Prior = &prior
	}
	for i, s := range t.Steps {
		to := packedStep{Does: w.does[i], Step: packIn(s), Want: packedOut(fields(t.Want[i]))}
		if i < len(t.Got) {
			got := packedOut(fields(t.Got[i]))
			to.Got = &got
			if t.Differ(i) != 0 {
				to.Out = w.out[i]
			}
		}
		p.Steps = append(p.Steps, to)
	}
	for _, c := range t.Checks {
		p.Steps[c.Step].Is = true
	}
	return json.Marshal(p)
}

func fields(s transport.Sample) [4]uint8 { return [4]uint8{s.Out, s.OutX, s.IO, s.IOX} }

// Limits of a packed excerpt.
const (
	mostPacked = 8 << 10 // bytes
	mostSteps  = Before + 1 + After
	mostWords  = 400     // bytes of a text
	mostIndex  = 1 << 30 // of a step in its vector
)

// Unpack decodes Pack's output, which is foreign: it makes texts printable, and limits the size to a picture's. The
// excerpt can be drawn, but has no tile.
func Unpack(text []byte) (*Excerpt, error) {
	if len(text) > mostPacked {
		return nil, fmt.Errorf("%d bytes of steps: at most %d are allowed", len(text), mostPacked)
	}
	var p packed
	if err := printable.Decode(text, &p); err != nil {
		return nil, fmt.Errorf("steps that cannot be read: %w", err)
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	e := &Excerpt{Vector: p.Vector, Run: 1, First: p.First, Of: p.Of, At: p.At,
		told: &words{idle: p.Idle, in: p.In}}
	if p.Prior != nil {
		prior := p.Prior.step()
		e.prior = &prior
	}
	for i := range p.Steps {
		p.Steps[i].add(e.told, &e.Trace)
	}
	return e, nil
}

func (p *packedStep) add(w *words, t *driver.Trace) {
	if p.Is {
		t.Checks = append(t.Checks, golden.Check{Step: len(t.Steps)})
	}
	t.Steps, t.Want = append(t.Steps, p.Step.step()), append(t.Want, p.Want.sample())
	if p.Got != nil {
		t.Got = append(t.Got, p.Got.sample())
	}
	if p.Out == nil {
		p.Out = transport.Lines[transport.UO : transport.UO+8]
	}
	w.does, w.out = append(w.does, p.Does), append(w.out, p.Out)
}

func (p *packed) check() error {
	n := len(p.Steps)
	switch {
	case n == 0 || n > mostSteps:
		return fmt.Errorf("%d steps: 1 to %d are allowed", n, mostSteps)
	case p.At < -1 || p.At >= n:
		return fmt.Errorf("the first divergence is at %d of %d steps", p.At, n)
	case p.First < 0 || p.Of > mostIndex || p.First > p.Of-n:
		return fmt.Errorf("%d steps from %d on are not in %d", n, p.First, p.Of)
	case len(p.In) != 8:
		return fmt.Errorf("%d names of ui: 8 are needed", len(p.In))
	}
	texts := append([]string{p.Vector}, p.In...)
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.Got != nil && i > 0 && p.Steps[i-1].Got == nil {
			return fmt.Errorf("step %d has a sample, but the step before has none", i+1)
		}
		if s.Out != nil && len(s.Out) != 8 {
			return fmt.Errorf("step %d has %d names of uo: 8 are needed", i+1, len(s.Out))
		}
		texts = append(append(texts, s.Does), s.Out...)
	}
	for _, text := range texts {
		if len(text) > mostWords {
			return errors.New("a text is too long for the picture")
		}
	}
	return nil
}
