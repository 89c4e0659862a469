package remote

import (
	"context"
	"fmt"

	"utfbench/transport"
)

// Sign implements transport.Signer. If the far transport is not a Signer, its end of the link applies the steps.
func (n *Near) Sign(ctx context.Context, series []transport.Series) (int, error) {
	if err := n.usable(); err != nil {
		return 0, err
	}
	for i := range series {
		if err := series[i].Check(); err != nil {
			return 0, err
		}
	}
	s := &signing{series: series, room: n.room}
	err := n.carry(ctx, kindSign, s)
	return s.good(), err
}

// A signing is the work of signing series. Series too large for one request are divided between cases.
type signing struct {
	series  []transport.Series
	room    int   // bytes of a request's body
	at      int   // next series to send
	from    int   // its next case
	due     []int // series of each unanswered piece
	pieces  []int // pieces in each request
	follows bool
}

// good returns the number of leading series answered completely.
func (s *signing) good() int {
	if len(s.due) > 0 {
		return s.due[0]
	}
	return s.at
}

func (s *signing) next(to []byte) ([]byte, bool) {
	if s.at == len(s.series) {
		return to, false
	}
	begin, due := len(to), len(s.due)
	to = append(to, 0)
	if s.follows {
		to[begin] = flagFollows
	}
	for s.at < len(s.series) {
		r := &s.series[s.at]
		cases := min(casesThatFit(r, s.room-(len(to)-begin)), r.Count-s.from)
		if cases == 0 && len(s.due) == due { // a single case fits into any request
			cases = 1
		}
		if cases == 0 {
			break
		}
		to = appendSeries(to, r, s.from, cases)
		s.due = append(s.due, s.at)
		if s.from == 0 {
			r.Same = true
		}
		if s.from += cases; s.from == r.Count {
			s.at, s.from = s.at+1, 0
		}
	}
	s.pieces, s.follows = append(s.pieces, len(s.due)-due), true
	return to, true
}

func (s *signing) take(body []byte) (whole bool, err error) {
	pieces := s.pieces[0]
	s.pieces = s.pieces[1:]
	if len(body) > pieces {
		return false, fmt.Errorf("%d signatures of %d series", len(body), pieces)
	}
	for i, same := range body {
		r := &s.series[s.due[i]]
		r.Same = r.Same && same == 1
	}
	s.due = s.due[len(body):]
	return len(body) == pieces, nil
}
