package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/transport"
)

// Vectors are listed by suite, individually, and as JSON.
func TestLists(t *testing.T) {
	from := func(document string) golden.Source {
		return golden.Source{Document: document, Section: "s", Row: "r<1>"}
	}
	jobs := []driver.Job{
		{Vector: &golden.Vector{Name: "a/x", Source: from("one.md"),
			Sequence: golden.Sequence{Steps: make([]transport.Step, 3)}}, File: "f.vec"},
		{Vector: &golden.Vector{Name: "a/y", Source: from("two.md"),
			Sequence: golden.Sequence{Steps: make([]transport.Step, 4)}}, File: "f.vec"},
		{Vector: &golden.Vector{Name: "b/x", Source: from("two.md"), Line: 9}, File: "g.vec"},
	}
	var suites, vectors, objects strings.Builder
	List(&suites, jobs)
	ListVectors(&vectors, jobs)
	if err := ListJSON(&objects, jobs); err != nil {
		t.Fatal(err)
	}
	if want := "suite  vectors  steps  first document\na            2      7  one.md\nb            1      0  " +
		"two.md\n"; suites.String() != want {
		t.Errorf("suites:\n%s", &suites)
	}
	if lines := strings.Split(vectors.String(), "\n"); len(lines) != 4 || !strings.HasPrefix(lines[1], "a/y\t") {
		t.Errorf("vectors:\n%s", &vectors)
	}
	var last struct {
		Name, Suite, Row string
		Line             int
	}
	lines := strings.Split(objects.String(), "\n")
	if err := json.Unmarshal([]byte(lines[2]), &last); err != nil || last.Name != "b/x" || last.Suite != "b" ||
		last.Row != "r<1>" || last.Line != 9 {
		t.Errorf("%v\n%s", err, &objects)
	}
}
