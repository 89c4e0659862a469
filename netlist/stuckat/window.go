package stuckat

import (
	"context"
	"encoding/binary"
	"fmt"

	"utfbench/netlist"
	"utfbench/transport"
)

// A Vector is steps from an unknown state, with what a right chip shows.
type Vector struct {
	Suite, Name string
	Steps       []transport.Step
	Want        []transport.Sample
}

// A powerUp is a state in which chips wake up, with the level of lines that nobody drives: all 0, or all 1.
type powerUp int

const powerUps = 2

// An entry of a trace is a frame: its number and its role. A frame is what the logic is asked at one moment: the state,
// the inputs, a role. Frames that are equal are one, however often they come.
type entry uint32

func (e entry) role() role { return role(e & 1) }
func (e entry) id() int    { return int(e >> 1) }

// A trace is what the fault-free chip does in a vector: for each step a frame for each clock, and one for the look.
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

// size is how many bytes the levels take.
func (w *window) size() (n int) {
	for r := range w.states {
		blocks := len(w.packed[r])/lanes + 1
		n += blocks * len(w.n.Nets) * words * 8
	}
	return n
}

// A walker is a lane that does a vector: at which step it is, and how many of its clocks are still to come.
type walker struct {
	step, clocks int
	packed       uint64
}

// begin takes the walker's step; done says that there is none.
func (k *walker) begin(v *Vector, p powerUp) (done bool) {
	if k.step == len(v.Steps) {
		return true
	}
	k.packed = pack(v.Steps[k.step], v.Want[k.step], p == 1)
	k.clocks = int(v.Steps[k.step].Clocks)
	return false
}

// walk does vectors side by side and keeps their traces.
func (w *window) walk(m *machine, batch []Vector, p powerUp) error {
	var packed [lanes]uint64
	var live word
	walkers := make([]walker, len(batch))
	traces := make([]trace, len(batch))
	for lane := range batch {
		if !walkers[lane].begin(&batch[lane], p) {
			live.set(lane)
		}
	}
	fill(m, p)
	for live.any() {
		var clocks, looks word
		for lane := range walkers {
			if !live.has(lane) {
				continue
			}
			packed[lane] = walkers[lane].packed
			if walkers[lane].clocks > 0 {
				clocks.set(lane)
			}
			if walkers[lane].clocks <= 1 {
				looks.set(lane)
			}
		}
		m.load(&packed)
		if clocks.any() {
			w.keep(m, clock, &clocks, walkers, traces)
			m.clock(&clocks)
		}
		w.keep(m, look, &looks, walkers, traces)
		m.look(&looks)
		if err := w.right(m, &looks, batch, walkers); err != nil {
			return err
		}
		for lane := range walkers {
			k := &walkers[lane]
			switch {
			case !live.has(lane):
			case k.clocks > 1:
				k.clocks--
			default:
				k.step++
				if k.begin(&batch[lane], p) {
					live.clear(lane)
				}
			}
		}
	}
	w.traces[p] = append(w.traces[p], traces...)
	return nil
}

// fill puts all lanes into the state of a power-up.
func fill(m *machine, p powerUp) {
	var all word
	if p == 1 {
		all = word{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	}
	for i := range m.n.Flops {
		m.v[m.n.Flops[i].State] = all
	}
}

// keep adds the frames that the lanes in mask are at to their traces.
func (w *window) keep(m *machine, r role, mask *word, walkers []walker, traces []trace) {
	states := m.states()
	key := make([]byte, 8*(w.words+1))
	for lane := range walkers {
		if !mask.has(lane) {
			continue
		}
		packed := walkers[lane].packed & frameBits[r]
		for i := range w.words {
			binary.LittleEndian.PutUint64(key[8*i:], states[i][lane])
		}
		binary.LittleEndian.PutUint64(key[8*w.words:], packed)
		id, met := w.index[r][string(key)]
		if !met {
			id = len(w.packed[r])
			w.index[r][string(key)] = id
			w.packed[r] = append(w.packed[r], packed)
			for i := range w.words {
				w.states[r] = append(w.states[r], states[i][lane])
			}
		}
		traces[lane] = append(traces[lane], entry(id<<1)|entry(r))
	}
}

// states are the bits that each lane holds, 64 flip-flops a word.
func (m *machine) states() [][lanes]uint64 {
	all := make([][lanes]uint64, max(1, (len(m.n.Flops)+63)/64))
	var t [64]uint64
	for i := range all {
		for k := range words {
			clear(t[:])
			for j := 64 * i; j < min(64*i+64, len(m.n.Flops)); j++ {
				t[j-64*i] = m.v[m.n.Flops[j].State][k]
			}
			transpose(&t)
			copy(all[i][64*k:], t[:])
		}
	}
	return all
}

// right refuses a netlist that shows something else than a right chip.
func (w *window) right(m *machine, looks *word, batch []Vector, walkers []walker) error {
	wrong := m.differ()
	for lane := range walkers {
		if !looks.has(lane) || !wrong.has(lane) {
			continue
		}
		var got transport.Sample
		for i, net := range m.n.Out {
			level := m.read(net)
			if level.has(lane) && i < 8 {
				got.Out |= 1 << i
			} else if level.has(lane) {
				got.IO |= 1 << (i - 8)
			}
		}
		k := walkers[lane].step
		want := batch[lane].Want[k]
		got.OutX, got.IOX = want.OutX, want.IOX
		return &Other{Vector: batch[lane].Name, Step: k, Got: got, Want: want}
	}
	return nil
}

// An Other is a netlist without faults that does not do what a right chip does: it is of another design, or revision.
type Other struct {
	Vector    string
	Step      int // from 0
	Got, Want transport.Sample
}

func (e *Other) Error() string {
	return fmt.Sprintf("%s, step %d: the netlist shows uo %s uio %s, and a right chip uo %s uio %s: it is the netlist "+
		"of another design or revision", e.Vector, e.Step+1, levelsOf(e.Got.Out, e.Got.OutX),
		levelsOf(e.Got.IO, e.Got.IOX), levelsOf(e.Want.Out, e.Want.OutX), levelsOf(e.Want.IO, e.Want.IOX))
}

// levelsOf writes lines bit by bit, 7 first, with x for one that is not known.
func levelsOf(lines, unknown uint8) string {
	text := []byte(fmt.Sprintf("%08b", lines))
	for i := range text {
		if unknown>>(7-i)&1 != 0 {
			text[i] = 'x'
		}
	}
	return string(text)
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

// state is that of a frame.
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

// framesOf are those of some vectors from a power-up.
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
