package stuckat

import (
	"encoding/binary"
	"fmt"

	"utfbench/transport"
)

// A walker is a lane that does a vector: at which step it is, and how many of its clocks are still to come.
type walker struct {
	step, clocks int
	packed       uint64
}

// begin starts the walker's step; done means that there is none.
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

// states returns the bits of each lane, 64 flip-flops a word.
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

// An Other reports a fault-free netlist that differs from a good chip: another design, or revision.
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
