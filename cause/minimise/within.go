package minimise

import (
	"context"
	"errors"
	"fmt"
	"time"

	"utfbench/transport"
)

// Stopped is the error of an interrupted search, and describes its result.
type Stopped string

func (s Stopped) Error() string { return "stopped: " + string(s) }

// Within is Run with a positive time limit, the user's. Its error is for a user who gets any Result: why the search
// ended (Stopped when ctx was done), and what is known. ErrPasses is returned unchanged, as is the error of a completed
// search.
func (s *Search) Within(ctx context.Context, limit time.Duration, steps []transport.Step) (*Result, error) {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	r, err := s.Run(timed, steps)
	known := "nothing shorter is known"
	if r != nil {
		known = "the shortest so far was written, and may not be minimal"
	}
	switch {
	case err == nil, errors.Is(err, ErrPasses), r != nil && r.Minimal:
		return r, err
	case ctx.Err() != nil:
		return r, Stopped(known)
	case timed.Err() != nil:
		return r, fmt.Errorf("%s are over: %s; a longer --timeout gives more", limit, known)
	}
	return r, fmt.Errorf("%w (%s)", err, known)
}
