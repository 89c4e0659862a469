package compare

import (
	_ "embed"
	"fmt"
	"slices"

	"utfbench/driver"
	"utfbench/internal/printable"
)

// Meaning explains the verdict in one sentence.
func (l *Lot) Meaning() string {
	if l.Refused() && !l.Golden.Judged() {
		return fmt.Sprintf("the golden unit %s was not judged, so no other board was", l.Golden.Name)
	}
	if l.Refused() {
		return fmt.Sprintf("the golden unit %s did not pass: the bench or this unit is at fault, so no board "+
			"was judged", l.Golden.Name)
	}
	counts := map[string]int{}
	var words []string
	steps, passed := 0, 0
	var all Table
	for _, b := range l.Boards {
		all.Columns = append(all.Columns, b.Runs...)
		for _, c := range b.Runs {
			steps += c.Steps
		}
		if b.Verdict() == driver.Pass {
			passed++
			continue
		}
		word := b.Verdict().String()
		if b.Away != "" {
			word = b.Away
		}
		if counts[word]++; counts[word] == 1 {
			words = append(words, word)
		}
	}
	said := fmt.Sprintf("%d of %d boards pass", passed, len(l.Boards))
	slices.Sort(words)
	for _, word := range words {
		said += fmt.Sprintf(", %d %s", counts[word], word)
	}
	return said + fmt.Sprintf(": %s, %d steps in %s%s", printable.Count(l.About.Vectors, "vector"), steps,
		Took(l.Elapsed), all.Unasked())
}

// Words explains the terms of lots; see cli.Book.
//
//go:embed words.txt
var Words string
