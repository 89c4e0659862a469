package boards

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// checkout writes a checkout of the index with a date and one more design than a file of it should have.
func checkout(t *testing.T, date, projects string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"index.json": `{"updated": "` + date + `T19:42:42.140Z", "shuttles": [{"id": "ttgf26b", "name": "GF 26b",
			"pdk": "gf180mcuD", "rom_data": "shuttle=ttgf26b\nrepo=TinyTapeout/ttgf26b\n"}]}`,
		"ttgf26b.json": `{"projects": [` + projects + `]}`,
	} {
		if err := os.MkdirAll(filepath.Join(dir, "index"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "index", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const two = `{"macro": "tt_um_b", "address": 453, "clock_hz": 0, "repo": "https://github.com/a/b", "commit":
	"0123456789abcdef"}, {"macro": "tt_um_a", "address": 32, "clock_hz": 25000000, "danger_level": "high",
	"repo": "N/A", "commit": "N/A"}`

// A newer index takes the place of the built-in one; an older, damaged or inconsistent one is refused and changes
// nothing.
func TestUpdate(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("HOME", os.Getenv("XDG_DATA_HOME"))
	t.Setenv("LocalAppData", os.Getenv("XDG_DATA_HOME"))
	for _, c := range []struct{ date, projects, words string }{
		{"2026-05-25", two, "of 2026-05-25, and the built-in index of 2026-05-25: an update has to be newer"},
		{"2027-01-01", two + "," + two, "none comes twice"},
		{"2027-01-01", `{"macro": "tt_um_a", "address": 1024}`, `"1024" is no number from 0 to 1023`},
		{"2027-01-01", `{"macro": "tt_um_a\tb", "address": 1}`, "fields with a tab"},
		{"2027-01-01", `{`, "ttgf26b.json: "},
		{"2027-01-01", "", "has no design"},
	} {
		_, err := UpdateShuttles(checkout(t, c.date, c.projects))
		if err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s %s: %v, want %q", c.date, c.projects, err, c.words)
		}
	}
	if x, err := newest(); err != nil || x.Date() != builtInState {
		t.Fatal("a refused index is in use: ", err)
	}
	if _, err := UpdateShuttles(checkout(t, "2027-01-01", two)); err != nil {
		t.Fatal(err)
	}
	x, err := newest()
	if err != nil || x.Date() != "2027-01-01" || len(x.Designs()) != 2 {
		t.Fatal(x, err)
	}
	want := []Design{{"ttgf26b", 32, "tt_um_a", 25000000, "high", "", ""},
		{"ttgf26b", 453, "tt_um_b", 0, "", "a/b", "0123456789"}}
	for i, d := range x.Shuttle("ttgf26b").Designs() {
		if d != want[i] {
			t.Errorf("%+v, want %+v", d, want[i])
		}
	}
	path, err := updateFile()
	if err == nil {
		err = os.WriteFile(path, []byte(`{"state":"2027-01-01"}`), 0o600)
	}
	if _, broken := newest(); err != nil || broken == nil || !strings.Contains(broken.Error(), "--update writes it") {
		t.Error(err, broken)
	}
}

// TestCheckout compares a checkout of the index with the built-in tables, which are of its commit 7b2cf1e.
//
//	BENCH_INDEX  a checkout of TinyTapeout/tinytapeout-index
//	BENCH_UPDATE    writes the tables instead
func TestCheckout(t *testing.T) {
	dir := os.Getenv("BENCH_INDEX")
	if dir == "" {
		t.Skip("needs a checkout of TinyTapeout/tinytapeout-index: set BENCH_INDEX")
	}
	u, err := readCheckout(filepath.Join(dir, "index"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("BENCH_UPDATE") != "" {
		for name, text := range map[string]string{"shuttles.tsv": u.Shuttles, "designs.tsv": u.Designs} {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("the tables are of %s: builtInState", u.State)
		return
	}
	if u.State != builtInState || u.Shuttles != shuttlesText || u.Designs != designsText {
		t.Errorf("the index of %s differs from the built-in one of %s", u.State, builtInState)
	}
}
