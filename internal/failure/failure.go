// Package failure classifies errors by their origin: the bench, its user, the chip, or a wire.
//
// An unclassified error is the bench's own fault: [Bench] is the zero value of [Kind], and [KindOf] returns it for a
// plain error. [Usagef] returns an error that is the user's mistake, and [Usage] marks an existing one. If an error has
// several marks, the outermost applies. [DidYouMean] ends a message about a mistyped word.
//
// A panic in a goroutine ends a Go program at once: no deferred Close runs in any other goroutine, and lines stay
// driven. Therefore every goroutine of the bench is started by [Go] or by a [Group], and open hardware is registered
// with [CloseOnPanic]. The program sets a handler with [HandlePanics]; without one, as in a program that uses these
// packages as a library, a panic has its usual effect.
package failure

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
)

// A Kind is the origin of an error.
type Kind int

const (
	Bench       Kind = iota // the bench could not find out: a cable, a board, a tool, a bug
	User                    // the user can correct it: a name, a flag, a file
	OtherDesign             // the chip contains a different design, or is too broken to be recognised
	Interrupted             // its context was cancelled
	Nothing                 // nothing was selected or could be judged
	Chip                    // the chip or a wire responds wrongly
	Wire                    // a wire is at fault, and the chip was not judged
	Flaky                   // the chip sometimes responds wrongly
	Weak                    // nothing is wrong, but not enough was compared
	ReaderGone              // the reader of the output left, as head does
)

// An Error is an error with its kind.
type Error struct {
	Kind Kind
	err  error // nil if the message has already been printed
}

// Error implements error. It returns the marked error's text.
func (e *Error) Error() string {
	if e.err == nil {
		return "the reason was already printed"
	}
	return e.err.Error()
}

// Unwrap returns the marked error.
func (e *Error) Unwrap() error { return e.err }

// New marks an error with a kind; nil stays nil.
func New(k Kind, err error) error {
	if err == nil {
		return nil
	}
	return &Error{k, err}
}

// Newf is fmt.Errorf for an error of a kind.
func Newf(k Kind, format string, args ...any) error { return &Error{k, fmt.Errorf(format, args...)} }

// TransportError marks a transport's error as the bench's; if ctx has ended, it returns an Interrupted error instead.
func TransportError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return Newf(Interrupted, "stopped")
	}
	return New(Bench, err)
}

// AlreadyPrinted returns an error of a kind, for a message that has already been printed.
func AlreadyPrinted(k Kind) error { return &Error{Kind: k} }

// MarkPrinted marks an error as already printed; errors.As still finds the original error.
func MarkPrinted(err error) error { return errors.Join(AlreadyPrinted(KindOf(err)), err) }

// IsAlreadyPrinted reports whether an error is marked as already printed.
func IsAlreadyPrinted(err error) bool {
	e, is := errors.AsType[*Error](err)
	return is && e.err == nil
}

// Usage marks an error that the user can correct; nil stays nil.
func Usage(err error) error { return New(User, err) }

// Usagef is fmt.Errorf for an error that the user can correct.
func Usagef(format string, args ...any) error { return Newf(User, format, args...) }

// KindOf returns the kind of an error: Interrupted for a cancelled context, else its outermost mark, else Bench.
func KindOf(err error) Kind {
	var e *Error
	switch {
	case errors.Is(err, context.Canceled):
		return Interrupted
	case errors.As(err, &e):
		return e.Kind
	case errors.As(err, new(interface{ Usage() })): // package transport, which imports no package of the module
		return User
	}
	return Bench
}

// Glossary explains the exit codes for bench explain.
//
//go:embed exits.txt
var Glossary string

// codes maps kinds to the exit codes of bench, which README.md documents.
var codes = map[Kind]int{Bench: 3, User: 2, OtherDesign: 3, Interrupted: 130, Nothing: 5, Chip: 1, Wire: 4, Flaky: 6,
	Weak: 7, ReaderGone: 141}

// ExitCode returns the exit code of bench for an error; 0 for nil.
func ExitCode(err error) int {
	code, known := codes[KindOf(err)]
	switch {
	case err == nil:
		return 0
	case !known: // an error never exits with 0
		return codes[Bench]
	}
	return code
}

// Nearest returns the word most similar to a mistyped one, the first of several, or "" if none is similar. Up to a
// third of the letters may be wrong, and one in a short word, but never all. A word that begins with the typed letters,
// at least two, is preferred to one with two mistakes.
func Nearest(typed string, words []string) string {
	best, found := max(1, len(typed)/3)+1, ""
	for _, w := range words {
		if len(typed) > 1 && strings.HasPrefix(w, typed) && best > 1 {
			best, found = 1, w
		}
		if len(typed)-len(w) >= best || len(w)-len(typed) >= best {
			continue // the lengths differ by too much
		}
		if n := distance(strings.ToLower(typed), strings.ToLower(w)); n < min(best, len(w)) {
			best, found = n, w
		}
	}
	return found
}

// DidYouMean returns " (did you mean WORD?)" for the most similar word, or "".
func DidYouMean(typed string, words []string) string {
	if found := Nearest(typed, words); found != "" {
		return fmt.Sprintf(" (did you mean %s?)", found)
	}
	return ""
}

// distance returns the minimum number of insertions, deletions, changes and swaps of adjacent letters from a to b.
func distance(a, b string) int {
	var before []int // the row before the previous one
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			wrong := 1
			if a[i] == b[j] {
				wrong = 0
			}
			next[j+1] = min(row[j]+wrong, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
