package utf

import (
	"fmt"

	"utfbench/model"
	"utfbench/transport"
)

// A shape is the common structure of cases that differ only in their bytes.
//
// Every sample is useful. While bytes are written, ERRS is high, so that samples show the status so far and the "input
// full" pins. While they are read back ERRS is low for UTF-32 and UTF-16, so that samples show the properties, and high
// for UTF-8, to show that a read does not change the status. Each form has its own read position.
type shape struct {
	form      Form  // form of the bytes written
	levels    uint8 // ui, with the case's CHK and CBE
	n         int   // bytes written
	n16, n8   int   // lengths of the forms read back; UTF-32 has 4 bytes
	valueOnly bool  // read back only UTF-32
	beyond    bool  // add steps that one mode needs: see points
}

// A template holds the steps of a shape with 00 for each byte.
type template []transport.Step

// firstByte is the index of a template's first byte, after the reset.
const firstByte = 1

func (s shape) template() template {
	q := NewSequence()
	q.Reset()
	q.SetLevels(s.levels)
	q.Write(s.form, make([]byte, s.n)...)
	if s.beyond {
		q.Clock(1) // a clock without a strobe, which has no effect
	}
	q.SetLevels(s.levels &^ model.ERRS)
	q.Read(UTF32, 4)
	if !s.valueOnly {
		q.Read(UTF16, s.n16)
		q.SetLevels(s.levels)
		q.Read(UTF8, s.n8)
	}
	if s.beyond {
		q.SetLevels(s.levels)
		q.Read(s.form, 1) // a read past the end
		q.Rewind()
		q.Read(s.form, 1)
		q.Write(s.form, 0) // one byte too many
	}
	return template(q.Steps)
}

// fill appends the template's steps to steps, with the n bytes of v in a form filled in.
func (t template) fill(steps []transport.Step, form Form, levels uint8, v uint32, n int) []transport.Step {
	at := len(steps) + firstByte
	steps = append(steps, t...)
	for i := range n {
		steps[at+i].IO = formByte(form, levels, v, uint8(n), uint8(i))
	}
	return steps
}

func formByte(form Form, levels uint8, v uint32, n, i uint8) uint8 {
	bigEndian := levels&model.CBE != 0
	switch form {
	case UTF32:
		return model.UTF32Byte(v, i, bigEndian)
	case UTF16:
		return model.UTF16Byte(v, n, i, bigEndian)
	}
	return model.UTF8Byte(v, n, i)
}

// modeWords describes the levels of a case, as in "CHK high, CBE low".
func modeWords(levels uint8) string {
	level := func(pin uint8) string {
		if levels&pin != 0 {
			return "high"
		}
		return "low"
	}
	return fmt.Sprintf("CHK %s, CBE %s", level(model.CHK), level(model.CBE))
}
