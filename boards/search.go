package boards

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
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

// Similar returns the names of up to most designs similar to text, the nearest first. At most one letter in four may be
// changed, deleted or inserted to make text a part of the name. Case is ignored.
func Similar(designs []Design, text string, most int) []string {
	text = strings.ToLower(text)
	edits := map[string]int{}
	row := make([]int, len(text)+1)
	for i := range designs {
		name := designs[i].Name
		if _, seen := edits[name]; seen {
			continue
		}
		if n := distance(text, strings.ToLower(name), row); n <= len(text)/4 {
			edits[name] = n
		}
	}
	near := slices.SortedFunc(maps.Keys(edits), func(a, b string) int {
		return cmp.Or(edits[a]-edits[b], len(a)-len(b), strings.Compare(a, b))
	})
	return near[:min(most, len(near))]
}

// distance returns the number of letters to change, delete or insert to make text a part of name. row is scratch
// memory, one longer than text.
func distance(text, name string, row []int) int {
	for i := range row { // row[i]: edits from text[:i] to a part of name that ends here
		row[i] = i
	}
	best := row[len(text)]
	for j := range len(name) {
		before := 0 // previous row[i-1]; 0 since a part may begin anywhere
		for i := 1; i < len(row); i++ {
			change := before
			if text[i-1] != name[j] {
				change++
			}
			before = row[i]
			row[i] = min(change, row[i]+1, row[i-1]+1)
		}
		best = min(best, row[len(text)])
	}
	return best
}

// Find returns the designs whose name or repository contains a text, on the named shuttle, or on all for "". A text
// from 0 to MaxNumber is a number on the mux. The error is of the kind failure.Nothing if none fits, or bad input.
func (x *Index) Find(on, text string) (found []Design, err error) {
	s := x.Shuttle(on)
	if s == nil && on != "" {
		return nil, failure.Usagef("--shuttle: unknown shuttle %q: allowed are %s", on, strings.Join(x.Names(), ", "))
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

// designsOn returns the designs of a shuttle, or of all if it is nil.
func (x *Index) designsOn(s *Shuttle) []Design {
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

// few is the number of names that an error suggests.
const few = 3

// noneError returns the message that no design fits, with suggestions.
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
	if near := Similar(x.designsOn(s), text, few); near != nil {
		none += "; names near to it: " + strings.Join(near, ", ")
	}
	return none
}
