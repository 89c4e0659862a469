package shuttles

import (
	"fmt"
	"strconv"
	"strings"
)

// A NoneError says that no design fits, and what may be meant.
type NoneError string

func (e NoneError) Error() string { return string(e) }

// Find gives the designs that fit a pattern, see Match, on one shuttle or with "" on all; one or more. On one shuttle a pattern from 0 to
// MaxNumber is a number on the mux. The error is a NoneError, or bad input.
func (x *Index) Find(on, pattern string) (found []Design, err error) {
	s := x.Shuttle(on)
	if s == nil && on != "" {
		return nil, fmt.Errorf("--shuttle: unknown shuttle %q: allowed are %s", on, strings.Join(x.Names(), ", "))
	}
	n, isNumber := muxNumber(pattern)
	if isNumber && s != nil {
		found = s.At(n)
	} else if found, err = Match(x.on(s), pattern); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, x.none(s, pattern)
	}
	return found, nil
}

// on are the designs of a shuttle, or without one of all.
func (x *Index) on(s *Shuttle) []Design {
	if s == nil {
		return x.Designs()
	}
	return s.Designs()
}

// muxNumber reads a number that a mux can select.
func muxNumber(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 16)
	return int(n), err == nil && n <= MaxNumber
}

// few is how many designs or names an error suggests.
const few = 3

func (x *Index) none(s *Shuttle, text string) error {
	none := fmt.Sprintf("no design fits %q", text)
	if s != nil {
		if n, ok := muxNumber(text); ok {
			all := s.Designs()
			return NoneError(fmt.Sprintf("the shuttle %s has no design at %d: its numbers go from %d to %d", s.Name, n, all[0].Number, all[len(all)-1].Number))
		}
		none = fmt.Sprintf("no design of the shuttle %s fits %q", s.Name, text)
		if others, _ := Match(x.Designs(), text); others != nil {
			return NoneError(none + "; on others: " + some(others))
		}
	}
	if near := Near(x.on(s), text, few); near != nil {
		none += "; names near to it: " + strings.Join(near, ", ")
	}
	return NoneError(none)
}

// some lists a few designs with shuttle and number.
func some(designs []Design) string {
	var all []string
	for _, d := range designs[:min(few, len(designs))] {
		all = append(all, fmt.Sprintf("%s %d %s", d.Shuttle, d.Number, d.Name))
	}
	if more := len(designs) - len(all); more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, ", ")
}
