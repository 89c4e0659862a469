package sim

import (
	"math/bits"
	"math/rand/v2"
)

// A Fate determines the level of a floating net.
type Fate int

// Fates.
const (
	Mixed  Fate = iota // each of the other fates in a quarter of the lanes
	Keep               // keeps its previous level
	Low                // reads 0
	High               // reads 1
	Random             // reads a level that changes with each event
)

var fates = [...]string{"mixed", "kept", "low", "high", "random"}

func (f Fate) String() string { return fates[f] }

// RandomChoices selects evaluation in lanes, with random levels drawn from Seed and floating nets as Fate says.
type RandomChoices struct {
	Seed      uint64
	Fate      Fate
	SameLanes bool // all lanes are equal to the first, so that an oscillating loop is soon detected
}

type lanes struct {
	source            *rand.PCG
	rnd               *rand.Rand
	keep, one, chance uint64
	word              uint64 // random levels of this event
	alike             bool
}

func (c *RandomChoices) lanes() *lanes {
	source := rand.NewPCG(c.Seed, 0x9e3779b97f4a7c15)
	l := &lanes{source: source, rnd: rand.New(source), alike: c.SameLanes}
	l.fate(c.Fate)
	return l
}

func (l *lanes) fate(f Fate) {
	l.keep, l.one, l.chance = 0, 0, 0
	switch f {
	case Keep:
		l.keep = ^uint64(0)
	case Low:
	case High:
		l.one = ^uint64(0)
	case Random:
		l.chance = ^uint64(0)
	default:
		l.keep, l.one, l.chance = 0x1111111111111111, 0x4444444444444444, 0x8888888888888888
	}
}

func (l *lanes) clone() *lanes {
	c := *l
	c.source = new(rand.PCG)
	c.rnd = rand.New(c.source)
	return &c
}

func (l *lanes) copyFrom(o *lanes) { *l.source, l.word = *o.source, o.word }

// toss draws the random levels of an event.
func (l *lanes) toss() { l.word = l.rnd.Uint64() }

// random returns random levels of a net, constant during an event.
func (l *lanes) random(net int32) uint64 {
	x := l.word + uint64(net)*0x9e3779b97f4a7c15
	x ^= x >> 31
	x *= 0xbf58476d1ce4e5b9
	return l.same(bits.RotateLeft64(x, 29) ^ x)
}

// same returns the first lane's level in all lanes if SameLanes is set, else the given levels.
func (l *lanes) same(levels uint64) uint64 {
	if l.alike {
		return -(levels & 1)
	}
	return levels
}

func (l *lanes) float(old uint64, net int32) uint64 {
	if l.chance == 0 {
		return old&l.keep | l.one
	}
	return old&l.keep | l.one | l.random(net)&l.chance
}

// pick chooses a level where a set has both.
func (l *lanes) pick(s Set, net int32) Set {
	x := s.both()
	if x == 0 {
		return s
	}
	r := l.random(net)
	return Set{s.Hi &^ (x &^ r), s.Lo &^ (x & r)}
}
