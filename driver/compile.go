package driver

import (
	"utfbench/golden"
	"utfbench/model"
	"utfbench/transport"
)

// Compile puts the steps and checkpoints of a vector into q, replacing what it held.
func (q *Sequence) Compile(v *golden.Vector) {
	q.Clear()
	for i := range v.Ops {
		q.line = v.Ops[i].Line
		q.operation(&v.Ops[i])
	}
}

func (q *Sequence) operation(op *golden.Op) {
	switch op.Kind {
	case golden.Reset:
		q.Reset()
	case golden.Rewind:
		q.Rewind()
	case golden.Set:
		if op.Mask&golden.ResetPin != 0 {
			q.reset = op.Levels&golden.ResetPin == 0
		}
		q.Set(uint8(op.Mask), uint8(op.Levels))
	case golden.Clock:
		q.Clock(op.N, op.Data...)
	case golden.Write:
		q.write(op)
	case golden.Look:
		q.look(op)
	case golden.Bus:
		q.step(q.levels, 0)
		q.check(Bits{}, Bits{0xFF, uint8(op.Levels)})
	case golden.Read:
		q.read(op)
	case golden.Raw:
		q.raw(op.Step)
	}
}

// raw takes a step as it stands; the lint says whether it may reach a chip.
func (q *Sequence) raw(s *golden.Step) {
	q.Steps = append(q.Steps, transport.Step{In: s.In, IO: s.IO, Drive: s.Drive, Reset: s.Reset, Clocks: s.Clocks})
	var out, io Bits
	if s.Out >= 0 {
		out = Bits{0xFF, uint8(s.Out)}
	}
	if s.Bus >= 0 {
		io = Bits{0xFF, uint8(s.Bus)}
	}
	q.check(out, io)
}

func (q *Sequence) write(op *golden.Op) {
	for i := range op.Data {
		q.Write(op.Form, op.Data[i])
		if i < len(op.Want) && op.Want[i] >= 0 {
			q.check(Bits{0xFF, uint8(op.Want[i])}, Bits{})
		}
	}
}

func (q *Sequence) look(op *golden.Op) {
	switch op.Page {
	case golden.Status:
		q.Status()
	case golden.Properties:
		q.Properties()
	default:
		q.step(q.levels, 0)
	}
	q.check(Bits{uint8(op.Mask), uint8(op.Levels)}, Bits{})
}

// ends are the pins that say that a form has no further byte.
var ends = [...]uint8{golden.UTF32: 0, golden.UTF16: model.UEOF, golden.UTF8: model.BEOF}

// read checks each byte, and the EOF pin of the form before and after it.
func (q *Sequence) read(op *golden.Op) {
	pin := ends[op.Form]
	left := func(n int) Bits { // n bytes are still to come
		if n > 0 || !op.End && !op.Past {
			return Bits{pin, 0}
		}
		return Bits{pin, pin}
	}
	if pin != 0 {
		q.Look()
		q.check(left(len(op.Data)), Bits{})
	}
	for i, b := range op.Data {
		q.Read(op.Form, 1)
		q.check(left(len(op.Data)-1-i), Bits{0xFF, b})
	}
	if op.Past {
		q.Read(op.Form, 1)
		q.check(left(0), Bits{0xFF, 0})
	}
}
