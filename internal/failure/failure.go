// Package failure says who or what is at fault if a command fails: the bench, its user, the chip, a wire.
//
// An error that nobody has classified is the bench's own fault: that is the zero value of [Kind], and what [KindOf]
// returns for a plain error. A mistake of the user is marked where it is made, by [Usagef], or where it is found, by
// [Usage]. The outermost of several marks is valid. [Hint] ends a message about a mistyped word.
package failure

import (
	"context"
	"errors"
	"fmt"
)

// A Kind is the origin of an error.
type Kind int

const (
	Bench       Kind = iota // the bench could not find out: a cable, a board, a tool, a mistake in it
	User                    // the user can correct it: a name, a flag, a file
	OtherDesign             // the chip is not the design that was expected, or too broken to be recognised
	Interrupted             // its context was cancelled
	Nothing                 // nothing was selected, or nothing could be judged
	Chip                    // it answers wrongly, or a wire does
	Wire                    // it is at fault, and the chip was not judged
	Unsteady                // the chip answers wrongly now and then
	Weak                    // nothing is wrong, and too little was compared
)

// An Error is an error with its kind.
type Error struct {
	Kind Kind
	err  error // nil if everything was told already
}

// Error implements error. It returns the text of the error that was marked.
func (e *Error) Error() string {
	if e.err == nil {
		return "it was told already why"
	}
	return e.err.Error()
}

// Unwrap returns the error that was marked.
func (e *Error) Unwrap() error { return e.err }

// New marks an error; nil stays nil.
func New(k Kind, err error) error {
	if err == nil {
		return nil
	}
	return &Error{k, err}
}

// Newf makes an error of a kind, as fmt.Errorf does.
func Newf(k Kind, format string, args ...any) error { return &Error{k, fmt.Errorf(format, args...)} }

// Told returns an error of a kind for a caller that has told its user everything already.
func Told(k Kind) error { return &Error{Kind: k} }

// IsTold reports whether an error is one of Told, so that there is nothing to add.
func IsTold(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.err == nil
}

// Usage marks an error as one that the user can correct; nil stays nil.
func Usage(err error) error { return New(User, err) }

// Usagef makes an error that the user can correct, as fmt.Errorf does.
func Usagef(format string, args ...any) error { return Newf(User, format, args...) }

// KindOf returns the kind of an error: Interrupted if a context was cancelled, or its outermost mark, or Bench.
func KindOf(err error) Kind {
	var e *Error
	switch {
	case errors.Is(err, context.Canceled):
		return Interrupted
	case errors.As(err, &e):
		return e.Kind
	}
	return Bench
}

// codes are the exit codes of the program bench, as README.md documents them, by kind.
var codes = map[Kind]int{Bench: 3, User: 2, OtherDesign: 3, Interrupted: 130, Nothing: 5, Chip: 1, Wire: 4, Unsteady: 6,
	Weak: 7}

// ExitCode returns the exit code of the program bench for an error; 0 for nil.
func ExitCode(err error) int {
	code, known := codes[KindOf(err)]
	switch {
	case err == nil:
		return 0
	case !known: // never 0
		return codes[Bench]
	}
	return code
}
