package history

import (
	"path/filepath"
	"strings"
	"testing"

	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/utf"
)

// told records the executions as two runs, and returns the text that tell writes about them.
func told(t *testing.T, a, b []execution, tell func(*RunPair, *strings.Builder) error) string {
	t.Helper()
	dir := t.TempDir()
	r := RunPair{Names: [2]string{"first", "second"}, Tiles: [2]tile.Tile{utf.TT09, utf.TT09}}
	for i, executions := range [][]execution{a, b} {
		r.Recordings[i] = write(t, filepath.Join(dir, r.Names[i]), executions)
		defer func(rec *report.Recording) { rec.Close() }(r.Recordings[i])
	}
	one, other := &r.Recordings[0].Start, &r.Recordings[1].Start
	one.Firmware, other.Firmware, other.Notes = "1.25, 133 MHz", "1.25, 125 MHz", []string{"parked", "selected"}
	var said strings.Builder
	if err := tell(&r, &said); err != nil {
		t.Fatal(err)
	}
	return said.String()
}

// The text shows one difference of each kind, the lines that differ, and what could not be compared.
func TestDiffInWords(t *testing.T) {
	good := []execution{{"a", 1, 0}, {"b", 1, 0}, {"c", 1, 0}}
	bad := []execution{{"a", 1, 1}, {"b", 1, 1}, {"d", 1, 0}}
	said := told(t, good, bad, func(r *RunPair, w *strings.Builder) error {
		c, err := r.WriteText(w)
		if c != Different {
			t.Error(c)
		}
		return err
	})
	for _, want := range []string{"A  first: ", "B  second: ", "\na\n        step 42 of 42: ",
		"                        ^", "\ndifferent      A        B\nboard's clock  133 MHz  125 MHz\n" +
			"note of B: parked\nnote of B: selected\n", "\n... 1 kind of difference, one vector of each; 1 more",
		"\nuo0                   2                    0                    2\n", "\nvectors that only A has: 1\n  c\n",
		"\nvectors that only B has: 1\n  d\n",
		"\nDIFFERENT  samples differ in 2 of 2 executions (84 steps compared)\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	said = told(t, good, good, func(r *RunPair, w *strings.Builder) error {
		c, err := r.WriteText(w)
		if c != Same || c.Err() != nil {
			t.Error(c)
		}
		return err
	})
	if !strings.HasSuffix(said, "\n\nSAME  samples match in 3 executions (126 steps compared)\n") ||
		strings.Contains(said, "more") {
		t.Error(said)
	}
}

// WriteText does not call runs the same if one has no samples or is incomplete.
func TestTooLittleToCompare(t *testing.T) {
	for want, c := range map[Conclusion]struct {
		executions []execution
		cut        string
		text       string
	}{
		NothingCompared: {nil, "it is cut off", "samples of the same steps in both runs, so nothing was compared\n"},
		Undecided: {[]execution{{"a", 1, 0}}, "it is cut off",
			"\nERROR  samples match as far as both runs have them, but a recording is incomplete\n"},
	} {
		said := told(t, c.executions, c.executions, func(r *RunPair, w *strings.Builder) error {
			r.Recordings[1].CutReason = c.cut
			got, err := r.WriteText(w)
			if got != want || got.Err() == nil {
				t.Errorf("%s, %v, want %s", got, got.Err(), want)
			}
			return err
		})
		if !strings.HasSuffix(said, c.text) {
			t.Errorf("no %q in\n%s", c.text, said)
		}
	}
}
