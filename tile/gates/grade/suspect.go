package grade

import (
	"cmp"
	"context"
	"math/bits"
	"runtime"
	"slices"
	"sync/atomic"

	"utfbench/internal/failure"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// Suspects searches for bridges that explain a chip's samples.
//
// A bridge gives a net a wrong level only at some moments. So each net is inverted at one moment, at or a few steps
// before the chip's first difference, and the good chip is compared with the chip's samples. A net that explains many
// vectors is a victim, whatever its fault. Its partner has the other level at those moments. Where a wrong level would
// have shown later but did not, the partner has the same level, or one that does not win.
type Suspects struct {
	*List
	Vectors []Vector             // of a run
	Got     [][]transport.Sample // of the chip
	First   []int                // the step of its first difference; negative if there is none

	bridger *Bridger
	sites   []int32
	state   []sim.Net
	base    []int      // by vector: the number of its first moment
	high    [][]uint64 // by index of sites: the moments at which the net of a good chip is 1
	low     [][]uint64
	failed  int
}

// The moments of a step: before its last clock, and after it.
const (
	before = iota
	after
	moments
)

const (
	mostSteps    = 5   // from a wrong level to its effect, both included
	mostVictims  = 256 // nets that have a fault
	mostPartners = 30  // of each victim
)

// A victim is a net that explains some vectors, with moments at which it must be wrong and moments at which it must
// not.
type victim struct {
	site         int // index into sites
	explained    int
	wrong, right []uint64
}

// Find returns at most n bridges, best agreement first. The error is ctx's.
func (s *Suspects) Find(ctx context.Context, n int) ([]Fault, error) {
	s.bridger = s.NewBridger()
	s.sites = s.bridger.Sites()
	s.watch()
	victims, err := s.victims(ctx)
	if err != nil {
		return nil, err
	}
	share := make([]float64, len(s.sites)) // of the vectors that a net explains
	for _, v := range victims {
		share[v.site] = float64(v.explained) / float64(s.failed)
	}
	var likely, rest []scored
	for i := range victims {
		all := s.partners(&victims[i], share)
		few := min(len(all), mostPartners)
		likely, rest = append(likely, all[:few]...), append(rest, all[few:]...)
	}
	slices.SortStableFunc(likely, byScore)
	slices.SortStableFunc(rest, byScore)
	return s.best(append(likely[:min(len(likely), n/2)], rest...), n), ctx.Err()
}

// moment returns the number of a moment.
func (s *Suspects) moment(vector, step, when int) int { return s.base[vector] + step*moments + when }

// words returns the number of words in a set of moments.
func (s *Suspects) words() int { return s.base[len(s.Vectors)]/64 + 1 }

// last returns the last relevant step of a vector: that of the chip's first difference.
func (s *Suspects) last(vector int) int {
	if s.First[vector] < 0 {
		return len(s.Vectors[vector].Steps) - 1
	}
	return s.First[vector]
}

// watch records the levels of nets in a good chip.
func (s *Suspects) watch() {
	s.base = make([]int, 1)
	for v := range s.Vectors {
		s.base = append(s.base, s.base[v]+len(s.Vectors[v].Steps)*moments)
		if s.First[v] >= 0 {
			s.failed++
		}
	}
	for _, cell := range s.Design.Circuit.Cells {
		if cell.Kind.Holds() {
			s.state = append(s.state, cell.Out)
		}
	}
	for range s.sites {
		s.high, s.low = append(s.high, make([]uint64, s.words())), append(s.low, make([]uint64, s.words()))
	}
	chip := s.Design.NewChip(nil)
	for v := range s.Vectors {
		chip.Reset()
		for at := range s.last(v) + 1 {
			step := s.Vectors[v].Steps[at]
			if step.Clocks > 0 {
				step.Clocks--
				chip.Apply(&step)
				step.Clocks = 1
			}
			s.record(chip, s.moment(v, at, before))
			chip.Apply(&step)
			s.record(chip, s.moment(v, at, after))
		}
	}
}

func (s *Suspects) record(chip *gates.Chip, m int) {
	for i, site := range s.sites {
		level := chip.Level(s.Sites[site].Net)
		s.high[i][m/64] |= (level.Hi &^ level.Lo & 1) << (m % 64)
		s.low[i][m/64] |= (level.Lo &^ level.Hi & 1) << (m % 64)
	}
}

// victims returns the nets that explain some vector, best first.
func (s *Suspects) victims(ctx context.Context) ([]victim, error) {
	all := make([]victim, len(s.sites))
	for i := range all {
		all[i] = victim{site: i, wrong: make([]uint64, s.words()), right: make([]uint64, s.words())}
	}
	if err := InGroups(ctx, all, lanes, s.invert); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(v victim) bool { return v.explained == 0 })
	slices.SortStableFunc(all, func(a, b victim) int { return cmp.Compare(b.explained, a.explained) })
	all = all[:min(len(all), mostVictims)]
	return all, InGroups(ctx, all, lanes/2, s.quiet)
}

// InGroups calls do for groups of at most this size, on several goroutines, until one fails. The error is do's or
// ctx's.
func InGroups[T any](ctx context.Context, all []T, size int, do func(some []T) error) error {
	var next atomic.Int64
	var wait failure.Group
	var failed atomic.Pointer[error]
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for ctx.Err() == nil && failed.Load() == nil {
				at := int(next.Add(int64(size))) - size
				if at >= len(all) {
					return
				}
				if err := do(all[at:min(at+size, len(all))]); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	wait.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return ctx.Err()
}

// invert finds the moments at which nets must be wrong.
func (s *Suspects) invert(nets []victim) error {
	faults := make([]Fault, len(nets))
	for i, v := range nets {
		faults[i] = Fault{Site: s.sites[v.site], Level: true, flips: true, by: sim.One}
	}
	t, err := s.trial(faults)
	if err != nil {
		return err
	}
	for v, first := range s.First {
		if first < 0 {
			continue
		}
		t.vector(&s.Vectors[v], s.Got[v], first)
		for i := range nets {
			s.note(&nets[i], t, i, v)
		}
	}
	return nil
}

// note records the result of a vector for the net in a lane.
func (s *Suspects) note(n *victim, t *trial, lane, vector int) {
	set := func(back, when int) {
		m := s.moment(vector, s.First[vector]-back, when)
		n.wrong[m/64] |= 1 << (m % 64)
	}
	switch {
	case t.before[0]>>lane&1 != 0:
		set(0, before)
	case t.after>>lane&1 != 0:
		set(0, after)
	case t.both>>lane&1 != 0:
		set(0, before)
		set(0, after)
	default:
		back := slices.IndexFunc(t.before[:], func(lanes uint64) bool { return lanes>>lane&1 != 0 })
		if back < 0 {
			return
		}
		set(back, before)
	}
	n.explained++
}

// quiet finds moments at which nets were right: a net stuck at the other level from then on would have shown before
// the chip differed.
func (s *Suspects) quiet(nets []victim) error {
	faults := make([]Fault, 2*len(nets))
	for i := range faults {
		faults[i] = Fault{Site: s.sites[nets[i/2].site], Level: i%2 == 1}
	}
	rig, err := s.NewRig(faults)
	if err != nil {
		return err
	}
	right := s.Design.NewChip(nil)
	for v := range s.Vectors {
		s.quietIn(rig, right, nets, v)
	}
	return nil
}

// quietIn finds these moments in a vector.
func (s *Suspects) quietIn(rig *Rig, right *gates.Chip, nets []victim, v int) {
	right.Reset()
	var acted uint64
	at := make([]int, rig.Faults)
	steps := s.Vectors[v].Steps
	rig.Run([][]transport.Step{steps}, func(step int) bool {
		right.Apply(&steps[step])
		seen, _ := rig.Differ([]Look{Expect(&steps[step], &s.Vectors[v].Want[step])})
		for now := (s.acts(rig.chip, right) | seen) &^ acted & rig.all(); now != 0; now &= now - 1 {
			at[bits.TrailingZeros64(now)] = step
			acted |= now & -now
		}
		if step == s.First[v] { // an effect only at this step proves nothing
			return false
		}
		for seen &= acted; seen != 0; seen &= seen - 1 {
			i := bits.TrailingZeros64(seen)
			when := after
			if steps[at[i]].Clocks > 0 {
				when = before
			}
			m, n := s.moment(v, at[i], when), &nets[i/2]
			other := s.high[n.site]
			if i%2 == 1 {
				other = s.low[n.site]
			}
			n.right[m/64] |= other[m/64] & (1 << (m % 64))
		}
		return true
	})
}

// acts returns the lanes in which a chip certainly has a state other than the good one's.
func (s *Suspects) acts(chip, right *gates.Chip) (lanes uint64) {
	for _, n := range s.state {
		is, want := chip.Level(n), right.Level(n)
		lanes |= is.Hi&^is.Lo&^want.Hi | is.Lo&^is.Hi&^want.Lo
	}
	return lanes
}

// A scored is a bridge with its agreement.
type scored struct {
	site, other int // indexes into sites
	short       Short
	score       float64
}

// partners returns a net's bridges, best agreement first. If neither net dominates, the partner may explain further
// vectors.
func (s *Suspects) partners(v *victim, share []float64) (all []scored) {
	for other := range s.sites {
		if other == v.site {
			continue
		}
		for _, short := range Shorts() {
			explains := share[v.site]
			if short != Dominant {
				explains += share[other]
			}
			if score := s.agree(v, other, short); score > 0 {
				all = append(all, scored{v.site, other, short, score + min(explains, 1)})
			}
		}
	}
	slices.SortStableFunc(all, byScore)
	return all
}

func byScore(a, b scored) int { return cmp.Compare(b.score, a.score) }

// agree rates a bridge from 0 to 2: the share of moments at which the net must be wrong and is, plus the share of
// those at which it must not be and is not. It is 0 if the net is never wrong.
func (s *Suspects) agree(v *victim, other int, short Short) float64 {
	var wrong, right, acts, quiet int
	for k := range v.wrong {
		act := uint64(0)
		if short != WiredOR {
			act |= s.high[v.site][k] & s.low[other][k]
		}
		if short != WiredAND {
			act |= s.low[v.site][k] & s.high[other][k]
		}
		wrong += bits.OnesCount64(v.wrong[k])
		acts += bits.OnesCount64(v.wrong[k] & act)
		right += bits.OnesCount64(v.right[k])
		quiet += bits.OnesCount64(v.right[k] &^ act)
	}
	if acts == 0 {
		return 0
	}
	return float64(acts)/float64(wrong) + float64(quiet+1)/float64(right+1)
}

// best returns the first bridges, each once: unless one net dominates, a bridge is symmetric.
func (s *Suspects) best(all []scored, n int) (faults []Fault) {
	met := map[[3]int]bool{}
	for _, one := range all {
		key := [3]int{one.site, one.other, int(one.short)}
		if one.short != Dominant {
			key[0], key[1] = min(one.site, one.other), max(one.site, one.other)
		}
		if met[key] || len(faults) == n {
			continue
		}
		met[key] = true
		if f, ok := s.bridger.Bridge(s.sites[one.site], s.sites[one.other], one.short); ok {
			faults = append(faults, f)
		}
	}
	return faults
}
