package remote

import (
	"context"
	"encoding/binary"
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

// Sizes of a series in a message, in bytes.
const (
	seriesHead = 1 + 1 + 4 + 4
	fieldSize  = 3
	levelsSize = 2 // of a sample without unknown bits
)

// appendSeries encodes cases of a series, starting at case from.
func appendSeries(to []byte, s *transport.Series, from, cases int) []byte {
	to = append(to, byte(len(s.Steps)), byte(len(s.Fields)))
	to = binary.LittleEndian.AppendUint32(to, uint32(cases))
	to = binary.LittleEndian.AppendUint32(to, s.First+uint32(from))
	to = appendSteps(to, s.Steps)
	for _, f := range s.Fields {
		to = append(to, byte(f.Step), f.Shift, f.Mask)
	}
	for _, want := range s.Want[from*len(s.Steps):][:cases*len(s.Steps)] {
		to = append(to, want.Out, want.IO)
	}
	return to
}

// casesThatFit returns the number of cases of a series that fit into room bytes.
func casesThatFit(s *transport.Series, room int) int {
	room -= seriesHead + stepSize*len(s.Steps) + fieldSize*len(s.Fields)
	return max(0, room/(levelsSize*len(s.Steps)))
}

// readSeries decodes all series in the rest of a message. The caller validates them with Check.
func readSeries(r *reader) (all []transport.Series, err error) {
	for len(r.rest) > 0 {
		var s transport.Series
		steps, fields, cases := r.byte(), r.byte(), r.uint32()
		s.First = r.uint32()
		s.Steps = readSteps(nil, r.array(uint32(steps), stepSize))
		for f := r.array(uint32(fields), fieldSize); len(f) > 0; f = f[fieldSize:] {
			s.Fields = append(s.Fields, transport.Field{Step: int(f[0]), Shift: f[1], Mask: f[2]})
		}
		want := r.array(cases, levelsSize*len(s.Steps))
		if r.short || len(want) == 0 {
			return nil, fmt.Errorf("a series of %d cases of %d steps: %w", cases, steps, errCut)
		}
		s.Count, s.Want = int(cases), make([]transport.Sample, len(want)/levelsSize)
		for i := range s.Want {
			s.Want[i] = transport.Sample{Out: want[levelsSize*i], IO: want[levelsSize*i+1]}
		}
		all = append(all, s)
	}
	return all, nil
}
