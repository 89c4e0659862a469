package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

// Unbounded is the upper bound of a number that has no limit.
const Unbounded = math.MaxInt

// A Number is the value of a flag that is a whole number within bounds.
type Number struct {
	to        *int
	low, high int
}

// Between returns a number with a default, which need not be within the bounds.
func Between(to *int, value, low, high int) *Number {
	*to = value
	return &Number{to, low, high}
}

// AtLeast returns a number with a default and a lower bound.
func AtLeast(to *int, value, low int) *Number { return Between(to, value, low, Unbounded) }

func (n *Number) Set(text string) error {
	i, err := strconv.Atoi(text)
	switch {
	case err == nil && i >= n.low && i <= n.high:
		*n.to = i
		return nil
	case n.high == Unbounded:
		return fmt.Errorf("has to be a whole number, %d or more", n.low)
	}
	return fmt.Errorf("has to be a whole number from %d to %d", n.low, n.high)
}

func (n *Number) String() string {
	if n.to == nil { // the zero value, with which pflag compares defaults
		return "0"
	}
	return strconv.Itoa(*n.to)
}

func (n *Number) Type() string { return "N" }

// A PositiveDuration is the value of a flag that is a time above 0.
type PositiveDuration time.Duration

// NewPositiveDuration returns a time with a default; 0 means no default.
func NewPositiveDuration(to *time.Duration, value time.Duration) *PositiveDuration {
	*to = value
	return (*PositiveDuration)(to)
}

func (s *PositiveDuration) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("has to be a time of more than 0 with its unit, such as 30s, 10m or 1h30m")
	}
	*s = PositiveDuration(d)
	return nil
}

func (s *PositiveDuration) String() string { return time.Duration(*s).String() }

func (s *PositiveDuration) Type() string { return "time" }

// A ParsedText is the value of a flag whose text a function parses.
type ParsedText struct {
	Form  string // syntax of the text, for help
	Parse func(text string) error
	text  string
}

func (p *ParsedText) Set(text string) error {
	p.text = text
	return p.Parse(text)
}

func (p *ParsedText) String() string { return p.text }

func (p *ParsedText) Type() string { return p.Form }
