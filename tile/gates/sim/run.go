package sim

import "math/bits"

// Few nets change in most events. So a ternary machine evaluates only readers of changed nets, in order, and switches
// to evaluating all operations, each of which costs less, if there are many. In lanes it always evaluates all, since
// an operation may have random levels.

// The share of operations at which sparse evaluation ends, and the number of runs before it is tried again.
const (
	denseShare = 5
	denseRuns  = 12
	fewOps     = 64 // smaller programs are always evaluated completely
)

// readers holds the operations that read each net: those of net n from first[n] to first[n+1].
type readers struct{ first, ops []uint32 }

func readersOf(p *Program) (r readers) {
	r.first = make([]uint32, p.size+1)
	for i := range p.ops {
		reads(&p.ops[i], p.shared, func(n *int32) { r.first[*n+1]++ })
	}
	for n := range p.size {
		r.first[n+1] += r.first[n]
	}
	r.ops = make([]uint32, r.first[p.size])
	next := make([]uint32, p.size)
	for i := range p.ops {
		reads(&p.ops[i], p.shared, func(n *int32) {
			r.ops[r.first[*n]+next[*n]] = uint32(i)
			next[*n]++
		})
	}
	return r
}

// A dirty is the set of operations to evaluate, by index; it is empty between events.
type dirty struct {
	words []uint64 // nil if all are always evaluated
	dense int      // number of runs that evaluate all
}

func newDirty(p *Program, l *lanes) (d dirty) {
	if l == nil && len(p.ops) > fewOps {
		d.words = make([]uint64, (len(p.ops)+63)/64)
	}
	return d
}

// touch records a change of a net.
func (m *Machine) touch(net int32) {
	if m.dirty.words == nil || m.dirty.dense > 0 {
		return
	}
	r := &m.p.readers
	for _, i := range r.ops[r.first[net]:r.first[net+1]] {
		m.dirty.words[i/64] |= 1 << (i % 64)
	}
}

// run evaluates the operations with changed inputs; no others may be due.
func (m *Machine) run(ops []op) {
	switch d := &m.dirty; {
	case d.words != nil && d.dense == 0:
		m.runDirty(len(ops))
		return
	case d.dense > 0: // after the last of these, changes are recorded again
		d.dense--
	}
	m.evaluate(ops)
	m.recordOps(ops)
}

// runAll evaluates all operations.
func (m *Machine) runAll() {
	clear(m.dirty.words)
	m.evaluate(m.p.ops)
	m.record()
}

// runDirty evaluates the recorded operations, at most all.
func (m *Machine) runDirty(all int) {
	const costs = 3
	d, left := &m.dirty, max(all, fewOps)/denseShare
	for w := range d.words {
		for d.words[w] != 0 {
			i := w*64 + bits.TrailingZeros64(d.words[w])
			d.words[w] &= d.words[w] - 1
			o := &m.p.ops[i]
			old := m.v[o.out]
			m.work += costs - 1
			m.evaluate(m.p.ops[i : i+1])
			if m.v[o.out] != old {
				m.touch(o.out)
				m.seen.add(o.out, m.v[o.out])
			}
			if left--; left == 0 {
				m.evaluate(m.p.ops[i+1:])
				m.recordOps(m.p.ops[i+1:])
				clear(d.words)
				d.dense = denseRuns
				return
			}
		}
	}
}

// evaluate evaluates operations.
func (m *Machine) evaluate(ops []op) {
	v := m.v
	m.work += len(ops)
	for i := range ops {
		o := &ops[i]
		switch o.kind {
		case opAnd:
			a, b := v[o.a], v[o.b]
			v[o.out] = Set{a.Hi & b.Hi, a.Lo | b.Lo}
		case opOr:
			a, b := v[o.a], v[o.b]
			v[o.out] = Set{a.Hi | b.Hi, a.Lo & b.Lo}
		case opNand:
			a, b := v[o.a], v[o.b]
			v[o.out] = Set{a.Lo | b.Lo, a.Hi & b.Hi}
		case opNor:
			a, b := v[o.a], v[o.b]
			v[o.out] = Set{a.Lo & b.Lo, a.Hi | b.Hi}
		case opNot:
			a := v[o.a]
			v[o.out] = Set{a.Lo, a.Hi}
		case opXor:
			a, b := v[o.a], v[o.b]
			v[o.out] = Set{a.Hi&b.Lo | a.Lo&b.Hi, a.Hi&b.Hi | a.Lo&b.Lo}
		case opXnor:
			a, b := v[o.a], v[o.b]
			v[o.out] = Set{a.Hi&b.Hi | a.Lo&b.Lo, a.Hi&b.Lo | a.Lo&b.Hi}
		case opForce:
			a, f := v[o.a], &m.p.forces[o.b]
			v[o.out] = Set{a.Hi&^f.Low | f.High, a.Lo&^f.High | f.Low}
		case opMux:
			a, b, c := v[o.a], v[o.b], v[o.c]
			v[o.out] = Set{a.Hi&b.Hi | a.Lo&c.Hi, a.Hi&b.Lo | a.Lo&c.Lo}
		default:
			v[o.out] = m.resolve(o)
		}
	}
}
