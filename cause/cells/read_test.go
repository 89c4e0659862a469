package cells

import (
	"strings"
	"testing"
)

// What is no diagnosis of the inside of a chip is refused, with what to do; what is one is read and marks the die.
func TestReadLocated(t *testing.T) {
	const good = `{"schema": 1, "conclusion": "chip", "inside": {"failed": 1, "vectors": 2, "tried": 3, "best": [` +
		`{"cell": "_1_<b>", "pin": "A", "fault": "stuck at 0", "explained": 4, "at": {"x": 5, "y": 6}},` +
		`{"cell": "far", "pin": "A", "fault": "stuck at 1", "explained": 4, "at": {"x": 500, "y": 6}}]}}`
	for change, want := range map[[2]string]string{
		{"", ""}:                           "",
		{good, ""}:                         "this is not what bench diagnose --json wrote",
		{`"schema": 1`, `"schema": 7`}:     "schema 7, and this bench reads schema 1",
		{"inside", "outside"}:              "it says nothing of the chip's cells",
		{`"failed": 1`, `"failed": 3`}:     "its numbers do not fit together",
		{`"x": 500`, `"x": 1e300`}:         "its numbers do not fit together",
		{`"explained": 4`, `"explained":`}: "this is not what bench diagnose --json wrote",
	} {
		_, err := ReadLocated(strings.NewReader(strings.Replace(good, change[0], change[1], 1)))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", change, err)
		}
	}
	l, err := ReadLocated(strings.NewReader(good))
	if err != nil {
		t.Fatal(err)
	}
	d := &Die{}
	d.Box.X1, d.Box.Y1 = 10, 10
	d.Mark(l)
	picture := d.picture()
	if !strings.Contains(picture, ">1  _1_&lt;b&gt;/A stuck at 0, x 5") || strings.Contains(picture, "far/A") {
		t.Errorf("the marks are wrong: %s", picture)
	}
}
