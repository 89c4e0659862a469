package station

import (
	"context"
	"errors"
	"slices"

	"utfbench/internal/failure"
)

// A LeftError is of a target that could not be opened, and says in which state it leaves a board that people use by its
// prompt too; see Chip.Left.
type LeftError struct {
	Left string
	err  error
}

// Error implements error.
func (e *LeftError) Error() string { return e.err.Error() }

// Unwrap returns the reason.
func (e *LeftError) Unwrap() error { return e.err }

// blames are the kinds of failures by their numbers in the messages of a lab.
var blames = []failure.Kind{failure.User, failure.Bench, failure.OtherDesign, failure.Interrupted}

func blameOf(err error) int { return slices.Index(blames, failure.KindOf(err)) }

// Fault returns the kind of the error. An unknown number is the bench's fault.
func (r *Reached) Fault() failure.Kind {
	if r.Blame < 0 || r.Blame >= len(blames) {
		return failure.Bench
	}
	return blames[r.Blame]
}

func benchFault(err error) error { return failure.New(failure.Bench, err) }

func stopped(err error) error { return failure.New(failure.Interrupted, err) }

// Asking returns the error of a transport, or of the context that ended it.
func Asking(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return stopped(errors.New("stopped"))
	}
	return benchFault(err)
}
