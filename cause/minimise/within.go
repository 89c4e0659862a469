package minimise

import (
	"context"
	"errors"
	"fmt"
	"time"

	"utfbench/transport"
)

// Stopped is the error of an interrupted search; it describes the result so far.
type Stopped string

func (s Stopped) Error() string { return "stopped: " + string(s) }

// Within runs a search with a positive time limit from the user. With a Result its error gives the reason for the end
// (Stopped if ctx was done) and the state of the search. It returns ErrPasses, a Chance and a completed search's error
// unchanged.
func (s *Search) Within(ctx context.Context, limit time.Duration, steps []transport.Step) (*Result, error) {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	r, err := s.Run(timed, steps)
	var chance *Chance
	known := "nothing shorter is known"
	if r != nil {
		known = "the shortest so far was written, and may not be minimal"
	}
	switch {
	case err == nil, errors.Is(err, ErrPasses), errors.As(err, &chance), r != nil && r.Minimal:
		return r, err
	case ctx.Err() != nil:
		return r, Stopped(known)
	case timed.Err() != nil:
		return r, fmt.Errorf("%s are over: %s; a longer --timeout gives more", limit, known)
	}
	return r, fmt.Errorf("%w (%s)", err, known)
}
