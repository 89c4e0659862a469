package minimise

import (
	"context"
	"errors"
	"fmt"
	"time"

	"utfbench/transport"
)

// Stopped is the error of a search that was interrupted, and says what is known.
type Stopped string

func (s Stopped) Error() string { return "stopped: " + string(s) }

// Within is Run for no longer than limit, the user's, which has to be more than 0. Its error is for one to
// whom the Result, if there is any, is written: it says why the search ended, Stopped when ctx was done, and what is
// known. ErrPasses stays as it is, and so does the error of a search that came to its end.
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
