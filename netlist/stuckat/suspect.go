package stuckat

import (
	"cmp"
	"context"
	"slices"

	"utfbench/netlist"
	"utfbench/transport"
)

// Suspects looks for nets that another one may be bridged with, and for that one.
//
// A bridge gives a net a wrong level at some moments alone. So it is asked of each net in which vectors the chip's
// answer at the step at which it first went wrong is just what a right chip shows that has this one level wrong there,
// or a few steps before: with a net that explains many of them something is wrong, whatever it is. What it is bridged
// with has another level then. Where the net's level, if it were wrong, would have been seen before anything was, it
// has the same, or one that does not win.
type Suspects struct {
	Nets, Bridges int                 // at most
	Beside        func(net int) []int // which nets one may be bridged with; nil for any
}

// Find returns the bridges that agree best with a chip's first divergences. vectors are some of a run's, got the
// samples, first the first step that differed, negative for none. The error is an *Other, or ctx's.
func (s *Suspects) Find(ctx context.Context, n *netlist.Netlist, vectors []Vector, got [][]transport.Sample,
	first []int) ([]Class, error) {
	w, err := newWindow(ctx, n, vectors, 0)
	if err != nil {
		return nil, err
	}
	f := &flipper{w: w, bridger: NewBridger(n)}
	f.load(got, first)
	victims := f.victims(ctx)
	victims = victims[:min(len(victims), s.Nets)]
	apart := w.apart()
	each(len(victims), newSimulators(n), func(sim *simulator, i int) {
		if ctx.Err() == nil {
			victims[i].right = sim.quiet(w, f.bridger, victims[i].net, first, apart)
		}
	})
	var all []scored
	for i := range victims {
		all = append(all, s.partners(f, &victims[i])...)
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return s.best(f.bridger, all), ctx.Err()
}

// best returns the first of the bridges, each once: without a dominant net, victim and aggressor are interchangeable.
func (s *Suspects) best(b *Bridger, all []scored) (classes []Class) {
	met := map[[3]int]bool{}
	for _, one := range all {
		key := [3]int{one.a, one.b, int(one.short)}
		if one.short != Dominant {
			key[0], key[1] = min(one.a, one.b), max(one.a, one.b)
		}
		if met[key] || len(classes) == s.Bridges {
			continue
		}
		met[key] = true
		if fault, ok := b.Bridge(one.a, one.b, one.short); ok {
			classes = append(classes, Class{fault})
		}
	}
	return classes
}

// A victim is a net with a level that explains first divergences: the frames in which it must be wrong, and some in
// which it must be right.
type victim struct {
	net          int
	explained    int // vectors
	wrong, right []entry
}

// A scored is a bridge with how well it agrees.
type scored struct {
	a, b  int
	short Short
	score float64
}

// earlier is how many steps before a chip first differs a level may have been wrong.
const earlier = 5

// A flipper makes the level of one net wrong at the step at which a chip first went wrong, or before.
type flipper struct {
	w       *window
	bridger *Bridger
	vectors []int           // of the lanes
	tries   [earlier]*trial // by how many steps before
}

// A trial runs the lanes from a step to the one at which the chip differed.
type trial struct {
	have    word    // lanes that have such a step
	at      []entry // the last clock of the step, or its look
	look    []entry
	clocked word   // lanes with a clock in this step
	states  []word // of flip-flops, before
	steps   []pass
}

// A pass is a step of all lanes, with the chip's samples as the expected ones.
type pass struct {
	packed [lanes]uint64
	clocks []word // which lanes have a first, a second one
}

// load prepares the trials.
func (f *flipper) load(got [][]transport.Sample, first []int) {
	for v, step := range first {
		if step >= 0 && len(f.vectors) < lanes {
			f.vectors = append(f.vectors, v)
		}
	}
	m := newMachine(f.w.n)
	for back := range f.tries {
		f.tries[back] = f.trial(m, back, got, first)
	}
}

func (f *flipper) trial(m *machine, back int, got [][]transport.Sample, first []int) *trial {
	t := &trial{at: make([]entry, lanes), look: make([]entry, lanes), steps: make([]pass, back+1)}
	for lane, v := range f.vectors {
		from := first[v] - back
		if from < 0 {
			continue
		}
		t.have.set(lane)
		begins, trace := f.w.begins[v], f.w.traces[0][v]
		look := int(begins[from+1]) - 1
		t.at[lane], t.look[lane] = trace[look], trace[look]
		if look > int(begins[from]) {
			t.at[lane] = trace[look-1]
			t.clocked.set(lane)
		}
		m.start(lane, f.w.state(t.at[lane].role(), t.at[lane].id()))
		for i := range t.steps {
			t.steps[i].add(lane, &f.w.vectors[v], from+i, got[v][from+i], i == 0)
		}
	}
	for i := range m.n.Flops {
		t.states = append(t.states, m.v[m.n.Flops[i].State])
	}
	return t
}

// add gives a lane its step; of the first one only the last clock is done.
func (p *pass) add(lane int, v *Vector, step int, got transport.Sample, last bool) {
	want := v.Want[step]
	got.OutX, got.IOX = got.OutX|want.OutX, got.IOX|want.IOX
	p.packed[lane] = pack(v.Steps[step], got, false)
	clocks := int(v.Steps[step].Clocks)
	if last {
		clocks = min(clocks, 1)
	}
	for k := range clocks {
		if k == len(p.clocks) {
			p.clocks = append(p.clocks, word{})
		}
		p.clocks[k].set(lane)
	}
}

// victims returns the nets that explain some first divergence, the best first.
func (f *flipper) victims(ctx context.Context) (all []victim) {
	found := make([]victim, len(f.w.n.Nets))
	each(len(found), newSimulators(f.w.n), func(s *simulator, net int) {
		if f.bridger.Driven(net) && ctx.Err() == nil {
			found[net] = f.flip(s.m, net)
		}
	})
	for i := range found {
		if found[i].explained > 0 {
			all = append(all, found[i])
		}
	}
	slices.SortStableFunc(all, func(a, b victim) int { return cmp.Compare(b.explained, a.explained) })
	return all
}

// flip returns the frames in which a net's wrong level explains the chip's samples.
func (f *flipper) flip(m *machine, net int) (v victim) {
	v.net = net
	var met word
	add := func(t *trial, wrong [roles]bool) {
		explained := t.show(m, f.inverted(m, net, wrong))
		for lane := range f.vectors {
			if !explained.has(lane) || met.has(lane) || wrong[clock] && !t.clocked.has(lane) {
				continue
			}
			met.set(lane)
			v.explained++
			if wrong[clock] {
				v.wrong = append(v.wrong, t.at[lane])
			}
			if wrong[look] {
				v.wrong = append(v.wrong, t.look[lane])
			}
		}
	}
	for back, t := range f.tries {
		add(t, [roles]bool{clock: true})
		if back == 0 {
			add(t, [roles]bool{look: true})
			add(t, [roles]bool{clock: true, look: true})
		}
	}
	return v
}

// inverted gives the operations of a machine with a net the other way round in some roles.
func (f *flipper) inverted(m *machine, net int, wrong [roles]bool) (ops [roles][]netlist.Op) {
	gate := f.bridger.driver[net]
	g, l := &m.n.Gates[gate], netlist.Lit(net<<1)^1
	for r := range ops {
		ops[r] = m.own[r]
		if at := m.at[r][gate]; wrong[r] && at != none {
			at += g.Ops.To - g.Ops.From
			ops[r] = slices.Concat(ops[r][:at], []netlist.Op{{A: l, B: l, To: uint32(net)}}, ops[r][at:])
		}
	}
	return ops
}

// show simulates the steps, the first with these operations, and returns the lanes that match the chip.
func (t *trial) show(m *machine, ops [roles][]netlist.Op) (same word) {
	for i := range m.n.Flops {
		m.v[m.n.Flops[i].State] = t.states[i]
	}
	same = t.have
	own := m.ops
	m.ops = ops
	for i := range t.steps {
		p := &t.steps[i]
		m.load(&p.packed)
		for k := range p.clocks {
			m.clock(&p.clocks[k])
		}
		m.look(&t.have)
		m.ops = own
		differ := m.differ()
		for k := range same {
			same[k] &^= differ[k]
		}
	}
	return same
}

// quiet returns frames in which a net was right, since an error would have shown before the chip differed.
func (s *simulator) quiet(w *window, b *Bridger, net int, first []int, apart *frames) (right []entry) {
	g := &w.n.Gates[b.driver[net]]
	for _, level := range levels {
		out := slices.Index(g.Out, net)
		f := &Fault{Cell: g.Cell, Level: level,
			patches: []patch{{b.driver[net], none - out, w.n.Fixed(b.driver[net], out, level)}}}
		places := s.places(w, f, apart)
		s.events.of(w, f)
		for v := range w.vectors {
			seen := int(places[v][0].Step)
			if seen == none || first[v] >= 0 && seen >= first[v] {
				continue
			}
			if at, _ := s.events.next(w.traces[0][v], 0); at != none {
				right = append(right, w.traces[0][v][at])
			}
		}
	}
	return right
}

// partners returns a victim's bridges, with their agreement.
func (s *Suspects) partners(f *flipper, v *victim) (all []scored) {
	mine := append(f.levels(v.wrong, v.net), f.levels(v.right, v.net)...)
	explains := float64(v.explained) / float64(len(f.vectors))
	try := func(net int) {
		if net == v.net || !f.bridger.Driven(net) {
			return
		}
		theirs := append(f.levels(v.wrong, net), f.levels(v.right, net)...)
		for short := range shorts {
			if score := short.agrees(mine, theirs, len(v.wrong)); score > 0 {
				all = append(all, scored{v.net, net, short, score + explains})
			}
		}
	}
	if s.Beside == nil {
		for net := range f.w.n.Nets {
			try(net)
		}
		return all
	}
	for _, net := range s.Beside(v.net) {
		try(net)
	}
	return all
}

// levels returns a net's levels in frames of a good chip.
func (f *flipper) levels(frames []entry, net int) []bool {
	all := make([]bool, len(frames))
	nets := len(f.w.n.Nets)
	for i, e := range frames {
		block := &f.w.good[e.role()][e.id()/lanes*nets+net]
		all[i] = block.has(e.id()%lanes) != f.w.n.Lits[net].Inverted()
	}
	return all
}

// agrees rates a bridge from 0 to 2: the share of frames in which the net must be wrong and is, plus the share in which
// it must be right and is. The first wrong frames are the former; the rate is 0 if it is wrong in none.
func (s Short) agrees(mine, theirs []bool, wrong int) float64 {
	var met [2]int
	for i := range mine {
		acts := mine[i] != theirs[i]
		switch s {
		case WiredAND:
			acts = mine[i] && !theirs[i]
		case WiredOR:
			acts = !mine[i] && theirs[i]
		}
		switch {
		case i < wrong && acts:
			met[0]++
		case i >= wrong && !acts:
			met[1]++
		}
	}
	if met[0] == 0 {
		return 0
	}
	return float64(met[0])/float64(wrong) + float64(met[1])/float64(max(1, len(mine)-wrong))
}
