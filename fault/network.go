package fault

import "utfbench/transport"

// rounds is the number of rounds after which levels that still change count as oscillating.
const rounds = 8

// settle computes the levels at both ends. A bridge between an input and an output forms a loop; if it does not settle,
// it oscillates, and all levels that depend on it are unknown.
func (w *Wires) settle(bench Levels, drive uint32) (toChip, toBench Levels) {
	toChip = w.permute(bench)
	var own, next, seen Levels
	var ownDrive uint32
	for i := 0; ; i++ {
		out, lines := w.chip.Drives(toChip)
		if i == 0 || out != own || lines != ownDrive { // otherwise nothing has changed since the last round
			own, ownDrive = out, lines
			next, seen = w.connect(bench, drive, w.unpermute(own), w.unpermuteMask(ownDrive))
			next = w.permute(next)
		}
		before, unknown := toChip, next.X
		if i >= rounds { // from here on levels only become unknown, so the loop ends
			unknown |= before.X | next.V ^ before.V
		}
		if toChip = (Levels{next.V &^ unknown, unknown}); toChip == before {
			return toChip, seen
		}
	}
}

// connect joins the ends of each line, in the bench's numbering.
func (w *Wires) connect(bench Levels, drive uint32, own Levels, ownDrive uint32) (toChip, toBench Levels) {
	w.keptBench = w.keptBench.with(bench, drive)
	w.keptOwn = w.keptOwn.with(own, ownDrive)

	wire := join(bench, drive, own, ownDrive)
	if w.Pull != transport.PullNone {
		wire = wire.with(w.pulled(), w.pulls()&^(drive|ownDrive))
	}
	for _, f := range w.bridges {
		wire = bridge(wire, drive|ownDrive, f)
	}
	wire = wire.with(Levels{V: w.stuckHigh}, w.stuck)
	toChip, toBench = wire, wire
	if turned := w.inverted ^ w.flipped; turned != 0 {
		toChip = wire.with(wire.invert(turned), turned&drive&^ownDrive)
		toBench = wire.with(wire.invert(turned), turned&ownDrive&^drive)
	}
	if w.cut != 0 {
		toChip = toChip.with(w.loose(w.keptOwn), w.cut).with(Levels{V: w.high}, w.low|w.high).with(own, w.cut&ownDrive)
		toBench = toBench.with(w.loose(w.keptBench), w.cut).with(w.pulled(), w.pulls()&w.float).
			with(bench, w.cut&drive)
	}
	return toChip, toBench
}

// pulls returns the lines that the pull affects; pulled returns their level.
func (w *Wires) pulls() uint32 {
	if w.Pull == transport.PullNone {
		return 0
	}
	return MaskUO | MaskUIO
}

func (w *Wires) pulled() Levels {
	if w.Pull == transport.PullUp {
		return Levels{V: MaskUO | MaskUIO}
	}
	return Levels{}
}

// loose returns the levels of cut lines at an end that its own side does not drive; kept holds its last driven levels.
func (w *Wires) loose(kept Levels) Levels {
	return Levels{V: w.noise}.with(kept, w.keep).with(Levels{X: w.float}, w.float)
}

func (w *Wires) permute(l Levels) Levels {
	for _, s := range w.swaps {
		l = Levels{exchange(l.V, s), exchange(l.X, s)}
	}
	return l
}

func (w *Wires) unpermute(l Levels) Levels {
	return Levels{w.unpermuteMask(l.V), w.unpermuteMask(l.X)}
}

func (w *Wires) unpermuteMask(m uint32) uint32 {
	for i := len(w.swaps) - 1; i >= 0; i-- {
		m = exchange(m, w.swaps[i])
	}
	return m
}
