package main

import (
	"database/sql"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // reads what bench export --sqlite wrote
)

// The questions of docs/data.md have answers, of the very runs that it names.
func TestQuestions(t *testing.T) {
	text, err := os.ReadFile("../../docs/data.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("BENCH_DB", filepath.Join(dir, "h.db"))
	path := filepath.Join(dir, "runs.db")
	commands := regexp.MustCompile(`(?m)^bench (.*)$`).FindAllStringSubmatch(string(text), -1)
	if len(commands) != 4 {
		t.Fatalf("%d commands", len(commands))
	}
	for _, c := range commands {
		args := strings.Fields(strings.Replace(c[1], "runs.db", path, 1))
		if code, said := bench(t, args...); code != exitPass && code != exitFail {
			t.Fatalf("%q: exit code %d, %s", args, code, said)
		}
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	questions := regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	for _, q := range questions {
		if n := rows(t, db, q[1]); n == 0 {
			t.Errorf("no answer to %s", q[1])
		}
	}
	if len(questions) < 6 {
		t.Errorf("%d questions", len(questions))
	}
	checkRates(t, db)
	for table := range strings.FieldsSeq("runs tags executions wrong lines step_rates line_tags") {
		checkColumns(t, db, table, string(text))
	}
}

func rows(t *testing.T, db *sql.DB, query string) (n int) {
	t.Helper()
	all, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer all.Close()
	for all.Next() {
		n++
	}
	if err := all.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

// checkRates holds what was measured against what was injected.
func checkRates(t *testing.T, db *sql.DB) {
	for vdd, want := range map[string]float64{"1.7": 1e-3, "1.6": 1e-2, "1.8": 0} {
		var rate float64
		err := db.QueryRow("SELECT rate FROM line_tags WHERE value = ? AND line = 'uo3'", vdd).Scan(&rate)
		if err != nil || math.Abs(rate-want) > want/5 {
			t.Errorf("vdd %s: a rate of %g, %v; want %g", vdd, rate, err, want)
		}
	}
	if n := rows(t, db, "SELECT 1 FROM wrong WHERE line <> 'uo3' OR want = got"); n > 0 {
		t.Errorf("%d rows of wrong that are not", n)
	}
}

// checkColumns wants the columns of a table in the page.
func checkColumns(t *testing.T, db *sql.DB, table, page string) {
	all, err := db.Query("SELECT * FROM " + table + " LIMIT 0")
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	names, err := all.Columns()
	if err != nil {
		t.Fatal(err)
	}
	_, of, _ := strings.Cut(page, "| `"+table+"` |")
	for _, name := range names {
		if !strings.Contains(of, "`"+name+"`") {
			t.Errorf("docs/data.md does not name the column %s of %s", name, table)
		}
	}
}
