package sim

import "slices"

// A trail detects periodic events: a machine that returns to an earlier state repeats itself forever. It compares the
// machine with a mark that it sets 8, 16, 32 and so on rounds after an event began or was calmed, so it detects any
// period soon after the period begins.
type trail struct {
	begins        int // the round from which rounds are counted
	at            int // the round of the mark
	v, before     []Set
	window        []Set
	moves, pulse  []uint64
	loose, vague  []uint64
	picked        []uint64
	groups        []groupState
	latches       []latchState
	moved, coming []motion
}

// firstMark is the first round at which a mark is set. Nearly all events end earlier.
const firstMark = 8

// period returns the number of rounds after which a machine repeats itself, or 0 if none is detected.
func (t *trail) period(m *Machine) int {
	n := m.round - t.begins
	if n > firstMark && t.same(m) {
		return m.round - t.at
	}
	if n >= firstMark && n&(n-1) == 0 {
		t.mark(m)
	}
	return 0
}

func (t *trail) restart(round int) { t.begins = round }

func (t *trail) same(m *Machine) bool {
	return slices.Equal(t.v, m.v) && slices.Equal(t.before, m.before) && slices.Equal(t.moved, m.moved) &&
		slices.Equal(t.window, m.window) && slices.Equal(t.groups, m.groups) && slices.Equal(t.latches, m.latches) &&
		slices.Equal(t.loose, m.loose) && slices.Equal(t.vague, m.vague) && slices.Equal(t.moves, m.moves) &&
		slices.Equal(t.picked, m.picked) &&
		slices.Equal(t.pulse, m.pulse) && slices.Equal(t.coming, m.coming)
}

func (t *trail) mark(m *Machine) {
	t.at = m.round
	t.v, t.before = append(t.v[:0], m.v...), append(t.before[:0], m.before...)
	t.window = append(t.window[:0], m.window...)
	t.moves, t.pulse = append(t.moves[:0], m.moves...), append(t.pulse[:0], m.pulse...)
	t.loose, t.vague = append(t.loose[:0], m.loose...), append(t.vague[:0], m.vague...)
	t.picked = append(t.picked[:0], m.picked...)
	t.groups, t.latches = append(t.groups[:0], m.groups...), append(t.latches[:0], m.latches...)
	t.moved, t.coming = append(t.moved[:0], m.moved...), append(t.coming[:0], m.coming...)
}
