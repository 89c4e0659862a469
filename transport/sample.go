package transport

import (
	"context"
	"fmt"
)

// A Sample holds the output levels at the end of a step. A bit set in OutX or IOX marks a level neither 0 nor 1, or
// unreadable; its bit in Out or IO is 0, except in contention. The uio lines that the bench drives are sampled too.
type Sample struct {
	Out, OutX uint8 // uo[7:0]
	IO, IOX   uint8 // uio[7:0]
}

// Levels returns the lines that were 1.
func (s Sample) Levels() Outputs { return outputs(s.Out&^s.OutX, s.IO&^s.IOX) }

// Unknown returns the lines that were neither 0 nor 1, or could not be read.
func (s Sample) Unknown() Outputs { return outputs(s.OutX, s.IOX) }

// Contention returns the uio lines that both bench and chip drove, if a model or simulation detects it. They count as
// unknown even if the levels agreed, and are marked by a 1 in IO.
func (s Sample) Contention() uint8 { return s.IO & s.IOX }

// UnknownUncontended returns the unknown lines that are not in contention.
func (s Sample) UnknownUncontended() Outputs { return outputs(s.OutX, s.IOX&^s.IO) }

// SetContention marks uio lines as in contention.
func (s *Sample) SetContention(lines uint8) { s.IO, s.IOX = s.IO|lines, s.IOX|lines }

// Differ returns the lines that contradict want. An unknown bit of want matches anything; a known one, only its level.
func (s Sample) Differ(want Sample) Outputs {
	return outputs((s.Out^want.Out|s.OutX)&^want.OutX, (s.IO^want.IO|s.IOX)&^want.IOX)
}

// SetLevels sets lines to known levels.
func (s *Sample) SetLevels(lines, levels Outputs) {
	out, io := lines.Bytes()
	high, highIO := (lines & levels).Bytes()
	s.Out, s.OutX = s.Out&^out|high, s.OutX&^out
	s.IO, s.IOX = s.IO&^io|highIO, s.IOX&^io
}

// SetUnknown marks lines as unknown.
func (s *Sample) SetUnknown(lines Outputs) {
	out, io := lines.Bytes()
	s.OutX, s.IOX = s.OutX|out, s.IOX|io
	s.Out, s.IO = s.Out&^s.OutX, s.IO&^s.IOX
}

// Differ returns the lines that differ in any sample.
func Differ(got, want []Sample) (lines Outputs) {
	for i := range got {
		lines |= got[i].Differ(want[i])
	}
	return lines
}

// CheckBatch returns an error if samples is shorter than steps or ctx is done. Every transport's Apply calls it first.
func CheckBatch(ctx context.Context, steps []Step, samples []Sample) error {
	if len(samples) < len(steps) {
		return fmt.Errorf("room for %d samples, but %d steps", len(samples), len(steps))
	}
	return ctx.Err()
}

// Apply calls tr.Apply and returns an error if the response is short without one. Call it instead of tr.Apply.
func Apply(ctx context.Context, tr Transport, steps []Step, samples []Sample) (int, error) {
	good, err := tr.Apply(ctx, steps, samples)
	if err == nil && good < len(steps) {
		err = fmt.Errorf("%s answered %d of %d steps without an error", tr, good, len(steps))
	}
	return good, err
}
