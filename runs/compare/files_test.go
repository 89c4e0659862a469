package compare

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"utfbench/driver"
)

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := three(t).JSON(&b); err != nil {
		t.Fatal(err)
	}
	var d tableDocument
	dec := json.NewDecoder(&b)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		t.Fatal(err)
	}
	if d.Schema != 1 || d.Verdict != "FAIL" || d.Vectors != 3 || d.Digest != "d1" || len(d.Targets) != 3 ||
		!strings.HasPrefix(d.Conclusion, "<rtl> passes; A and B fail from step 812") {
		t.Errorf("%+v", d)
	}
	a := d.Targets[1]
	if a.Target != "A" || a.Verdict != "FAIL" || a.Counts["FAIL"] != 2 || a.First.Vector != "s/b" ||
		a.First.Step != 812 || a.First.Lines[0] != "uo5 NONCHAR" || a.Number != 12 || a.Revision != "tt09" {
		t.Errorf("%+v", a)
	}
	if len(d.Failed) != 2 || d.Failed[0].Alike || d.Failed[1].Answers[0].Verdict != driver.Skipped.String() {
		t.Errorf("%+v", d.Failed)
	}
}

// A vector that a target did not run is null there, and one that fails equally everywhere is marked as such.
func TestJSONOfParts(t *testing.T) {
	a := &fake{results: []*driver.Result{wrong("s/a", 2, 1, 0), wrong("s/b", 2, 1, 0)}}
	b := &fake{results: []*driver.Result{wrong("s/b", 2, 1, 0)}}
	table := run(t, &Matrix{Targets: []Target{a.target("A", ""), b.target("B", "")}})
	var text bytes.Buffer
	if err := table.JSON(&text); err != nil {
		t.Fatal(err)
	}
	var d tableDocument
	if err := json.Unmarshal(text.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Failed) != 2 || d.Failed[0].Answers[1] != nil || !d.Failed[1].Alike || len(table.Differing()) != 0 {
		t.Errorf("%s", &text)
	}
}
