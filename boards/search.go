package boards

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"utfbench/internal/failure"
)

// match returns the designs with a name or repository that contains the pattern, ignoring case, or matches it as a glob
// if it has one of *?[, where * and ? match no slash. An empty pattern matches all. The error reports a malformed glob.
func match(designs []Design, pattern string) (found []Design, err error) {
	pattern = strings.ToLower(pattern)
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, failure.Usagef("the pattern %q is not well-formed: * is any text, ? any character, [a-z] one "+
			"of those", pattern)
	}
	fits := strings.Contains
	if strings.ContainsAny(pattern, "*?[") {
		fits = func(s, pattern string) bool { ok, _ := path.Match(pattern, s); return ok }
	}
	for _, d := range designs {
		if fits(strings.ToLower(d.Name), pattern) || fits(strings.ToLower(d.Repo), pattern) {
			found = append(found, d)
		}
	}
	return found, nil
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

// Find gives the designs that fit a pattern, see match, on one shuttle or with "" on all; one or more. A pattern from 0
// to MaxNumber is a number on the mux. The error is of the kind failure.Nothing, or bad input.
func (x *Index) Find(on, pattern string) (found []Design, err error) {
	s := x.Shuttle(on)
	if s == nil && on != "" {
		return nil, failure.Usagef("--shuttle: unknown shuttle %q: allowed are %s", on, strings.Join(x.Names(), ", "))
	}
	if n, ok := muxNumber(pattern); ok {
		for _, d := range x.designsOn(s) {
			if d.Number == n {
				found = append(found, d)
			}
		}
	} else if found, err = match(x.designsOn(s), pattern); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, failure.Newf(failure.Nothing, "%s", x.noneError(s, pattern))
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

// few is how many designs or names an error suggests.
const few = 3

// noneError says that no design fits, and suggests others.
func (x *Index) noneError(s *Shuttle, text string) string {
	none := fmt.Sprintf("no design fits %q", text)
	if s != nil {
		if n, ok := muxNumber(text); ok {
			all := s.Designs()
			return fmt.Sprintf("the shuttle %s has no design at %d: its numbers go from %d to %d", s.Name, n,
				all[0].Number, all[len(all)-1].Number)
		}
		none = fmt.Sprintf("no design of the shuttle %s fits %q", s.Name, text)
		if others, _ := match(x.Designs(), text); others != nil {
			return none + "; on others: " + some(others)
		}
	}
	if near := Similar(x.designsOn(s), text, few); near != nil {
		none += "; names near to it: " + strings.Join(near, ", ")
	}
	return none
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
