package diagnose

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// everyFault lists each kind of permanent fault at each place that can have it.
func everyFault() []string {
	return testkit.EveryFault("stuck0", "stuck1", "open", "open:low", "open:high", "open:keep", "inverted")
}

// stride selects every n-th fault for TestTable.
var stride = testkit.Pick(1400, 80)

func run(t testing.TB, text string, jobs []driver.Job) *Run {
	t.Helper()
	f := testkit.Must(model.Bits.Parse(text))(t)
	c := &Run{Tile: utf.TT09}
	r := driver.Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}}),
		Report: adding(t, c)}
	if _, err := r.Run(t.Context(), jobs); err != nil {
		t.Fatal(err)
	}
	return c
}

// allJobs returns the vectors of the tables in testdata: all except the suite structural, which is newer.
func allJobs(t testing.TB) []driver.Job {
	return slices.DeleteFunc(testkit.AllJobs[driver.Job](t), func(j driver.Job) bool {
		return j.Vector.Suite() == "structural"
	})
}

// unseen lists faults that no vector can detect, with the reasons.
var unseen = map[string]string{
	"clk=inverted": "the chip's edge comes at the other end of the same pulse, while all levels still stand",
}

const table = "testdata/table.txt"

// TestTable compares a few rows of the table of results with current results. If BENCH_EVERY_FAULT is set, it rewrites
// the rows that match that regular expression.
func TestTable(t *testing.T) {
	known, all := readTable(t, table), everyFault()
	anew, every := os.LookupEnv("BENCH_EVERY_FAULT")
	if !every {
		checkTable(t, known, all)
	}
	var some []string
	for i, fault := range all {
		if every && regexp.MustCompile(anew).MatchString(fault) ||
			!every && i%stride == stride/2 {
			some = append(some, fault)
		}
	}
	var jobs []driver.Job
	for i, j := range allJobs(t) {
		if i%5 == 0 { // a fifth of the vectors suffices
			jobs = append(jobs, j)
		}
	}
	for _, fault := range some {
		now := outcome(t, fault, jobs)
		if known[fault] != now && !every {
			t.Errorf("%s: %s; the table says %s", fault, now, known[fault])
		}
		known[fault] = now
	}
	if every {
		writeTable(t, table, "# What diagnose finds when each fault is injected, with a fifth of the vectors. "+
			"BENCH_EVERY_FAULT=. go test -timeout 2h -run Table ./cause/diagnose", known, all)
		checkTable(t, known, all)
	}
}

// outcome returns the rank of the true cause in the finding.
func outcome(t testing.TB, text string, jobs []driver.Job) string {
	f := testkit.Must(model.Bits.Parse(text))(t)
	c := run(t, text, jobs)
	found := diagnosed(t, c)
	at := slices.IndexFunc(found.Causes, func(c search.Fit) bool {
		return len(c.Faults) == 1 && c.Faults[0] == f
	})
	switch {
	case c.FailedExecutions == 0:
		return "unseen"
	case at < 0 || at >= found.TieCount || found.Conclusion == Logic || found.Conclusion == Unexplained:
		return "missed"
	case found.TieCount == 1:
		return "first"
	}
	return fmt.Sprintf("ties with %d", found.TieCount-1)
}

func readTable(t testing.TB, table string) map[string]string {
	t.Helper()
	known := map[string]string{}
	text := testkit.Must(os.ReadFile(table))(t)
	for line := range strings.Lines(string(text)) {
		if fault, what, ok := strings.Cut(strings.TrimSpace(line), " "); ok && fault != "#" {
			known[fault] = strings.TrimSpace(what)
		}
	}
	return known
}

func writeTable(t testing.TB, table, head string, known map[string]string, all []string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(head + "\n")
	for _, f := range all {
		fmt.Fprintf(&b, "%-20s %s\n", f, known[f])
	}
	if err := os.WriteFile(table, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkTable checks that the table has every fault, that all detectable ones are detected, and 98 % are first or tied.
func checkTable(t testing.TB, known map[string]string, all []string) {
	t.Helper()
	missed := 0
	for _, f := range all {
		switch what := known[f]; what {
		case "":
			t.Errorf("%s is not in the table", f)
		case "unseen":
			if unseen[f] == "" {
				t.Errorf("%s is not detected", f)
			}
		case "missed":
			missed++
		}
	}
	if len(known) != len(all) || missed*100 > 2*len(all) {
		t.Errorf("%d of %d are missed; %d in the table", missed, len(all), len(known))
	}
}
