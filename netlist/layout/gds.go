package layout

import (
	"encoding/binary"
	"math"
	"strings"
)

// Records of GDSII that are read (GDSII Stream Format Manual, release 6.0); others are skipped.
const (
	recUnits    = 0x03
	recEndLib   = 0x04
	recBeginStr = 0x05
	recStrName  = 0x06
	recEndStr   = 0x07
	recBoundary = 0x08
	recPath     = 0x09
	recSRef     = 0x0A
	recARef     = 0x0B
	recText     = 0x0C
	recLayer    = 0x0D
	recType     = 0x0E
	recWidth    = 0x0F
	recXY       = 0x10
	recEndEl    = 0x11
	recSName    = 0x12
	recColRow   = 0x13
	recNode     = 0x15
	recSTrans   = 0x1A
	recMag      = 0x1B
	recAngle    = 0x1C
	recPathType = 0x21
	recPropAttr = 0x2B
	recPropVal  = 0x2C
	recBox      = 0x2D
)

// instanceName is the property of a reference that has the instance's name.
const instanceName = 61

// A library is the structures of a GDSII file, by name.
type library map[string]*structure

type structure struct {
	shapes []shape
	refs   []reference
}

// A shape is rectangles on a layer.
type shape struct {
	layer gdsLayer
	rects []rect
}

// A gdsLayer is a layer by its number and its data type.
type gdsLayer struct{ number, kind int }

// A reference puts a structure into another, once or in columns and rows.
type reference struct {
	structure, instance string
	at                  transform
	columns, rows       int
	right, up           point // from one column, and row, to the next
}

// A gdsReader reads records.
type gdsReader struct {
	data []byte
	at   int
	unit float64 // nm
	lib  library
	in   *structure
	e    element
}

// An element is what its records say, until it ends.
type element struct {
	kind        byte
	layer       gdsLayer
	points      []point
	width, ends int
	ref         reference
	property    int
}

// readGDS reads the structures of a file.
func readGDS(data []byte) (library, error) {
	g := &gdsReader{data: data, lib: library{}, unit: 1}
	for {
		kind, body, err := g.next()
		if err != nil {
			return nil, err
		}
		if kind == recEndLib {
			return g.lib, nil
		}
		if err := g.record(kind, body); err != nil {
			return nil, err
		}
	}
}

// next returns a record: two bytes of total length, its kind, and its data type.
func (g *gdsReader) next() (kind byte, body []byte, err error) {
	if g.at == 0 && (len(g.data) < 4 || g.data[2] != 0 || g.data[3] != 2) {
		return 0, nil, refuse("this is no GDSII file")
	}
	if len(g.data)-g.at < 4 {
		return 0, nil, refuse("the GDSII file ends at byte %d without its last record", len(g.data))
	}
	n := int(binary.BigEndian.Uint16(g.data[g.at:]))
	if n < 4 || n > len(g.data)-g.at {
		return 0, nil, refuse("byte %d of the GDSII file: no record has %d bytes here", g.at, n)
	}
	kind, body = g.data[g.at+2], g.data[g.at+4:g.at+n]
	g.at += n
	return kind, body, nil
}

// record takes one that stands anywhere, or is an element's.
func (g *gdsReader) record(kind byte, body []byte) error {
	switch kind {
	case recUnits:
		if len(body) != 16 {
			return refuse("byte %d of the GDSII file: units have 16 bytes", g.at)
		}
		if g.unit = real8(body[8:]) * 1e9; !(g.unit > 1e-6 && g.unit < 1e6) {
			return refuse("the GDSII file has a unit of %g nm", g.unit)
		}
	case recBeginStr:
		g.in = &structure{}
	case recStrName:
		if g.in != nil {
			g.lib[text(body)] = g.in
		}
	case recEndStr:
		g.in = nil
	case recBoundary, recPath, recSRef, recARef, recText, recNode, recBox:
		g.e = element{kind: kind, ref: reference{columns: 1, rows: 1, at: transform{mag: 1}}}
	case recEndEl:
		if g.in != nil {
			return g.end()
		}
	default:
		return g.part(kind, body)
	}
	return nil
}

// part takes a record of an element.
func (g *gdsReader) part(kind byte, body []byte) error {
	e, short := &g.e, int16At(body)
	switch kind {
	case recLayer:
		e.layer.number = short
	case recType:
		e.layer.kind = short
	case recPathType:
		e.ends = short
	case recPropAttr:
		e.property = short
	case recWidth:
		e.width = g.nm(int32At(body))
	case recSName:
		e.ref.structure = text(body)
	case recPropVal:
		if e.property == instanceName {
			e.ref.instance = text(body)
		}
	case recSTrans:
		e.ref.at.mirrored = short < 0
	case recMag, recAngle:
		if len(body) == 8 && kind == recMag {
			e.ref.at.mag = real8(body)
		} else if len(body) == 8 {
			e.ref.at.degrees = real8(body)
		}
	case recColRow:
		if len(body) == 4 {
			e.ref.columns, e.ref.rows = int16At(body), int16At(body[2:])
		}
	case recXY:
		for ; len(body) >= 8; body = body[8:] {
			e.points = append(e.points, point{g.nm(int32At(body)), g.nm(int32At(body[4:]))})
		}
	}
	return nil
}

// end takes an element that is whole.
func (g *gdsReader) end() error {
	e := g.e
	switch e.kind {
	case recBoundary, recBox:
		g.in.shapes = append(g.in.shapes, shape{e.layer, rectangles(e.points)})
	case recPath:
		g.in.shapes = append(g.in.shapes, shape{e.layer, wires(e.points, e.width, e.ends)})
	case recSRef, recARef:
		r := e.ref
		if len(e.points) == 0 || e.kind == recARef && (len(e.points) < 3 || r.columns < 1 || r.rows < 1) {
			return refuse("byte %d of the GDSII file: a reference to %q has no place", g.at, r.structure)
		}
		r.at.to = e.points[0]
		if r.columns*r.rows > 1 {
			r.right = e.points[1].minus(r.at.to).over(r.columns)
			r.up = e.points[2].minus(r.at.to).over(r.rows)
		}
		g.in.refs = append(g.in.refs, r)
	}
	return nil
}

// nm converts a coordinate to nanometres.
func (g *gdsReader) nm(n int) int {
	if g.unit == 1 {
		return n
	}
	return int(math.Round(float64(n) * g.unit))
}

func text(body []byte) string { return strings.TrimRight(string(body), "\x00") }

func int16At(body []byte) int {
	if len(body) < 2 {
		return 0
	}
	return int(int16(binary.BigEndian.Uint16(body)))
}

func int32At(body []byte) int {
	if len(body) < 4 {
		return 0
	}
	return int(int32(binary.BigEndian.Uint32(body)))
}

// real8 decodes a GDSII number: a sign, an excess-64 exponent to the base 16, and a 56-bit fraction.
func real8(body []byte) float64 {
	bits := binary.BigEndian.Uint64(body)
	value := math.Ldexp(float64(bits&(1<<56-1)), 4*(int(bits>>56&0x7F)-64)-56)
	if bits>>63 != 0 {
		return -value
	}
	return value
}
