package history

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/testkit"
)

// WriteTable and WriteJSON show a PASS, a FLAKY and an ERROR of one device.
func TestHistoryIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	for _, v := range []driver.Verdict{driver.Pass, driver.Fail, driver.Error} {
		enter(path, "a", v)
	}
	h := open(t, path)
	var table, none, list, all strings.Builder
	for _, err := range []error{WriteTable(&table, h, Filter{}), WriteTable(&none, h, Filter{Board: "rpi"}),
		WriteJSON(&list, h, Filter{Limit: 1}), WriteJSON(&all, h, Filter{})} {
		if err != nil {
			t.Error(err)
		}
	}
	lines := strings.Split(table.String(), "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[0], "run  began ") ||
		strings.Join(strings.Fields(lines[2])[3:], " ") !=
			"mock a FLAKY (no chip) 1 2 mock:tt09 note=\"a, b\", vdd=1.8 -" {
		t.Errorf("the table is\n%s", &table)
	}
	if none.String() != "no run in the history is on the board \"rpi\"\n" {
		t.Errorf("without a run it is %q", &none)
	}
	if text := list.String(); strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, `{"run":3,"start":{`) {
		t.Errorf("the list is\n%s", text)
	}
	if lines := strings.Split(all.String(), "\n"); len(lines) != 4 ||
		!strings.Contains(lines[1], `"verdict":"FLAKY"`) || !json.Valid([]byte(lines[1])) {
		t.Errorf("the runs are\n%s", &all)
	}
}

// WriteOutline describes a run by its start and end.
func TestOutline(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.db")
	enter(path, "a", driver.Fail)
	var outline strings.Builder
	testkit.Must(open(t, path).Get(1))(t).WriteOutline(&outline)
	if !strings.HasSuffix(outline.String(),
		": FLAKY (no chip)\ntags: note=\"a, b\", vdd=1.8\ncompared: 32 output bits, every line at both levels\n") {
		t.Errorf("%s", &outline)
	}
}
