package boards

import (
	"fmt"
	"strconv"
	"strings"

	"utfbench/internal/failure"
)

// match returns the designs with a name or repository that contains the text, ignoring case.
func match(designs []Design, text string) (found []Design) {
	text = strings.ToLower(text)
	for _, d := range designs {
		if strings.Contains(strings.ToLower(d.Name), text) || strings.Contains(strings.ToLower(d.Repo), text) {
			found = append(found, d)
		}
	}
	return found
}

// DesignNames returns the names of designs.
func DesignNames(designs []Design) (names []string) {
	for i := range designs {
		names = append(names, designs[i].Name)
	}
	return names
}

// Find returns the designs whose name or repository contains a text, on the named shuttle, or on all for "". A text
// from 0 to MaxNumber is a number on the mux. The error has the kind failure.Nothing if none fits, or is of the user.
func (x *Index) Find(on, text string) (found []Design, err error) {
	s := x.Shuttle(on)
	if s == nil && on != "" {
		return nil, failure.Usagef("--shuttle: unknown shuttle %q: allowed are %s", on,
			strings.Join(x.ShuttleNames(), ", "))
	}
	if n, ok := muxNumber(text); ok {
		for _, d := range x.designsOn(s) {
			if d.Number == n {
				found = append(found, d)
			}
		}
	} else {
		found = match(x.designsOn(s), text)
	}
	if len(found) == 0 {
		return nil, failure.Newf(failure.Nothing, "%s", x.noneError(s, text))
	}
	return found, nil
}

func (x *Index) designsOn(s *Shuttle) []Design {
	if s == nil {
		return x.Designs()
	}
	return s.Designs()
}

func muxNumber(text string) (int, bool) {
	n, err := strconv.ParseUint(text, 10, 16)
	return int(n), err == nil && n <= MaxNumber
}

// noneError returns the message that no design matches, with suggestions.
func (x *Index) noneError(s *Shuttle, text string) string {
	none := fmt.Sprintf("no design fits %q", text)
	if s != nil {
		if n, ok := muxNumber(text); ok {
			all := s.Designs()
			return fmt.Sprintf("the shuttle %s has no design at %d: its numbers go from %d to %d", s.Name, n,
				all[0].Number, all[len(all)-1].Number)
		}
		none = fmt.Sprintf("no design of the shuttle %s fits %q", s.Name, text)
		if others := match(x.Designs(), text); others != nil {
			return fmt.Sprintf("%s; without --shuttle %d do", none, len(others))
		}
	}
	return none + failure.DidYouMean(text, DesignNames(x.designsOn(s)))
}
