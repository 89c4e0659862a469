package stuckat

import (
	"math/bits"

	"utfbench/netlist"
)

// An events tells in which frames of a window a fault acts: where the lines show it (seen), and where a flip-flop takes
// or keeps a wrong bit (diverged). Blocks of frames are computed on first use, and only the part of the netlist that
// the fault reaches.
type events struct {
	w         *window
	readers   [][]int32 // of each net: gates
	releasing []bool    // of a gate, see there
	faulty    []word    // of a node
	stamp     []uint32  // of a net: the block in which faulty is what it shows
	now       uint32
	waiting   []uint64 // gates that are to be computed, a bit each
	touched   []int    // nets that changed

	fault    *Fault
	net      int // of a slow pin
	patched  map[int][]netlist.Op
	known    [roles][]bool // blocks
	acting   [roles][]word // seen or diverged
	seen     []word
	contends bool // in a frame that was looked at the chip drives a line that the bench drives too
	acts     bool // the fault acts in a frame that was looked at
}

func newEvents(n *netlist.Netlist) *events {
	e := &events{releasing: releasing(n), readers: make([][]int32, len(n.Nets)),
		faulty: make([]word, n.Nodes), stamp: make([]uint32, len(n.Nets)), waiting: make([]uint64, len(n.Gates)/64+1)}
	for i := range n.Gates {
		for _, net := range n.Gates[i].In {
			if r := e.readers[net]; len(r) == 0 || r[len(r)-1] != int32(i) {
				e.readers[net] = append(r, int32(i))
			}
		}
	}
	return e
}

// of begins with a fault in a window.
func (e *events) of(w *window, f *Fault) {
	e.w, e.fault, e.contends, e.acts = w, f, false, false
	if f.Slow {
		e.net = f.net(w.n)
	}
	e.patched = make(map[int][]netlist.Op, len(f.patches))
	for _, p := range f.patches {
		e.patched[p.gate] = p.ops
	}
	for r := range roles {
		blocks := len(w.good[r]) / len(w.n.Nets)
		e.known[r] = cleared(e.known[r], blocks)
		e.acting[r] = cleared(e.acting[r], blocks)
	}
	e.seen = cleared(e.seen, len(e.known[look]))
}

func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// next returns the first entry of a trace, from one on, at which the fault acts, or none, and whether it is seen there.
func (e *events) next(t trace, from int) (at int, seen bool) {
	for i := from; i < len(t); i++ {
		r, id := t[i].role(), t[i].id()
		block, lane := id/lanes, id%lanes
		if !e.known[r][block] {
			e.find(r, block)
		}
		if e.acting[r][block].has(lane) && (!e.fault.Slow || e.late(t, i)) {
			return i, r == look && e.seen[block].has(lane)
		}
	}
	return none, false
}

// actsIn reports whether the fault acts in any of these frames.
func (e *events) actsIn(f *frames) bool {
	for r := range roles {
		for block, of := range f[r] {
			if !of.any() {
				continue
			}
			if !e.known[r][block] {
				e.find(r, block)
			}
			for k, x := range e.acting[r][block] {
				if x&of[k] != 0 {
					return true
				}
			}
		}
	}
	return false
}

// find computes where the fault acts in a block, by recomputing the affected gates in order.
func (e *events) find(r role, block int) {
	n := e.w.n
	e.known[r][block] = true
	e.now++
	e.touched = e.touched[:0]
	good := e.w.good[r][block*len(n.Nets) : (block+1)*len(n.Nets)]
	for _, p := range e.fault.patches {
		e.waiting[p.gate/64] |= 1 << (p.gate % 64)
	}
	if e.fault.bridge != nil {
		e.bridged(e.fault.bridge, good)
	}
	for i := range e.waiting {
		for e.waiting[i] != 0 {
			gate := 64*i + bits.TrailingZeros64(e.waiting[i])
			e.waiting[i] &= e.waiting[i] - 1
			e.compute(gate, good)
		}
	}
	filled := e.w.filled(r, block)
	if len(e.touched) > 0 || e.fault.hold != nil {
		acting := &e.acting[r][block]
		if r == clock {
			*acting = e.taken(good, &filled)
		} else {
			e.seen[block], *acting = e.looked(block, good, &filled), e.kept(good, &filled)
			for k := range acting {
				acting[k] |= e.seen[block][k]
			}
		}
		e.acts = e.acts || acting.any()
	}
}

// compute does a gate.
func (e *events) compute(gate int, good []word) {
	n := e.w.n
	g := &n.Gates[gate]
	ops := n.Ops[g.Ops.From:g.Ops.To]
	if p, is := e.patched[gate]; is {
		ops = p
	}
	for i := range ops {
		o := &ops[i]
		a, b, d := e.node(o.A, good), e.node(o.B, good), &e.faulty[o.To]
		ma, mb := -uint64(o.A&1), -uint64(o.B&1)
		for k := range d {
			d[k] = (a[k] ^ ma) & (b[k] ^ mb)
		}
	}
	for _, net := range g.Out {
		e.settled(net, good)
	}
}

// settled schedules the readers of a net if it differs from its fault-free level.
func (e *events) settled(net int, good []word) {
	e.stamp[net] = e.now
	if e.faulty[net] == good[net] {
		return
	}
	e.touched = append(e.touched, net)
	for _, reader := range e.readers[net] {
		e.waiting[reader/64] |= 1 << (reader % 64)
	}
}

// node returns a node's value with the fault. Intermediate nodes belong to the current gate.
func (e *events) node(l netlist.Lit, good []word) *word {
	node := int(l >> 1)
	if node < len(good) && e.stamp[node] != e.now {
		return &good[node]
	}
	return &e.faulty[node]
}

// change says where a net shows something else with the fault.
func (e *events) change(net int, good []word) (w word) {
	if e.stamp[net] != e.now {
		return w
	}
	for k := range w {
		w[k] = e.faulty[net][k] ^ good[net][k]
	}
	return w
}

// taken returns the frames in which a flip-flop takes a wrong bit.
func (e *events) taken(good []word, filled *word) (any word) {
	n := e.w.n
	for i := range n.Flops {
		w := e.change(n.Flops[i].Next, good)
		for k := range any {
			any[k] |= w[k] & filled[k]
		}
	}
	for _, i := range e.fault.hold {
		f := &n.Flops[i]
		next, state := n.Lits[f.Next], good[f.State]
		for k := range any {
			any[k] |= (good[f.Next][k] ^ -uint64(next&1) ^ state[k]) & filled[k]
		}
	}
	return any
}

// kept does the same for flip-flops with clear or preset that keep a wrong bit.
func (e *events) kept(good []word, filled *word) (any word) {
	for i := range e.w.n.Flops {
		f := &e.w.n.Flops[i]
		if f.Held == f.State {
			continue
		}
		w := e.change(f.Held, good)
		for k := range any {
			any[k] |= w[k] & filled[k]
		}
	}
	return any
}

// looked says in which frames a line that is compared shows the fault.
func (e *events) looked(block int, good []word, filled *word) (any word) {
	n := e.w.n
	changed := [16]word{}
	for i, net := range n.Out {
		changed[i] = e.change(net, good)
		for k := range any {
			any[k] |= changed[i][k] & filled[k]
		}
	}
	e.contention(good, filled)
	packed := e.w.packed[look][block*lanes:]
	for k, x := range any { // where a line is not known nothing is compared
		for ; x != 0; x &= x - 1 {
			lane := 64*k + bits.TrailingZeros64(x)
			known, seen := packed[lane]>>atKnown, uint64(0)
			for i := range changed {
				seen |= changed[i][k] >> (lane % 64) & 1 << i
			}
			if known&seen == 0 {
				any.clear(lane)
			}
		}
	}
	return any
}

// contention notes whether the faulty chip drives a line that the bench drives.
func (e *events) contention(good []word, filled *word) {
	n := e.w.n
	for i, net := range n.OE {
		w := e.change(net, good)
		inverted, drive := -uint64(n.Lits[net]&1), &good[n.In.Drive[i]]
		for k := range w {
			if w[k]&(e.faulty[net][k]^inverted)&drive[k]&filled[k] != 0 {
				e.contends = true
			}
		}
	}
}
