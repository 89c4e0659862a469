package report

import (
	"encoding/xml"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/golden"
)

func TestParseTags(t *testing.T) {
	tags, err := ParseTags([]string{"vdd=1.8", "chip=7", "note=a=b, Grüße"})
	if err != nil || tags.String() != "chip=7, note=a=b, Grüße, vdd=1.8" {
		t.Errorf("%v %v", tags, err)
	}
	if tags, err := ParseTags(nil); tags != nil || err != nil || tags.String() != "" || tags.JSON() != "" {
		t.Errorf("of none: %v %v", tags, err)
	}
	for text, says := range map[string]string{
		"vdd":                             "a tag is KEY=VALUE",
		"=1":                              "the key of a tag has 1 to 40",
		"v dd=1":                          "the key of a tag has 1 to 40",
		"ü=1":                             "the key of a tag has 1 to 40",
		strings.Repeat("k", 41) + "=1":    "the key of a tag has 1 to 40",
		"vdd=":                            "the value of a tag has 1 to 200",
		"vdd=a\nb":                        "the value of a tag has 1 to 200",
		"vdd=\x1b[31m":                    "the value of a tag has 1 to 200",
		"vdd=\xff":                        "the value of a tag has 1 to 200",
		"vdd=" + strings.Repeat("1", 201): "the value of a tag has 1 to 200",
		"a=2":                             "the key a is there twice",
	} {
		if _, err := ParseTags([]string{"a=1", text}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
	edge := strings.Repeat("k", 40) + "=" + strings.Repeat("v", 200)
	if tags, err := ParseTags([]string{edge}); err != nil || tags.String() != edge {
		t.Errorf("%v %v", tags, err)
	}
}

// Of two tags of the same key the later counts, and neither set changes.
func TestTagsWith(t *testing.T) {
	old, added := Tags{"vdd": "1.8", "chip": "7"}, Tags{"vdd": "3.3"}
	if all := old.With(added); all.String() != "chip=7, vdd=3.3" || old["vdd"] != "1.8" || len(added) != 1 {
		t.Errorf("%s of %s and %s", all, old, added)
	}
	if all := Tags(nil).With(nil); all == nil || len(all) != 0 {
		t.Errorf("of none: %v", all)
	}
}

// Tags of a recording from elsewhere may hold anything, and JUnit stays XML in ASCII.
func TestTagsInJUnit(t *testing.T) {
	var out strings.Builder
	j := &JUnit{Out: &out}
	for _, err := range []error{
		j.Start(Run{Tags: Tags{"a\"<": "\x01ü", "vdd": "1.8"}}),
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
