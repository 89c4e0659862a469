package model

import "testing"

// RevisionOfCommit accepts commits in the index's short form and in full, and rejects too short ones.
func TestOfCommit(t *testing.T) {
	for _, c := range []struct {
		commit string
		rev    Revision
		known  bool
	}{
		{"18d5793bb7", TT08, true},
		{"18D5793B", TT08, true},
		{"ac16d629b4", TT09, true},
		{"0a7e41657e", TT09, true},
		{"50ac867c40", TT09, true},
		{"f411cba49a", TT09, true},
		{"b0440db8cb", TT09, false},
		{"18d5793", TT09, false},
		{"", TT09, false},
	} {
		if rev, known := RevisionOfCommit(c.commit); known != c.known || known && rev != c.rev {
			t.Errorf("%q is %s, known %v; want %s, %v", c.commit, rev, known, c.rev, c.known)
		}
	}
}
