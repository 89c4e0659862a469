package waveform

import (
	"fmt"
	"unicode/utf8"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// mostText is the number of characters that a UART keeps.
const mostText = 64 << 10

// leastBit is the least number of clocks of a bit.
const leastBit = 4

// A UART decodes characters of 8 bits without parity, the lowest bit first, on a line that rests high.
type UART struct {
	line transport.Outputs
	bit  float64 // its length in clocks

	Text   []byte // the characters; 0xFF for one that is no character
	Broken int    // characters without a stop bit, or with an unknown level
	More   int    // characters after the first mostText

	was  bool // the line was high at the last clock
	at   int  // clocks since the start bit began; 0 is none
	bits int  // sampled
	char uint
	bad  bool
}

// NewUART returns a decoder for a line, by the frequencies of clk and of the bits.
func NewUART(line transport.Outputs, clock, baud float64) (*UART, error) {
	if baud <= 0 || clock/baud < leastBit {
		return nil, failure.Usagef("%.6g baud with a clk of %s: a bit takes at least %d clocks", baud,
			transport.Frequency(clock, 6), leastBit)
	}
	return &UART{line: line, bit: clock / baud}, nil
}

// Lines implements Decoder.
func (u *UART) Lines() transport.Outputs { return u.line }

// Clock implements Decoder.
func (u *UART) Clock(got, _ transport.Sample) {
	high, known := level(got, u.line)
	switch {
	case u.at > 0:
		u.at++
		if float64(u.at) > (float64(u.bits)+0.5)*u.bit {
			u.sample(high, known)
		}
	case known && !high && u.was:
		u.at, u.bits, u.char, u.bad = 1, 0, 0, false
	}
	u.was = high && known
}

// sample takes the level in the middle of the start bit, a data bit or the stop bit.
func (u *UART) sample(high, known bool) {
	u.bad = u.bad || !known
	switch n := u.bits; {
	case n == 0 && high: // no start bit
		u.at = 0
		return
	case n == 9:
		u.end(high)
		return
	case n > 0 && high:
		u.char |= 1 << (n - 1)
	}
	u.bits++
}

// end takes a character with its stop bit.
func (u *UART) end(stop bool) {
	u.at = 0
	c := byte(u.char)
	if u.bad || !stop {
		u.Broken++
		c = 0xFF
	}
	if len(u.Text) >= mostText {
		u.More++
		return
	}
	u.Text = append(u.Text, c)
}

// String describes the characters.
func (u *UART) String() string {
	text := fmt.Sprintf("%d characters", len(u.Text)+u.More)
	if u.Broken > 0 {
		text += fmt.Sprintf(", %d of them without a stop bit or with an unknown level", u.Broken)
	}
	if u.More > 0 {
		text += fmt.Sprintf("; the first %d are shown", len(u.Text))
	}
	if bad := u.invalid(); bad > 0 {
		text += "; bytes that are no UTF-8 are shown as \uFFFD"
		if 2*bad > len(u.Text) {
			text += "; is the baud rate right?"
		}
	}
	return text
}

// invalid counts the bytes of Text that are no UTF-8, which includes the broken characters.
func (u *UART) invalid() (n int) {
	for text := u.Text; len(text) > 0; {
		char, size := utf8.DecodeRune(text)
		if char == utf8.RuneError && size == 1 {
			n++
		}
		text = text[size:]
	}
	return n
}
