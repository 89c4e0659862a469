package sim

// batch reorders operations for evaluate, so that operations of one kind are consecutive as far as their inputs allow.
func (p *Program) batch() {
	b := batcher{readers: readersOf(p, p.ops), ops: p.ops, left: make([]int32, len(p.ops)),
		done: make([]op, 0, len(p.ops))}
	computed := make([]bool, p.size)
	for i := range p.ops {
		computed[p.ops[i].out] = true
	}
	for i := range p.ops {
		reads(&p.ops[i], p.shared, func(n *int32) {
			if computed[*n] {
				b.left[i]++
			}
		})
		if b.left[i] == 0 {
			b.add(uint32(i))
		}
	}
	for len(b.done) < len(p.ops) {
		b.take()
	}
	p.ops = b.done
}

// A batcher sorts operations.
type batcher struct {
	readers readers
	ops     []op
	left    []int32                // by operation: number of inputs that are still to be computed
	ready   [opShared + 1][]uint32 // operations with no such inputs, by kind
	done    []op
}

func (b *batcher) add(i uint32) {
	kind := b.ops[i].kind
	b.ready[kind] = append(b.ready[kind], i)
}

// take places the ready operations of the most frequent kind, and others of that kind that become ready meanwhile.
func (b *batcher) take() {
	most := &b.ready[0]
	for i := range b.ready {
		if len(b.ready[i]) > len(*most) {
			most = &b.ready[i]
		}
	}
	for at := 0; at < len(*most); at++ {
		o := b.ops[(*most)[at]]
		b.done = append(b.done, o)
		for _, i := range b.readers.of(o.out) {
			if b.left[i]--; b.left[i] == 0 {
				b.add(i)
			}
		}
	}
	*most = (*most)[:0]
}
