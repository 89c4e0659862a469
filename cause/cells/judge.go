package cells

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"utfbench/internal/failure"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// A suspect is a fault with its score for the first differences and its account of all bits.
type suspect struct {
	fault gates.StuckAt
	class int // index in the list
	agree int
	account
}

// An account compares a fault's prediction with a chip's samples. The fault predicts a wrong bit (explained), possibly
// predicts it (open) or does not predict it (missed). It certainly (unseen) or possibly (vague) mispredicts a right
// bit. A bit that is unknown but known to the reference is wrong, and no fault certainly predicts it.
type account struct{ explained, open, missed, unseen, vague int }

// cost ranks faults, the likeliest lowest. A certain contradiction outweighs many open bits, of which a broken reset
// causes thousands. A likely fault costs less than one contradiction, whatever it leaves open.
func (a account) cost() int {
	if a.likely() {
		return min(a.open+a.vague, contradiction-1)
	}
	return contradiction*(a.missed+a.unseen) + a.open + a.vague
}

const contradiction = 200

// likely reports whether no bit contradicts a fault, and the fault certainly explains most wrong bits.
func (a account) likely() bool { return a.missed+a.unseen == 0 && a.explained > a.open }

func (a account) exact() bool { return a.missed+a.unseen+a.open == 0 && a.explained > 0 }

// A judge compares suspects with a run.
type judge struct {
	*Run
	list  *gates.FaultList
	known bool // suspects power up alternately in state 0 and state 1, instead of unknown

	open []suspect // no bit contradicts these, but they depend on the state
}

// in divides suspects into groups, and calls do concurrently with each group and a machine for it.
func (j *judge) in(ctx context.Context, all []suspect, do func(rig *grade.FaultMachine, some []suspect)) error {
	return failure.RunInGroups(ctx, all, lanes, func(some []suspect) error {
		rig, err := grade.NewFaultMachine(j.list, faultsOf(some))
		if err != nil {
			return err
		}
		if j.known {
			rig.PowerUp(oddLanes)
		}
		do(rig, some)
		return nil
	})
}

// lanes is the number of faults per machine.
const lanes = 64

// oddLanes selects every second lane.
const oddLanes = 0xAAAAAAAAAAAAAAAA

func faultsOf(some []suspect) (faults []gates.StuckAt) {
	for _, s := range some {
		faults = append(faults, s.fault)
	}
	return faults
}

// steps returns the steps of some vectors: all of them, or those up to the first difference.
func (j *judge) steps(some []int, toFirst bool) (all [][]transport.Step) {
	for _, v := range some {
		steps := j.vectors[v].Steps
		if toFirst && j.first[v] != none {
			steps = steps[:j.first[v]+1]
		}
		all = append(all, steps)
	}
	return all
}

// Scores of a fault in a vector: it certainly or possibly causes the first difference, or correctly predicts none.
const (
	surely = 8
	maybe  = 6
	quiet  = 2
)

// agree adds to each suspect's score how well its first difference in each vector agrees with the chip's.
func (j *judge) agree(ctx context.Context, all []suspect, vectors []int) error {
	return j.in(ctx, all, func(rig *grade.FaultMachine, some []suspect) {
		for group := range slices.Chunk(vectors, rig.Groups) {
			j.agreeIn(rig, some, group)
		}
	})
}

// agreeIn does the work of agree for a group of vectors that are simulated side by side.
func (j *judge) agreeIn(rig *grade.FaultMachine, some []suspect, group []int) {
	vectors, looks := j.steps(group, true), make([]grade.Expectation, len(group))
	var open, vague uint64 // lanes that agree so far, and lanes whose agreement is uncertain
	for k := range group {
		open |= rig.GroupLanes(k)
	}
	rig.Run(vectors, func(at int) bool {
		for k, v := range group {
			if looks[k] = (grade.Expectation{}); at < len(vectors[k]) {
				looks[k] = j.look(v, at)
			}
		}
		found, unclear := rig.DifferingLanes(looks)
		for k, v := range group {
			lanes := rig.GroupLanes(k)
			switch {
			case at < len(vectors[k])-1:
				open &^= found & lanes
				vague |= unclear & lanes
			case at == len(vectors[k])-1 && j.first[v] != none:
				open &^= lanes &^ (found | unclear)
				vague |= unclear &^ found & lanes
			case at == len(vectors[k])-1:
				open &^= found & lanes
				vague |= unclear & lanes
			}
		}
		return open != 0
	})
	for ; open != 0; open &= open - 1 {
		lane := bits.TrailingZeros64(open)
		points := surely
		switch v := group[lane/rig.Faults]; {
		case j.first[v] == none:
			points = quiet
		case vague>>lane&1 != 0:
			points = maybe
		}
		some[lane%rig.Faults].agree += points
	}
}

// look returns a good chip's levels where the sample is known.
func (j *judge) look(v, at int) grade.Expectation {
	k := grade.Expect(&j.vectors[v].Steps[at], &j.vectors[v].Want[at])
	k.Mask &^= j.got[v][at].Unknown()
	return k
}

// explain compares each suspect's predictions for vectors with the samples, and adds the counts to its account.
func (j *judge) explain(ctx context.Context, all []suspect, vectors []int) error {
	total := j.wrongBits(vectors)
	return j.in(ctx, all, func(rig *grade.FaultMachine, some []suspect) {
		more := make([]account, len(some))
		for group := range slices.Chunk(vectors, rig.Groups) {
			j.explainIn(rig, more, group)
		}
		for i, m := range more {
			a := &some[i].account
			a.explained, a.open = a.explained+m.explained, a.open+m.open
			a.unseen, a.vague = a.unseen+m.unseen, a.vague+m.vague
			a.missed += total - m.explained - m.open
		}
	})
}

func (j *judge) explainIn(rig *grade.FaultMachine, into []account, group []int) {
	vectors := j.steps(group, false)
	rig.Run(vectors, func(at int) bool {
		var level [16]sim.Set
		for i := range level {
			level[i] = rig.Output(i)
		}
		for k, v := range group {
			if at < len(vectors[k]) {
				compare(rig, k, &level, grade.Expect(&j.vectors[v].Steps[at], &j.vectors[v].Want[at]),
					wrongLines(&j.vectors[v], j.got[v], at), j.got[v][at].Unknown(), into)
			}
		}
		return true
	})
}

// compare adds the bits of one group after a step to the accounts.
func compare(rig *grade.FaultMachine, group int, level *[16]sim.Set, want grade.Expectation,
	wrong, unknown transport.Outputs, into []account) {
	for i, s := range level {
		if want.Mask>>i&1 == 0 {
			continue
		}
		if want.Level>>i&1 != 0 {
			s.Hi, s.Lo = s.Lo, s.Hi
		}
		shows, open := rig.ExtractGroup(group, s.Hi&^s.Lo), rig.ExtractGroup(group, s.Hi&s.Lo)
		is, known := wrong>>i&1 != 0, unknown>>i&1 == 0
		for ; shows != 0; shows &= shows - 1 {
			switch a := &into[bits.TrailingZeros64(shows)]; {
			case !is:
				a.unseen++
			case known:
				a.explained++
			}
		}
		for ; open != 0; open &= open - 1 {
			if a := &into[bits.TrailingZeros64(open)]; is {
				a.open++
			} else {
				a.vague++
			}
		}
	}
}

func keep(all []suspect, limit int) []suspect {
	slices.SortStableFunc(all, func(a, b suspect) int { return cmp.Compare(b.agree, a.agree) })
	return all[:min(limit, len(all))]
}

func nearest(all []suspect, limit int) []suspect {
	slices.SortStableFunc(all, func(a, b suspect) int { return cmp.Compare(a.cost(), b.cost()) })
	return all[:min(limit, len(all))]
}
