package files

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
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
		"a=2":                             "the key a is given twice",
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

// With takes the added value of a key that both sets contain, and changes neither set.
func TestWith(t *testing.T) {
	old, added := Tags{"vdd": "1.8", "chip": "7"}, Tags{"vdd": "3.3"}
	if all := old.With(added); all.String() != "chip=7, vdd=3.3" || old["vdd"] != "1.8" || len(added) != 1 {
		t.Errorf("%s of %s and %s", all, old, added)
	}
	if all := Tags(nil).With(nil); all != nil {
		t.Errorf("of none: %v", all)
	}
}

// WithoutMeasured omits the bench's own measurements.
func TestSaid(t *testing.T) {
	all := Tags{"vdd": "1.8", "lead": "mine", "period": "50ns"}
	said := all.WithoutMeasured(Tags{"lead": "25ns", "period": "50ns"})
	if said.String() != "lead=mine, vdd=1.8" || len(all) != 3 {
		t.Errorf("%s of %s", said, all)
	}
	for _, none := range []Tags{nil, {}} {
		if said := none.WithoutMeasured(nil); said != nil {
			t.Errorf("%v of %v", said, none)
		}
	}
}
