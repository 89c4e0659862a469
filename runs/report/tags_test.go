package report

import (
	"encoding/xml"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/files"
)

// Whatever the tags of a foreign recording contain, JUnit's output remains XML in ASCII.
func TestTagsInJUnit(t *testing.T) {
	var out strings.Builder
	j := &JUnit{Out: &out}
	for _, err := range []error{
		j.Start(Run{Tags: files.Tags{"a\"<": "\x01ü", "vdd": "1.8"}}),
		j.Result(&driver.Result{Vector: &golden.Vector{Name: "s/a"}, Iteration: 1, Verdict: driver.Pass}),
		j.End(Outcome{Tally: &driver.Tally{}}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var read struct {
		Suites []struct {
			Properties []struct {
				Name  string `xml:"name,attr"`
				Value string `xml:"value,attr"`
			} `xml:"properties>property"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(out.String()), &read); err != nil || len(read.Suites) != 1 {
		t.Fatal(err, out.String())
	}
	found := map[string]string{}
	for _, p := range read.Suites[0].Properties {
		found[p.Name] = p.Value
	}
	if found["tag.a\"<"] != "U+0001U+00FC" || found["tag.vdd"] != "1.8" {
		t.Error(found)
	}
}
