package gates

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"utfbench/tile/gates/sim"
)

// cellText lists the standard cells in the kits of Tiny Tapeout's shuttles: SkyWater 130 nm, IHP 130 nm and
// GlobalFoundries 180 nm.
//
//go:embed cells.txt
var cellText string

// A Cell is the function of a standard cell, for all drive strengths.
type Cell struct {
	Inputs  []string
	Holds   sim.Kind // Flop or Latch for a cell that holds a bit
	outputs []cellOutput
	names   []string // of the outputs
	roles   map[string]*expr
}

type cellOutput struct {
	pin string
	is  *expr
}

// Names in the table that are not names of outputs.
const (
	roleClock, roleEnable, roleData, roleSet, roleReset, roleDrive = "clock", "enable", "data", "set", "reset", "drive"

	inputOrder = "inputs" // order of the inputs
)

type table struct {
	libraries map[string]map[string]*Cell // by prefix and base name
	ordered   []string                    // prefixes
	supplies  map[string]sim.Net
}

var cellTable = sync.OnceValue(func() *table { return parseTable(cellText) })

// FindCell returns the cell with a full name, such as sky130_fd_sc_hd__nand2_1, and whether the table has it.
func FindCell(name string) (c *Cell, found bool) {
	for prefix, cells := range cellTable().libraries {
		if base, is := strings.CutPrefix(name, prefix); is {
			c, found = cells[withoutStrength(base)]
			return c, found
		}
	}
	return nil, false
}

// HasOrderedPorts reports whether a cell's module lists its ports in the order of Outputs, then Inputs. The order in
// other kits is unknown.
func HasOrderedPorts(name string) bool {
	return slices.ContainsFunc(cellTable().ordered, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// withoutStrength drops a trailing number, as in nand2_1.
func withoutStrength(base string) string {
	if i := strings.LastIndexByte(base, '_'); i >= 0 && strings.Trim(base[i+1:], "0123456789") == "" {
		return base[:i]
	}
	return base
}

// libraries returns the prefixes of all cell names in the table.
func libraries() (all []string) {
	for _, prefix := range []string{"sky130", "gf180mcu", "sg13g2"} {
		for library := range cellTable().libraries {
			if strings.HasPrefix(library, prefix) {
				all = append(all, library)
			}
		}
	}
	return all
}

// supply returns the level of a power supply's pin or net; ok is false for any other name.
func supply(name string) (level sim.Net, ok bool) {
	level, ok = cellTable().supplies[name]
	return level, ok
}

// SupplyPins returns the names of all power supply pins and nets, sorted.
func SupplyPins() []string { return slices.Sorted(maps.Keys(cellTable().supplies)) }

// Outputs returns the names of the outputs. The caller must not change them.
func (c *Cell) Outputs() []string { return c.names }

// IsFiller reports whether a cell has no function.
func (c *Cell) IsFiller() bool { return len(c.outputs) == 0 }

// Add adds a cell to a circuit. at maps a pin to its net, or to sim.Open if it is unconnected.
func (c *Cell) Add(to *sim.Circuit, at func(pin string) sim.Net) {
	for _, pin := range c.Inputs {
		to.AddPin(pin, at(pin), false)
	}
	for _, o := range c.outputs {
		to.AddPin(o.pin, at(o.pin), true)
	}
	e := emitter{to: to, at: at}
	if c.Holds != sim.Unknown {
		c.hold(&e)
	}
	for _, o := range c.outputs {
		out := at(o.pin)
		switch {
		case out == sim.Open:
		case c.roles[roleDrive] != nil:
			to.Add(sim.Tri, out, e.net(o.is), e.net(c.roles[roleDrive]))
		default:
			e.drive(out, o.is)
		}
	}
}

func (c *Cell) hold(e *emitter) {
	e.q = e.to.Net("")
	control := roleClock
	if c.Holds == sim.Latch {
		control = roleEnable
	}
	in := []sim.Net{e.net(c.roles[roleData]), e.net(c.roles[control]), sim.Zero, sim.Zero}
	for i, role := range []string{roleSet, roleReset} {
		if x := c.roles[role]; x != nil {
			in[2+i] = e.net(x)
		}
	}
	e.to.Add(c.Holds, e.q, in...)
}

func parseTable(text string) *table {
	t := &table{libraries: map[string]map[string]*Cell{}, supplies: map[string]sim.Net{}}
	section, begun := map[string]*Cell{}, false
	for n, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
		case words[0] == "library":
			if begun {
				section, begun = map[string]*Cell{}, false
			}
			t.libraries[words[1]] = section
			if len(words) > 2 {
				t.ordered = append(t.ordered, words[1])
			}
		case words[0] == "supply":
			name, level, _ := strings.Cut(words[1], "=")
			t.supplies[name] = sim.Zero
			if level == "1" {
				t.supplies[name] = sim.One
			}
		default:
			begun = true
			c, err := parseCell(words[1:])
			if err != nil || section[words[0]] != nil {
				panic(fmt.Sprintf("cells.txt:%d: %s: %v", n+1, words[0], err))
			}
			section[words[0]] = c
		}
	}
	return t
}

func parseCell(words []string) (*Cell, error) {
	c := &Cell{roles: map[string]*expr{}}
	for _, w := range words {
		name, function, _ := strings.Cut(w, "=")
		if name == inputOrder {
			c.Inputs = strings.Split(function, ",")
			continue
		}
		x, err := parseExpr(function)
		if err != nil {
			return nil, err
		}
		c.Inputs = x.pins(c.Inputs)
		switch name {
		case roleClock:
			c.Holds = sim.Flop
		case roleEnable:
			c.Holds = sim.Latch
		case roleData, roleSet, roleReset, roleDrive:
		default:
			c.outputs, c.names = append(c.outputs, cellOutput{name, x}), append(c.names, name)
			continue
		}
		c.roles[name] = x
	}
	return c, nil
}
