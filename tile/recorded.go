package tile

import (
	"context"
	"hash/maphash"
	"slices"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// Recorded is a tile whose reference is another chip's recorded samples, looked up by the history of steps since the
// start of an execution.
type Recorded struct {
	lent
	*memory
}

// A memory maps each history of steps to the sample that followed. Bits that varied are unknown.
type memory struct {
	seed     maphash.Seed
	samples  map[uint64]transport.Sample
	ever     uint8 // lines of uio that the bench drove in any step
	always   uint8 // lines of uio that the bench drove in every step
	wavering int   // steps with varying samples
}

// mostSteps is the maximum number of steps in a recording used as a reference; each takes some 50 bytes of memory.
const mostSteps = 4 << 20

// NewRecorded returns a tile with an empty recording; Learn adds to it.
func NewRecorded(t Tile) Recorded {
	return Recorded{lent{t}, &memory{seed: maphash.MakeSeed(), samples: map[uint64]transport.Sample{},
		always: 0xFF}}
}

// Learn adds an execution.
func (m *memory) Learn(steps []transport.Step, samples []transport.Sample) error {
	var history uint64
	for i, s := range samples {
		history = m.digest(history, steps[i])
		before, known := m.samples[history]
		if known {
			if lines := s.Differ(before) | before.Differ(s); lines != 0 {
				m.wavering++
				s.SetUnknown(lines)
			}
		} else if len(m.samples) >= mostSteps {
			return failure.Usagef("it has more than %d different steps, which is too much for a reference", mostSteps)
		}
		m.samples[history] = s
		m.ever, m.always = m.ever|steps[i].Drive, m.always&steps[i].Drive
	}
	return nil
}

// VaryingSteps returns the number of steps with varying samples.
func (m *memory) VaryingSteps() int { return m.wavering }

func (m *memory) digest(history uint64, s transport.Step) uint64 {
	return maphash.Comparable(m.seed, struct {
		before uint64
		step   transport.Step
	}{history, s})
}

// New implements Tile.
func (r Recorded) New() Reference { return &recalled{memory: r.memory, own: r.Tile.New()} }

// Lint implements Tile. Recorded steps did the other chip no harm. They are also checked by a tile that knows its
// uio directions.
func (r Recorded) Lint(steps []transport.Step) error {
	var history uint64
	for i, s := range steps {
		history = r.digest(history, s)
		if _, known := r.samples[history]; !known {
			return &IllegalStepError{Step: i, Reason: "the recording used as the reference has no sample for this step"}
		}
	}
	if r.silent() {
		return nil
	}
	return r.Tile.Lint(steps)
}

// silent reports whether the tile itself has no reference.
func (r Recorded) silent() bool {
	_, silent := r.Tile.New().(SilentReference)
	return silent
}

// DrivenLines implements Turner. Without a reference a line turns if the bench drove it in some steps only.
func (r Recorded) DrivenLines() uint8 {
	if r.silent() {
		return r.ever &^ r.always
	}
	return 0
}

// ReleaseDriven implements Turner. It changes nothing: Lint accepts only recorded steps.
func (Recorded) ReleaseDriven(context.Context, []transport.Step) error { return nil }

// recalled is the other chip, as recorded.
type recalled struct {
	*memory
	own     Reference // determines which levels depend on the power-up state, which differs between chips
	known   []transport.Sample
	history uint64
}

func (*recalled) FollowCheckpoints() {}

// Close closes the tile's own reference.
func (r *recalled) Close() error {
	CloseReference(r.own)
	return nil
}

// Run implements Reference. After an unrecorded history all levels are unknown.
func (r *recalled) Run(steps []transport.Step, samples []transport.Sample) error {
	if _, silent := r.own.(SilentReference); !silent {
		r.known = slices.Grow(r.known[:0], len(steps))[:len(steps)]
		if err := r.own.Run(steps, r.known); err != nil {
			return err
		}
	}
	for i, s := range steps {
		r.history = r.digest(r.history, s)
		var known bool
		if samples[i], known = r.samples[r.history]; !known {
			samples[i] = transport.Sample{OutX: 0xFF, IOX: 0xFF}
		}
		if i < len(r.known) {
			samples[i].SetUnknown(r.known[i].Unknown())
		}
	}
	return nil
}
