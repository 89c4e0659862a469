package waveform

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// Usual is the rate in hertz to which a PDM is decimated, or the nearest.
const Usual = 48000

// order is the number of moving averages in a row, which keep the carrier of a PWM out of the sound.
const order = 3

// A PDM decimates a line with pulse density or pulse width modulation to samples of sound. Without a level it counts
// as half.
type PDM struct {
	line    transport.Outputs
	every   int // clocks of a sample
	rate    int // samples a second, rounded
	samples []float64

	clocks, Unknown int
	sums            [order]int64 // integrators, modulo 2^64
	last            [order]int64 // of each comb
}

// NewPDM returns a decoder for a line, by the frequency of clk.
func NewPDM(line transport.Outputs, clock float64) (*PDM, error) {
	if clock < Usual {
		return nil, failure.Usagef("sound takes a clk of %d Hz or more, and this is %s", Usual,
			transport.Frequency(clock, 6))
	}
	p := &PDM{line: line, every: int(math.Round(clock / Usual))}
	p.rate = int(math.Round(clock / float64(p.every)))
	return p, nil
}

// Lines implements Decoder.
func (p *PDM) Lines() transport.Outputs { return p.line }

// Clock implements Decoder. Differences of sums are right even if a sum has overflowed.
func (p *PDM) Clock(got, _ transport.Sample) {
	high, known := level(got, p.line)
	value := int64(-1)
	switch {
	case !known:
		value = 0
		p.Unknown++
	case high:
		value = 1
	}
	for i := range p.sums {
		p.sums[i] += value
		value = p.sums[i]
	}
	if p.clocks++; p.clocks%p.every != 0 {
		return
	}
	for i := range p.last {
		p.last[i], value = value, value-p.last[i]
	}
	p.samples = append(p.samples, float64(value)/math.Pow(float64(p.every), order))
}

// String describes the sound.
func (p *PDM) String() string {
	text := fmt.Sprintf("%d samples at %d Hz, %.3g s", len(p.samples), p.rate, float64(len(p.samples))/float64(p.rate))
	if p.Unknown > 0 {
		text += fmt.Sprintf("; the line had no level at %d clocks", p.Unknown)
	}
	return text
}

// Write writes the sound as a WAV file of 16 bits, without its constant part, as behind a capacitor.
func (p *PDM) Write(w io.Writer) error {
	const bits, head = 16, 36
	size := uint32(len(p.samples) * bits / 8)
	var b bytes.Buffer
	b.WriteString("RIFF")
	le := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&b, binary.LittleEndian, v) // a Buffer takes all
		}
	}
	le(head + size)
	b.WriteString("WAVEfmt ")
	le(uint32(16), uint16(1), uint16(1), uint32(p.rate), uint32(p.rate*bits/8), uint16(bits/8), uint16(bits))
	b.WriteString("data")
	le(size)
	constant, keep := 0.0, math.Exp(-2*math.Pi*20/float64(p.rate)) // above 20 Hz
	for i, s := range p.samples {
		if i == min(order, len(p.samples)-1) {
			constant = s // the averages have filled
		}
		constant = keep*constant + (1-keep)*s
		out := s - constant
		if i < order {
			out = 0
		}
		le(int16(math.Round(max(-1, min(out, 1)) * math.MaxInt16)))
	}
	_, err := w.Write(b.Bytes())
	return err
}
