package station

import (
	"context"
	"strings"
	"testing"

	"utfbench/internal/failure"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/transport/rp2040"
)

// The sources must belong to the fabricated commit, unless the user insists or the commit is unknown.
func TestFabricated(t *testing.T) {
	const made = "0123456789"
	for name, c := range map[string]struct {
		top, commit string
		same        bool
		err         error
		insist      bool
		want        string // part of the note or the error
		kind        failure.Kind
	}{
		"the same":              {"tt_um_x", made, true, nil, false, "the sources are of commit " + made, 0},
		"a design of nobody":    {"tt_um_nobody", "", false, nil, false, "is not known", 0},
		"of another repository": {"tt_um_factory_test", "", false, project.ErrNoHistory, false, "cannot be checked", 0},
		"edited": {"tt_um_x", made, false, nil, false, "git checkout " + made + ", or --insist",
			failure.User},
		"insisted": {"tt_um_x", made, false, nil, true, "--insist takes them", 0},
	} {
		p := &project.Project{Dir: "there", Top: c.top, Commits: map[string]string{"tt09": c.commit}}
		x := &Target{Insist: c.insist, CompareCommit: func(context.Context, *project.Project, string) (bool, string,
			error) {
			return c.same, "abc", c.err
		}}
		x.Tile = &gates.Tile{DescribedTile: gates.DescribedTile{About: p}, RTL: new(gates.RTL)}
		note, err := x.revisionOf(t.Context(), &rp2040.ROM{Shuttle: "tt09"}, new(Chip))
		if err != nil {
			note = err.Error()
		}
		if !strings.Contains(note, c.want) || err != nil && failure.KindOf(err) != c.kind ||
			(err != nil) != (name == "edited") {
			t.Errorf("%s: %q, %v", name, note, err)
		}
	}
}
