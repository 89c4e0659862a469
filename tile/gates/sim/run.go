package sim

import "math/bits"

// In most events few nets change. So a ternary machine evaluates only the readers of changed nets, in order. If these
// are many, it evaluates all operations, at a lower cost each. In lanes it evaluates all, since levels may be random.

// Sparse evaluation ends at 1/denseShare of the operations, and is tried again after denseRuns runs.
const (
	denseShare = 5
	denseRuns  = 12
	fewOps     = 64 // smaller programs are always evaluated completely
)

// readers holds the operations that read each net: net n's are from first[n] to first[n+1].
type readers struct{ first, ops []uint32 }

func readersOf(p *Program, ops []op) (r readers) {
	r.first = make([]uint32, p.size+1)
	for i := range ops {
		reads(&ops[i], p.shared, func(n *int32) { r.first[*n+1]++ })
	}
	for n := range p.size {
		r.first[n+1] += r.first[n]
	}
	r.ops = make([]uint32, r.first[p.size])
	next := make([]uint32, p.size)
	for i := range ops {
		reads(&ops[i], p.shared, func(n *int32) {
			r.ops[r.first[*n]+next[*n]] = uint32(i)
			next[*n]++
		})
	}
	return r
}

func (r *readers) of(net int32) []uint32 { return r.ops[r.first[net]:r.first[net+1]] }

// dirty holds the set of operations to evaluate, by index; it is empty between events.
type dirty struct {
	words []uint64 // nil if all are always evaluated
	dense int      // number of runs that still evaluate all
}

func newDirty(p *Program, l *lanes) (d dirty) {
	if l == nil && len(p.ops) > fewOps {
		d.words = make([]uint64, (len(p.ops)+63)/64)
	}
	return d
}

func (m *Machine) touch(net int32) {
	if m.dirty.words == nil || m.dirty.dense > 0 {
		return
	}
	for _, i := range m.p.readers.of(net) {
		m.dirty.words[i/64] |= 1 << (i % 64)
	}
}

// run evaluates the operations with changed inputs. ops must contain all of them.
func (m *Machine) run(ops []op) {
	switch d := &m.dirty; {
	case d.words != nil && d.dense == 0:
		m.runDirty(len(ops))
		return
	case d.dense > 0: // after the last dense run, changes are recorded again
		d.dense--
	}
	m.evaluate(ops)
	m.recordOps(ops)
}

func (m *Machine) runAll() {
	clear(m.dirty.words)
	m.evaluate(m.p.ops)
	m.record()
}

// runDirty evaluates the recorded operations. If they exceed a share of all, it evaluates every remaining operation.
func (m *Machine) runDirty(all int) {
	const costs = 3
	d, left := &m.dirty, max(all, fewOps)/denseShare
	for w := range d.words {
		for d.words[w] != 0 {
			i := w*64 + bits.TrailingZeros64(d.words[w])
			d.words[w] &= d.words[w] - 1
			o := &m.p.ops[i]
			old := m.v[o.out]
			m.work += costs
			m.evaluateRun(m.p.ops[:i+1], i)
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

// evaluate evaluates operations, each run of one kind in its own loop: to dispatch takes longer than an operation.
func (m *Machine) evaluate(ops []op) {
	m.work += len(ops)
	for i := 0; i < len(ops); {
		i = m.evaluateRun(ops, i)
	}
}

func (m *Machine) evaluateRun(ops []op, i int) int {
	v := m.v
	switch ops[i].kind {
	case opAnd:
		for ; i < len(ops) && ops[i].kind == opAnd; i++ {
			o, a, b := &ops[i], v[ops[i].a], v[ops[i].b]
			v[o.out] = Set{a.Hi & b.Hi, a.Lo | b.Lo}
		}
	case opOr:
		for ; i < len(ops) && ops[i].kind == opOr; i++ {
			o, a, b := &ops[i], v[ops[i].a], v[ops[i].b]
			v[o.out] = Set{a.Hi | b.Hi, a.Lo & b.Lo}
		}
	case opNand:
		for ; i < len(ops) && ops[i].kind == opNand; i++ {
			o, a, b := &ops[i], v[ops[i].a], v[ops[i].b]
			v[o.out] = Set{a.Lo | b.Lo, a.Hi & b.Hi}
		}
	case opNor:
		for ; i < len(ops) && ops[i].kind == opNor; i++ {
			o, a, b := &ops[i], v[ops[i].a], v[ops[i].b]
			v[o.out] = Set{a.Lo & b.Lo, a.Hi | b.Hi}
		}
	case opNot:
		for ; i < len(ops) && ops[i].kind == opNot; i++ {
			o, a := &ops[i], v[ops[i].a]
			v[o.out] = Set{a.Lo, a.Hi}
		}
	case opXor:
		for ; i < len(ops) && ops[i].kind == opXor; i++ {
			o, a, b := &ops[i], v[ops[i].a], v[ops[i].b]
			v[o.out] = Set{a.Hi&b.Lo | a.Lo&b.Hi, a.Hi&b.Hi | a.Lo&b.Lo}
		}
	case opXnor:
		for ; i < len(ops) && ops[i].kind == opXnor; i++ {
			o, a, b := &ops[i], v[ops[i].a], v[ops[i].b]
			v[o.out] = Set{a.Hi&b.Hi | a.Lo&b.Lo, a.Hi&b.Lo | a.Lo&b.Hi}
		}
	case opMux:
		for ; i < len(ops) && ops[i].kind == opMux; i++ {
			o, a, b, c := &ops[i], v[ops[i].a], v[ops[i].b], v[ops[i].c]
			v[o.out] = Set{a.Hi&b.Hi | a.Lo&c.Hi, a.Hi&b.Lo | a.Lo&c.Lo}
		}
	case opForce:
		for ; i < len(ops) && ops[i].kind == opForce; i++ {
			o, a, f := &ops[i], v[ops[i].a], &m.p.forces[ops[i].b]
			v[o.out] = Set{a.Hi&^f.Low | f.High, a.Lo&^f.High | f.Low}
		}
	case opShared:
		for ; i < len(ops) && ops[i].kind == opShared; i++ {
			v[ops[i].out] = m.resolve(&ops[i])
		}
	}
	return i
}
