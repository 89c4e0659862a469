package boards

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"utfbench/internal/failure"
)

// Find returns the matching designs, or an error with suggestions.
func TestFind(t *testing.T) {
	x := Shuttles()
	for _, c := range []struct {
		on, pattern string
		found       int
	}{
		{"tt09", "hardware_utf8", 1}, {"ttsky25b", "207", 1}, {"ttihp25a", "544", 16}, {"", "", len(x.Designs())},
		{"", "897", 9},
		{"tt09", "", len(x.Shuttle("tt09").Designs())},
	} {
		if found, err := x.Find(c.on, c.pattern); err != nil || len(found) != c.found {
			t.Errorf("%s %q: %d designs, %v; want %d", c.on, c.pattern, len(found), err, c.found)
		}
	}
	for _, c := range []struct {
		on, pattern string
		kind        failure.Kind
		says        string
	}{
		{"", "tt_um_factroy_test", failure.Nothing,
			`no design fits "tt_um_factroy_test" (did you mean tt_um_factory_test?)`},
		{"tt04", "hardware_utf8", failure.Nothing,
			`no design of the shuttle tt04 fits "hardware_utf8"; without --shuttle 10 do`},
		{"tt09", "1000", failure.Nothing, "the shuttle tt09 has no design at 1000: its numbers go from 0 to "},
		{"", "1000000", failure.Nothing, `no design fits "1000000"`},
		{"tt99", "", failure.User, `--shuttle: unknown shuttle "tt99": allowed are tt02, `},
	} {
		if _, err := x.Find(c.on, c.pattern); err == nil || failure.KindOf(err) != c.kind ||
			!strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%s %q: %v", c.on, c.pattern, err)
		}
	}
}

// A listing shows a design's known properties.
func TestListing(t *testing.T) {
	l := Listing{Designs: []Design{
		{Shuttle: "tt09", Number: 7, Name: "tt_um_a", Clock: 12_500_000, Danger: "high", Repo: "a/b",
			Commit: "0123456789"},
		{Shuttle: "tt09", Number: 8, Name: "tt_um_b", Clock: 32_768},
	}, Revision: func(d *Design) string { return map[int]string{7: "second"}[d.Number] }}
	var text, objects strings.Builder
	if err := errors.Join(l.WriteText(&text), l.WriteJSON(&objects)); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"shuttle number design clock danger repository commit revision",
		"tt09 7 tt_um_a 12.5MHz high a/b 0123456789 second", "tt09 8 tt_um_b 32.768kHz - - - -"} {
		if got := strings.Join(strings.Fields(strings.Split(text.String(), "\n")[i]), " "); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
	var first map[string]any
	line, rest, _ := strings.Cut(objects.String(), "\n")
	if err := json.Unmarshal([]byte(line), &first); err != nil || first["clock_hz"] != 12.5e6 ||
		first["revision"] != "second" || strings.Contains(rest, "revision") {
		t.Errorf("%v\n%s", err, &objects)
	}
}
