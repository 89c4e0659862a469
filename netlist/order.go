package netlist

// sort orders the gates so that each follows its inputs.
func (b *builder) sort() error {
	driver := make([]int, len(b.n.Nets))
	for i, g := range b.n.Gates {
		for _, net := range g.Out {
			driver[net] = i + 1
		}
	}
	s := sorter{gates: b.n.Gates, driver: driver, mark: make([]byte, len(b.n.Gates))}
	for i := range b.n.Gates {
		if err := s.visit(i); err != nil {
			return err
		}
	}
	b.n.Gates = s.order
	return nil
}

type sorter struct {
	gates  []Gate
	driver []int // of a net: its gate, plus one
	mark   []byte
	order  []Gate
}

// Marks of gates.
const (
	begun = 1
	done  = 2
)

// visit places a gate after its inputs. It uses its own stack, since a path may be as long as the netlist.
func (s *sorter) visit(gate int) error {
	type at struct{ gate, pin int }
	stack := []at{{gate, 0}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		g := &s.gates[top.gate]
		if s.mark[top.gate] == done {
			stack = stack[:len(stack)-1]
			continue
		}
		s.mark[top.gate] = begun
		if top.pin == len(g.In) {
			s.mark[top.gate] = done
			s.order = append(s.order, *g)
			stack = stack[:len(stack)-1]
			continue
		}
		from := s.driver[g.In[top.pin]] - 1
		top.pin++
		switch {
		case from < 0 || s.mark[from] == done:
		case s.mark[from] == begun:
			return refuse("gates read each other in a circle, %s is one of them: such a netlist is not supported",
				loopName(&s.gates[from], g))
		default:
			stack = append(stack, at{from, 0})
		}
	}
	return nil
}

// loopName names a cell of a circle.
func loopName(a, b *Gate) string {
	if a.Cell != "" {
		return a.Cell
	}
	if b.Cell != "" {
		return b.Cell
	}
	return "a pad of uio"
}
