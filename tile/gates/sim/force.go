package sim

// A Force drives Out with the level of In, except in the vectors of Low and High, in which it drives 0 and 1. It is a
// fault in some vectors of a machine, and takes no time: where it passes its input on, a machine behaves as if In and
// Out were one net.
type Force struct {
	In, Out   Net
	Low, High uint64
}

// force adds an operation for each force.
func (b *builder) force() {
	for i, f := range b.forces {
		out := int32(f.Out)
		if b.drivers[out] > 1 {
			out = b.fresh()
			b.drive(int32(f.Out), int32(One), out)
		}
		b.ops = append(b.ops, op{kind: opForce, out: out, a: b.in(f.In), b: int32(i)})
	}
}
