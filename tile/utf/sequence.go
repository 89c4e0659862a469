package utf

import (
	"utfbench/golden"
	"utfbench/model"
	"utfbench/transport"
)

// A Form is one of the encodings.
type Form uint8

// The forms.
const (
	UTF32 Form = iota
	UTF16
	UTF8
)

// Forms lists all three forms.
var Forms = [...]Form{UTF32, UTF16, UTF8}

// String returns the data sheet's name of the form.
func (f Form) String() string { return [...]string{"UTF-32", "UTF-16", "UTF-8"}[f] }

// strobes holds the pins that move a byte in or out.
var strobes = [...]uint8{UTF32: model.CIO, UTF16: model.UIO, UTF8: model.BIO}

// A Sequence holds steps with checkpoints. Its methods append the procedures of the data sheet. The zero value has all
// levels low; begin with NewSequence or Clear.
//
// Pins that a procedure does not affect keep the levels given to Set.
type Sequence struct {
	golden.Sequence

	levels uint8 // ui between procedures
	reset  bool
}

// NewSequence returns an empty sequence, at idle levels.
func NewSequence() *Sequence { return &Sequence{levels: model.Idle} }

// Clear empties the sequence and keeps its memory.
func (q *Sequence) Clear() {
	*q = Sequence{Sequence: golden.Sequence{Steps: q.Steps[:0], Checks: q.Checks[:0]}, levels: model.Idle}
}

// step alone decides which side drives uio. While READ is high, the chip drives the bus; the bench drives it only for
// data with READ low. A transport releases the bus before it raises READ and drives it after it has lowered READ, so
// the turn-around needs no separate step.
func (q *Sequence) step(in uint8, clocks uint8, data ...byte) {
	s := transport.Step{In: in, Reset: q.reset, Clocks: clocks}
	if len(data) > 0 && in&model.READ == 0 {
		s.IO, s.Drive = data[0], 0xFF
	}
	q.Steps = append(q.Steps, s)
}

// SetLevels sets ui from the next step on, without adding a step.
func (q *Sequence) SetLevels(ui uint8) { q.levels = ui }

// BigEndian reports whether CBE is high from here on.
func (q *Sequence) BigEndian() bool { return q.levels&model.CBE != 0 }

// HoldReset holds rst_n low from the next step on, or releases it.
func (q *Sequence) HoldReset(reset bool) { q.reset = reset }

// Set sets the pins in mask from here on, and settles ("Basic operation").
func (q *Sequence) Set(mask, levels uint8) {
	q.levels = q.levels&^mask | levels&mask
	q.step(q.levels, 0)
}

// Settle adds a step at the current levels.
func (q *Sequence) Settle() { q.step(q.levels, 0) }

// Reset pulses clk once with rst_n low.
func (q *Sequence) Reset() {
	held := q.reset
	q.reset = true
	q.step(q.levels, 1)
	q.reset = held
}

// Rewind pulses clk once with /ROUT low, which rewinds the readers.
func (q *Sequence) Rewind() { q.step(q.levels&^model.ROUT, 1) }

// Clock pulses clk n times at the current levels, with data on the bus if READ is low.
func (q *Sequence) Clock(n uint8, data ...byte) { q.step(q.levels, n, data...) }

// ShowStatus settles with ERRS high, so that uo[5:0] shows the error status.
func (q *Sequence) ShowStatus() { q.step(q.levels|model.ERRS, 0) }

// ShowProperties settles with ERRS low, so that uo[5:0] shows the character properties.
func (q *Sequence) ShowProperties() { q.step(q.levels&^model.ERRS, 0) }

// Write implements "Inputting UTF-32", "UTF-16" or "UTF-8": READ and the strobe low, one clock for each byte.
func (q *Sequence) Write(f Form, data ...byte) {
	for i := range data {
		q.step(q.levels&^(model.READ|strobes[f]), 1, data[i])
	}
}

// Read implements "Outputting UTF-32", "UTF-16" or "UTF-8": READ high, the strobe low, one clock for each of n bytes.
func (q *Sequence) Read(f Form, n int) {
	for range n {
		q.step((q.levels|model.READ)&^strobes[f], 1)
	}
}

// ShowData settles with READ high, so that the outputs show the EOF pins and the data register.
func (q *Sequence) ShowData() { q.step(q.levels|model.READ, 0) }

// AddEveryLevel adds a step for each level of ui at which the chip does not take an undriven byte.
func (q *Sequence) AddEveryLevel(clocks uint8) {
	for ui := range 256 {
		if s := (transport.Step{In: uint8(ui), Clocks: clocks, Reset: q.reset}); !model.LatchesFloating(s) {
			q.Steps = append(q.Steps, s)
		}
	}
}
