// Package yosys makes circuits from the RTL of tiles. Yosys, which Tiny Tapeout's own flow uses for synthesis,
// elaborates the RTL to simple cells; [ParseJSON] reads the JSON of its command write_json, and [Elaborate] runs it.
package yosys

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"utfbench/internal/files"
	"utfbench/tile/gates/sim"
)

// A netlist is the relevant part of write_json's output.
type netlist struct {
	Modules map[string]module `json:"modules"`
}

type module struct {
	Attributes attributes      `json:"attributes"`
	Ports      map[string]port `json:"ports"`
	Cells      map[string]cell `json:"cells"`
	Names      map[string]name `json:"netnames"`
}

type port struct {
	Direction string `json:"direction"`
	Bits      []bit  `json:"bits"`
}

type cell struct {
	Type        string            `json:"type"`
	Attributes  attributes        `json:"attributes"`
	Connections map[string][]bit  `json:"connections"`
	Directions  map[string]string `json:"port_directions"`
}

type name struct {
	Hidden     int        `json:"hide_name"`
	Bits       []bit      `json:"bits"`
	Offset     int        `json:"offset"`
	Attributes attributes `json:"attributes"`
}

type attributes struct {
	Source string `json:"src"`          // FILE:LINE.COLUMN-LINE.COLUMN, several separated by |
	Code   any    `json:"fsm_encoding"` // a text for the state signal of a state machine
}

// A bit is the number of a net, from 2 on, or one of the constants below.
type bit int64

const (
	zero bit = -1 - iota
	one
	anything // x: a level chosen by synthesis
	floating // z: undriven
)

var constants = map[string]bit{`"0"`: zero, `"1"`: one, `"x"`: anything, `"z"`: floating}

func (b *bit) UnmarshalJSON(text []byte) (err error) {
	if c, is := constants[string(text)]; is {
		*b = c
		return nil
	}
	n, err := strconv.ParseUint(string(text), 10, 62)
	if err != nil {
		return fmt.Errorf("%.20q is no bit: allowed are the number of a net and the texts 0, 1, x and z", text)
	}
	*b = bit(n)
	return nil
}

// jsonFile limits the size of the JSON. The largest CPU of the shuttles needs a tenth of this.
var jsonFile = files.Kind{Name: "the JSON of Yosys", Limit: 256 << 20}

// ParseJSON parses the circuit of a module from the JSON of write_json.
func ParseJSON(text []byte, top string) (*sim.Circuit, error) {
	m, err := moduleOf(text, top)
	if err != nil {
		return nil, err
	}
	r := &reader{c: sim.NewCircuit(top), nets: map[bit]sim.Net{zero: sim.Zero, one: sim.One},
		names: map[bit]string{}, signals: map[bit][]signal{}}
	if err := r.bounds(m); err != nil {
		return nil, err
	}
	r.c.Parts[0].File, r.c.Parts[0].Line = place(m.Attributes.Source)
	r.name(m.Names)
	if err := r.ports(m.Ports); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(m.Cells)) {
		if err := r.cell(name, m.Cells[name]); err != nil {
			return nil, err
		}
	}
	r.c.FromRTL = true
	r.code(m.Names)
	return r.c, r.c.Check()
}

func moduleOf(text []byte, top string) (*module, error) {
	var all netlist
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&all); err != nil {
		return nil, fmt.Errorf("the JSON of Yosys: %w", err)
	}
	m, is := all.Modules[top]
	if !is {
		return nil, fmt.Errorf("the JSON of Yosys has no module %s", top)
	}
	return &m, nil
}

// code records the state registers of state machines, which Yosys' command fsm_detect or the author has marked.
func (r *reader) code(all map[string]name) {
	for _, n := range slices.Sorted(maps.Keys(all)) {
		if is := all[n]; is.Attributes.Code != nil && is.Attributes.Code != "none" {
			for _, b := range is.Bits {
				if net, known := r.nets[b]; known && b >= 0 {
					r.c.RecodableNets = append(r.c.RecodableNets, net)
				}
			}
		}
	}
}

// A reader converts a module to a circuit.
type reader struct {
	c       *sim.Circuit
	nets    map[bit]sim.Net
	names   map[bit]string   // shortest name among its signals
	signals map[bit][]signal // signals named by the author
}

// A signal is the author's name of a bit, and the places of its declaration and of the instances that contain it.
type signal struct {
	name   string
	places []string
}

// bounds rejects modules larger than a tile before building anything.
func (r *reader) bounds(m *module) error {
	bits := 0
	for _, p := range m.Ports {
		bits += len(p.Bits)
	}
	for _, c := range m.Cells {
		for _, pin := range c.Connections {
			bits += len(pin)
		}
	}
	if len(m.Cells) > sim.MaxCells || bits > 8*sim.MaxNets {
		return fmt.Errorf("%s: %d cells with %d pins, which is more than a tile can have", r.c.Name(),
			len(m.Cells), bits)
	}
	return nil
}

// name gives each bit the first of its shortest names in the author's text.
func (r *reader) name(all map[string]name) {
	for _, n := range slices.Sorted(maps.Keys(all)) {
		is := all[n]
		if is.Hidden != 0 || strings.HasPrefix(n, "$") {
			continue
		}
		places := ownPlaces(is.Attributes.Source)
		for i, b := range is.Bits {
			full := n
			if len(is.Bits) > 1 {
				full = fmt.Sprintf("%s[%d]", n, i+is.Offset)
			}
			if b < 0 {
				continue
			}
			r.signals[b] = append(r.signals[b], signal{full, places})
			if had := r.names[b]; had == "" || len(full) < len(had) {
				r.names[b] = full
			}
		}
	}
}

var directions = map[string]sim.Direction{"input": sim.Input, "output": sim.Output, "inout": sim.Inout}

// ports adds the ports. A net that several share belongs to the first input; an output with such a net follows it.
func (r *reader) ports(all map[string]port) error {
	names := slices.Sorted(maps.Keys(all))
	slices.SortStableFunc(names, func(a, b string) int {
		return int(directions[all[a].Direction]) - int(directions[all[b].Direction])
	})
	for _, name := range names {
		p := all[name]
		dir, is := directions[p.Direction]
		if !is {
			return fmt.Errorf("port %s: direction %q: allowed are input, output and inout", name, p.Direction)
		}
		for i, n := range r.c.AddPort(name, dir, len(p.Bits)) {
			if err := r.portBit(n, p.Bits[i], dir); err != nil {
				return fmt.Errorf("port %s: %w", name, err)
			}
		}
	}
	return nil
}

func (r *reader) portBit(n sim.Net, b bit, dir sim.Direction) error {
	had, known := r.nets[b]
	switch {
	case b >= 0 && !known:
		r.nets[b] = n
	case dir == sim.Inout:
		return errors.New("it is inout, and joined to a constant or another port: a tile's lines of uio are its " +
			"ports uio_in, uio_out and uio_oe")
	case dir == sim.Input:
		return errors.New("it is an input, but the sources drive it: remove that assignment")
	case b == anything:
		r.c.Add(sim.Unknown, n)
	case b != floating:
		r.c.Add(sim.Buf, n, had)
	}
	return nil
}

func (r *reader) net(b bit) sim.Net {
	switch b {
	case floating:
		return sim.Open
	case anything: // each reader may get a different level
		return r.c.Gate(sim.Unknown)
	}
	n, known := r.nets[b]
	if !known {
		n = r.c.Net(r.names[b])
		r.nets[b] = n
	}
	return n
}

// part returns the part of a cell, with the author's name or, without one, the name of the signal that it drives.
// Flattening adds the places of the same instances to a cell and to the signals of its module; the remaining places of
// the cell are its own.
func (r *reader) part(name string, c *cell, drives bit) sim.Part {
	at := ownPlaces(c.Attributes.Source)
	own := r.nearest(drives, at)
	if strings.HasPrefix(name, "$") && own.name != "" {
		name = own.name
	}
	p := sim.Part{Name: name, Type: c.Type}
	for _, s := range slices.Concat(without(at, own.places), without(own.places, at), at) {
		if p.File, p.Line = place(s); p.Line > 0 {
			break
		}
	}
	return p
}

// nearest returns the signal of a bit that shares the most instances with a cell, and so is in the cell's module.
func (r *reader) nearest(b bit, at []string) (best signal) {
	most := math.MinInt
	for _, s := range r.signals[b] {
		apart := len(without(s.places, at))
		if score := len(s.places) - 2*apart; score > most || score == most && len(s.name) < len(best.name) {
			best, most = s, score
		}
	}
	return best
}

func without(all, these []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(these, s) })
}

// ownPlaces returns the places of a src attribute in the author's files; mapped cells also list Yosys' own files.
func ownPlaces(source string) []string {
	return slices.DeleteFunc(strings.Split(source, "|"), func(s string) bool {
		return s == "" || strings.Contains(s, "/share/yosys/")
	})
}

func place(source string) (file string, line int) {
	at := strings.LastIndexByte(source, ':')
	if at < 0 {
		return "", 0
	}
	number, _, _ := strings.Cut(source[at+1:], ".")
	line, err := strconv.Atoi(number)
	if err != nil || line < 1 {
		return "", 0
	}
	return source[:at], line
}
