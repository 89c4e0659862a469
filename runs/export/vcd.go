package export

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// about is the comment at the head of each file; see docs/formats.md.
const about = `Times are nominal, not measured: each part of a step has a slot of 10 ns, in the order in which the
bench does it. 0 uio is released, 10 ui and rst_n are set, 20 uio is driven, 30 clk pulses, 60 (20 later
for each further pulse) the sample. got and want stand from the sample to the end of the step 40 ns
later, and are x before it: nobody looked. x is not known, z is released. check.mismatch is 1 while a
sample differs from what the model shows.`

// WriteVCD writes an excerpt as a value change dump (IEEE 1364).
func WriteVCD(w io.Writer, e *Excerpt) error {
	v := vcd{Writer: bufio.NewWriter(w), excerpt: e, signals: signalsOf(e.Trace.Tile)}
	v.header()
	end := e.play(v.moment)
	fmt.Fprintf(v, "#%d\n", end)
	return v.Flush() // bufio stores the first error
}

// vcd writes a VCD file.
type vcd struct {
	*bufio.Writer
	signals []signal
	excerpt *Excerpt
	begun   bool
	last    moment
}

func (v *vcd) header() {
	e := v.excerpt
	fmt.Fprintf(v, "$version utfbench $end\n$comment\n%s\n%s\nrun %d, steps %d to %d of "+
		"%d\n%s\n$end\n$timescale 1 ns $end\n", vcdComment(e.Vector), vcdComment(e.Origin), e.Iteration, e.FirstStep+1,
		e.FirstStep+len(e.Trace.Steps), e.VectorSteps, about)
	scope := ""
	for i, s := range v.signals {
		if s.scope != scope {
			if scope != "" {
				v.WriteString("$upscope $end\n")
			}
			scope = s.scope
			fmt.Fprintf(v, "$scope module %s $end\n", scope)
		}
		kind := "wire"
		if s.width == stepWidth {
			kind = "integer"
		}
		fmt.Fprintf(v, "$var %s %d %c %s $end\n", kind, s.width, id(i), s.name)
	}
	v.WriteString("$upscope $end\n$enddefinitions $end\n")
}

// vcdComment changes a text so that it cannot end a VCD comment.
func vcdComment(s string) string {
	s = strings.ReplaceAll(s, "$end", "$ end")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return ' '
		}
		return r
	}, s)
}

func (v *vcd) moment(m *moment) {
	if v.begun && m.step == v.last.step && m.bus == v.last.bus {
		return
	}
	v.WriteByte('#')
	v.number(m.at)
	v.WriteByte('\n')
	if !v.begun {
		v.WriteString("$dumpvars\n")
	}
	for i := range v.signals {
		s := &v.signals[i]
		if v.begun && !s.changes(m, &v.last) {
			continue
		}
		if s.width == stepWidth {
			v.stepNumber(v.excerpt.FirstStep + m.step + 1)
		} else {
			v.levels(s.cut(m.bus[s.bus]), s.width)
		}
		v.WriteByte(id(i))
		v.WriteByte('\n')
	}
	if !v.begun {
		v.WriteString("$end\n")
	}
	v.begun, v.last = true, *m
}

func (s *signal) changes(now, last *moment) bool {
	if s.width == stepWidth {
		return now.step != last.step
	}
	a, b := now.bus[s.bus], last.bus[s.bus]
	return a != b && s.cut(a) != s.cut(b)
}

func (v *vcd) number(n int) { v.Write(strconv.AppendInt(v.AvailableBuffer(), int64(n), 10)) }

func (v *vcd) stepNumber(n int) {
	v.WriteByte('b')
	v.Write(strconv.AppendInt(v.AvailableBuffer(), int64(n), 2))
	v.WriteByte(' ')
}

func (v *vcd) levels(b bits, width int) {
	if width > 1 {
		v.WriteByte('b')
	}
	for bit := width - 1; bit >= 0; bit-- {
		v.WriteByte(b.char(bit))
	}
	if width > 1 {
		v.WriteByte(' ')
	}
}

func (b bits) char(i int) byte {
	switch {
	case b.x>>i&1 != 0:
		return 'x'
	case b.z>>i&1 != 0:
		return 'z'
	}
	return '0' + b.v>>i&1
}
