package compare

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
)

// three returns a table of two targets that fail alike, and one that fails differently.
func three(t *testing.T) *Table {
	var targets []Target
	for i, results := range [][]*driver.Result{
		{resultOf("s/a", driver.Pass), resultOf("s/b", driver.Pass), resultOf("s/c", driver.Skipped)},
		{resultOf("s/a", driver.Pass), wrong("s/b", 812, 0x20, 0), wrong("s/c", 4, 0, 0x81)},
		{resultOf("s/a", driver.Pass), wrong("s/b", 812, 0x20, 0), wrong("s/c", 4, 0xFF, 0)},
	} {
		targets = append(targets, (&fake{results: results}).target([]string{"<rtl>", "A", "B"}[i], ""))
	}
	table := run(t, &Matrix{Targets: targets})
	table.About = About{Bench: "v1", Tile: "utf", Vectors: 3, Digest: "d1"}
	table.Elapsed = 1500 * time.Millisecond
	for _, c := range table.Columns {
		c.Took = time.Second
	}
	table.Columns[1].Number = 12
	return table
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := three(t).Text(&b); err != nil {
		t.Fatal(err)
	}
	const want = `utf: 3 vectors on 3 targets, compared with the tt09 model

   target  verdict  pass  fail  skipped  steps  time  run  first failure
1  <rtl>   PASS        2     0        1     30    1s    -
2  A       FAIL        1     2        0     30    1s   12  s/b step 812 (uo5 NONCHAR)
3  B       FAIL        1     2        0     30    1s    -  s/b step 812 (uo5 NONCHAR)

notes on the targets
1  fake
2  fake
3  fake

not the same on all targets  1        2              3
s/b                          PASS     FAIL step 812  FAIL step 812
s/c                          SKIPPED  FAIL step 4    FAIL step 4

<rtl> passes; A and B fail from step 812 of s/b (uo5 NONCHAR)

FAIL  1 of 3 targets pass, 2 FAIL: 3 vectors, 90 steps in 1.5s
`
	if b.String() != want {
		t.Errorf("%s\nwant %s", b.String(), want)
	}
}

// Wide texts follow on separate lines, file names are shortened if they stay distinct, and only some of many vectors
// are listed.
func TestWide(t *testing.T) {
	var targets []Target
	for i := range 2 {
		var results []*driver.Result
		for n := range maxListedFailures + 5 {
			r := resultOf(fmt.Sprintf("suite/a-vector-with-a-long-name/%03d", n), driver.Pass)
			if i > 0 {
				r = wrong(r.Vector.Name, 3, 0, 0xFF)
			}
			results = append(results, r)
		}
		name := fmt.Sprintf("verilog:%s/project%d.v", strings.Repeat("folder/", 20), i)
		targets = append(targets, (&fake{results: results}).target(name, ""))
	}
	table := run(t, &Matrix{Targets: targets})
	var b bytes.Buffer
	if err := table.Text(&b); err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(b.String(), "not the same")
	for line := range strings.Lines(head) {
		if len(line) > columns+1 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	for _, want := range []string{"...", "   first failure: suite/", " and 5 more)",
		"... and 5 more; --json has all of them"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	table.Columns[0].Target = strings.Replace(table.Columns[0].Target, "folder", "holder", 15)
	table.Columns[1].Target = table.Columns[0].Target[:60] + "x" + table.Columns[0].Target[60:]
	if names := table.shortNames(); names[0] == names[1] || !slices.Contains(names, table.Columns[1].Target) {
		t.Errorf("they cannot be told from each other: %q", names)
	}
}
