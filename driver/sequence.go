// Package driver knows how the chip is used: which pins in which order make a procedure of the data sheet. It turns vectors
// into steps, sends them through a transport, and compares what comes back.
//
// # The walk of a vector
//
//	golden.Vector --Compile--> Sequence --Lint--> transport.Apply --> samples --judge--> Result
//	                                 \--> model.Chip.Step --> expected samples --/
//
// Every step is compared with the model, every checkpoint with the vector. Where model and vector disagree the bench
// itself is at fault, and the verdict is ERROR whatever the chip answered.
package driver

import (
	"utfbench/golden"
	"utfbench/model"
	"utfbench/transport"
)

// A Check is a checkpoint: bits of a sample that a vector tells in advance.
type Check struct {
	Step    int // index in the sequence
	Out, IO Bits
	Line    int // in the suite's file
}

// Bits are levels of those lines that are set in Mask.
type Bits struct{ Mask, Level uint8 }

// A Sequence is steps with checkpoints. Its methods append the procedures of the data sheet; none of them does I/O.
//
// Levels of pins that a procedure does not care about stay as Set left them.
type Sequence struct {
	Steps  []transport.Step
	Checks []Check

	levels uint8 // ui between procedures
	reset  bool
	line   int // for the checks to come
}

// Clear empties the sequence and keeps its memory.
func (q *Sequence) Clear() {
	*q = Sequence{Steps: q.Steps[:0], Checks: q.Checks[:0], levels: model.Idle}
}

// step is the one place that decides who drives uio. READ high hands the bus to the chip; the bench takes it only for data
// with READ low. A transport releases before it raises READ and drives after it has lowered it, so the hand-over needs no
// step of its own.
func (q *Sequence) step(in uint8, clocks uint8, data ...byte) {
	s := transport.Step{In: in, Reset: q.reset, Clocks: clocks}
	if len(data) > 0 && in&model.READ == 0 {
		s.IO, s.Drive = data[0], 0xFF
	}
	q.Steps = append(q.Steps, s)
}

// check expects levels on uo and uio after the last step.
func (q *Sequence) check(out, io Bits) {
	if out.Mask|io.Mask == 0 {
		return
	}
	q.Checks = append(q.Checks, Check{Step: len(q.Steps) - 1, Out: out, IO: io, Line: q.line})
}

// Levels are what ui stands at from the next step on, without a step of its own.
func (q *Sequence) Levels(ui uint8) { q.levels = ui }

// Set puts levels on the pins in mask from here on, and settles ("Basic operation").
func (q *Sequence) Set(mask, levels uint8) {
	q.levels = q.levels&^mask | levels&mask
	q.step(q.levels, 0)
}

// Reset pulses clk once with rst_n low.
func (q *Sequence) Reset() {
	held := q.reset
	q.reset = true
	q.step(q.levels, 1)
	q.reset = held
}

// Rewind pulses clk once with /ROUT low: the readers start again.
func (q *Sequence) Rewind() { q.step(q.levels&^model.ROUT, 1) }

// Clock pulses clk n times at the levels that were set, with data on the bus if READ is low.
func (q *Sequence) Clock(n uint8, data ...byte) { q.step(q.levels, n, data...) }

// Status settles with ERRS high, so that uo[5:0] shows the error status.
func (q *Sequence) Status() { q.step(q.levels|model.ERRS, 0) }

// Properties settles with ERRS low, so that uo[5:0] shows the character properties.
func (q *Sequence) Properties() { q.step(q.levels&^model.ERRS, 0) }

// strobes are the pins that move a byte in or out.
var strobes = [...]uint8{golden.UTF32: model.CIO, golden.UTF16: model.UIO, golden.UTF8: model.BIO}

// Write is "Inputting UTF-32", "UTF-16" or "UTF-8": READ and the strobe low, one clock for each byte.
func (q *Sequence) Write(f golden.Form, data ...byte) {
	for i := range data {
		q.step(q.levels&^(model.READ|strobes[f]), 1, data[i])
	}
}

// Read is "Outputting UTF-32", "UTF-16" or "UTF-8": READ high, the strobe low, one clock for each of n bytes.
func (q *Sequence) Read(f golden.Form, n int) {
	for range n {
		q.step((q.levels|model.READ)&^strobes[f], 1)
	}
}

// Look settles with READ high, so that the EOF pins and the data register show.
func (q *Sequence) Look() { q.step(q.levels|model.READ, 0) }
