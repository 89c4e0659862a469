package grade

import (
	"slices"
	"strings"

	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
)

// A news records the levels that nets have had, and the values of small groups of flip-flops.
type news struct {
	nets   []sim.Net
	had    []uint8 // by index of nets: 1 for the level 0, 2 for the level 1
	groups []group
}

// groupBits is the number of flip-flops in a group.
const groupBits = 4

// A group is a few flip-flops with similar names, and a bit for each value that they have had.
type group struct {
	bits []sim.Net
	had  uint16
}

func newsOf(l *List) (n news) {
	for i := range l.Sites {
		if s := &l.Sites[i]; s.Out {
			n.nets = append(n.nets, s.Net)
		}
	}
	n.had = make([]uint8, len(n.nets))
	c := l.Design.Circuit
	var flops []sim.Net
	for _, cell := range c.Cells {
		if cell.Kind.Holds() {
			flops = append(flops, cell.Out)
		}
	}
	slices.SortStableFunc(flops, func(a, b sim.Net) int { return strings.Compare(c.Nets[a], c.Nets[b]) })
	for bits := range slices.Chunk(flops, groupBits) {
		n.groups = append(n.groups, group{bits: bits})
	}
	return n
}

// levels counts, by vector, the nets with a new level.
func (n *news) levels(seen *sim.Seen) (fresh [lanes]int) {
	for i, net := range n.nets {
		is := seen.Known(net)
		for bit, vectors := range [2]uint64{is.Lo, is.Hi} {
			if n.had[i]>>bit&1 != 0 || vectors == 0 {
				continue
			}
			n.had[i] |= 1 << bit
			for k := range fresh {
				fresh[k] += int(vectors >> k & 1)
			}
		}
	}
	return fresh
}

func (n *news) values(c *gates.Chip, vector int) (fresh int) {
	for i := range n.groups {
		g := &n.groups[i]
		value, known := 0, true
		for k, net := range g.bits {
			s := c.Level(net)
			known = known && s.Known()>>vector&1 != 0
			value |= int(s.Hi>>vector&1) << k
		}
		if known && g.had>>value&1 == 0 {
			g.had |= 1 << value
			fresh++
		}
	}
	return fresh
}

// flops returns the outputs of all flip-flops and latches.
func (n *news) flops() (all []sim.Net) {
	for i := range n.groups {
		all = append(all, n.groups[i].bits...)
	}
	return all
}
