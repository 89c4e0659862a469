package model

import "strings"

// A Revision is a version of the design in silicon.
type Revision uint8

const (
	TT09 Revision = iota // on TT09 and most later shuttles
	TT08                 // on TT08 and CAD 25a: RETRY is sometimes cleared, and a UTF-16 read past the end advances
)

var revisionNames = [...]string{"tt09", "tt08"}

func (r Revision) String() string { return revisionNames[r] }

// Other returns the other revision.
func (r Revision) Other() Revision { return TT09 + TT08 - r }

// commits maps the commits of fabricated chips with known logic to revisions, by their first eight digits. The commit
// of ttsky26b, b0440db8, has not been examined (docs/chip.md, "Revisions").
var commits = map[string]Revision{
	"18d5793b": TT08, // tt08, ttcad25a
	"ac16d629": TT09, // tt09, ttihp25a
	"0a7e4165": TT09, // ttsky25a, ttsky25b, ttsky26a
	"50ac867c": TT09, // ttihp0p2
	"f411cba4": TT09, // ttihp26a
}

// RevisionOfCommit returns the revision of a commit, given at least its first eight digits, if it has been examined.
func RevisionOfCommit(commit string) (r Revision, known bool) {
	r, known = commits[strings.ToLower(commit[:min(8, len(commit))])]
	return r, known
}
