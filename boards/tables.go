package boards

import (
	"iter"
	"strconv"
	"strings"
)

// Header rows of the tables.
const (
	shuttleFields = "shuttle\tname\tpdk\trom"
	designFields  = "shuttle\tnumber\tdesign\tclock_hz\tdanger\trepo\tcommit"
)

// rows yields the fields of each row of a table except the head. The fields share the table's memory.
func rows(table string) iter.Seq[[7]string] {
	return func(yield func([7]string) bool) {
		_, table, _ = strings.Cut(table, "\n")
		for line := range strings.Lines(table) {
			line = strings.TrimSuffix(line, "\n")
			var row [7]string
			for i := range row {
				row[i], line, _ = strings.Cut(line, "\t")
			}
			if !yield(row) {
				return
			}
		}
	}
}

// parse parses tables, which must be well formed, with designs in the order of the shuttles, as TestTables checks.
func parse(shuttles, designs string) *Index {
	x := &Index{designs: make([]Design, 0, strings.Count(designs, "\n"))}
	for row := range rows(designs) {
		d := Design{Shuttle: row[0], Name: row[2], Danger: row[4], Repo: row[5], Commit: row[6]}
		d.Number, _ = strconv.Atoi(row[1])
		d.Clock, _ = strconv.Atoi(row[3])
		x.designs = append(x.designs, d)
	}
	left := x.designs
	for row := range rows(shuttles) {
		s, n := Shuttle{Name: row[0], Title: row[1], PDK: row[2], ROM: row[3]}, 0
		for n < len(left) && left[n].Shuttle == s.Name {
			n++
		}
		s.designs, left = left[:n:n], left[n:]
		x.shuttles = append(x.shuttles, s)
	}
	return x
}
