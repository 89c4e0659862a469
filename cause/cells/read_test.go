package cells

import (
	"strings"
	"testing"
)

// ReadLocated rejects anything but a diagnosis of the inside of a chip, with a hint.
func TestReadLocated(t *testing.T) {
	const good = `{"schema": 1, "conclusion": "chip", "inside": {"failed": 1, "vectors": 2, "tried": 3, "best": [` +
		`{"cell": "_1_", "pin": "A", "fault": "stuck at 0", "explained": 4}]}}`
	for change, want := range map[[2]string]string{
		{"", ""}:                           "",
		{good, ""}:                         "not written by bench diagnose --json",
		{`"schema": 1`, `"schema": 7`}:     "or by another version: schema 7 (want 1)",
		{"inside", "outside"}:              "it has no findings about the chip's cells",
		{`"failed": 1`, `"failed": 3`}:     "its numbers do not fit together",
		{`"explained": 4`, `"explained":`}: "not written by bench diagnose --json",
	} {
		l, err := ReadLocated(strings.NewReader(strings.Replace(good, change[0], change[1], 1)))
		if want == "" && (err != nil || l.Best[0].String() != "_1_/A stuck at 0") ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", change, err)
		}
	}
}
