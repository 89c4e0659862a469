package stuckat

import (
	"context"

	"utfbench/netlist"
	"utfbench/transport"
)

// A Vector is steps from an unknown state, with a good chip's samples.
type Vector struct {
	Suite, Name string
	Steps       []transport.Step
	Want        []transport.Sample
}

// A powerUp is a state in which chips wake up, with the level of lines that nobody drives: all 0, or all 1.
type powerUp int

const powerUps = 2

// An entry of a trace is a frame's number and role. A frame is the logic's input at one moment: state, inputs, role.
// Equal frames are stored once.
type entry uint32

func (e entry) role() role { return role(e & 1) }
func (e entry) id() int    { return int(e >> 1) }

// A trace is the fault-free chip's run of a vector: for each step a frame for each clock, and one for the sample.
type trace []entry

// A window is vectors that are simulated together: their traces, and all frames with the level of each net.
type window struct {
	n       *netlist.Netlist
	words   int      // of a state
	vectors []Vector // from is the number of the first of them
	from    int
	traces  [powerUps][]trace
	begins  [][]int32 // of each vector: where the entries of each step begin, and where they end

	index  [roles]map[string]int
	states [roles][]uint64 // of each frame
	packed [roles][]uint64 // see pack
	good   [roles][]word   // for each block of frames, the level of each net
}

// mostLevels is how many bytes the levels of a window may take. Vectors that need more make another window.
const mostLevels = 128 << 20

// newWindow simulates the vectors from one on without faults, as many as fit.
func newWindow(ctx context.Context, n *netlist.Netlist, vectors []Vector, from int) (*window, error) {
	w := &window{n: n, words: max(1, (len(n.Flops)+63)/64), from: from}
	for r := range w.index {
		w.index[r] = map[string]int{}
	}
	m := newMachine(n)
	for from < len(vectors) && w.size() < mostLevels {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		batch := vectors[from:min(from+lanes, len(vectors))]
		for p := range powerUp(powerUps) {
			if err := w.walk(m, batch, p); err != nil {
				return nil, err
			}
		}
		for i := range batch {
			w.begins = append(w.begins, begins(batch[i].Steps))
		}
		w.vectors = append(w.vectors, batch...)
		from += len(batch)
	}
	w.levels(m)
	return w, nil
}

func begins(steps []transport.Step) []int32 {
	all := make([]int32, 1, len(steps)+1)
	at := int32(0)
	for _, s := range steps {
		at += int32(s.Clocks) + 1
		all = append(all, at)
	}
	return all
}

// size returns the size of the levels in bytes.
func (w *window) size() (n int) {
	for r := range w.states {
		blocks := len(w.packed[r])/lanes + 1
		n += blocks * len(w.n.Nets) * words * 8
	}
	return n
}

// levels computes the level of each net in all frames.
func (w *window) levels(m *machine) {
	for r := range roles {
		blocks := (len(w.packed[r]) + lanes - 1) / lanes
		w.good[r] = make([]word, 0, blocks*len(w.n.Nets))
		for b := range blocks {
			var packed [lanes]uint64
			copy(packed[:], w.packed[r][b*lanes:])
			m.load(&packed)
			for lane := range min(lanes, len(w.packed[r])-b*lanes) {
				m.start(lane, w.state(r, b*lanes+lane))
			}
			eval(m.n.Ops, m.v)
			w.good[r] = append(w.good[r], m.v[:len(w.n.Nets)]...)
		}
		w.index[r] = nil
	}
}

// state returns a frame's state.
func (w *window) state(r role, id int) []uint64 {
	return w.states[r][id*w.words : (id+1)*w.words]
}

// filled says which lanes of a block are frames.
func (w *window) filled(r role, block int) (mask word) {
	n := min(lanes, len(w.packed[r])-block*lanes)
	for k := range mask {
		switch left := n - 64*k; {
		case left >= 64:
			mask[k] = ^uint64(0)
		case left > 0:
			mask[k] = 1<<left - 1
		}
	}
	return mask
}

// A frames is some of a window's frames: for each role and block, which.
type frames [roles][]word

// framesOf returns the frames of some vectors from a power-up.
func (w *window) framesOf(vectors []int, p powerUp) *frames {
	f := new(frames)
	for r := range f {
		f[r] = make([]word, len(w.good[r])/len(w.n.Nets))
	}
	for _, v := range vectors {
		for _, e := range w.traces[p][v] {
			f[e.role()][e.id()/lanes].set(e.id() % lanes)
		}
	}
	return f
}
