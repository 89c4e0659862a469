package desk

import (
	"context"
	"errors"
)

// A Blame says what an error of this package comes from. None of them is a verdict on the chip.
type Blame int

const (
	BadInput    Blame = iota // the user mends it: a name, a flag, a file
	BenchFault               // the bench could not find out: a cable, a board, a tool
	OtherDesign              // the chip is not this design, or too broken to be recognised
	Stopped                  // the context ended it
)

// An Error is an error that is not bad input.
type Error struct {
	Blame Blame
	// the transport, and in which state it leaves a board, see Chip.Left; empty when there is nothing to say
	Left string
	err  error
}

// Error implements error.
func (e *Error) Error() string { return e.err.Error() }

// Unwrap gives what the transport said.
func (e *Error) Unwrap() error { return e.err }

// BlameOf says what an error of this package comes from. An error with no Error in it is bad input.
func BlameOf(err error) Blame {
	var e *Error
	switch {
	case errors.Is(err, context.Canceled):
		return Stopped
	case errors.As(err, &e):
		return e.Blame
	}
	return BadInput
}

func benchFault(err error) error { return &Error{Blame: BenchFault, err: err} }

func stopped(err error) error { return &Error{Blame: Stopped, err: err} }

// asking gives the error of a transport that was asked, or that the context ended.
func asking(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return stopped(errors.New("stopped"))
	}
	return benchFault(err)
}
