package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"utfbench/internal/printable"
)

// Tags are what a user says of the circumstances of a run, by key: the supply voltage, the temperature, which chip of a
// tray it is. The bench draws no conclusion from them.
type Tags map[string]string

// mostValue is how many bytes the value of a tag may have.
const mostValue = 200

var tagKey = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// ParseTags reads tags that are written as KEY=VALUE; nil for none. An error is bad input.
func ParseTags(texts []string) (Tags, error) {
	var tags Tags
	for _, text := range texts {
		key, value, ok := strings.Cut(text, "=")
		switch {
		case !ok:
			return nil, fmt.Errorf("%q: a tag is KEY=VALUE, such as vdd=1.8", text)
		case !tagKey.MatchString(key):
			return nil, fmt.Errorf("%q: the key of a tag has 1 to 40 letters of ASCII, digits, _ and -", text)
		case value == "" || len(value) > mostValue || printable.Text(value) != value:
			return nil, fmt.Errorf("%q: the value of a tag has 1 to %d bytes of printable text", text, mostValue)
		}
		if _, twice := tags[key]; twice {
			return nil, fmt.Errorf("%q: the key %s is there twice: give it once", text, key)
		}
		if tags == nil {
			tags = Tags{}
		}
		tags[key] = value
	}
	return tags, nil
}

// With gives these and others, of which those of the same key count.
func (t Tags) With(others Tags) Tags {
	all := Tags{}
	maps.Copy(all, t)
	maps.Copy(all, others)
	return all
}

// Keys are sorted.
func (t Tags) Keys() []string { return slices.Sorted(maps.Keys(t)) }

// String writes them as "chip=7, vdd=1.8", sorted by key; empty for none.
func (t Tags) String() string {
	var all []string
	for _, key := range t.Keys() {
		all = append(all, key+"="+t[key])
	}
	return strings.Join(all, ", ")
}

// JSON is the object of them; empty for none.
func (t Tags) JSON() string {
	if len(t) == 0 {
		return ""
	}
	text, _ := json.Marshal(t) // a map of texts
	return string(text)
}

// Asked is what has to be known of a run, besides its target and the text of its vectors, to do it again.
type Asked struct {
	Suites   []string `json:"suites,omitempty"` // by name; none means all
	Match    string   `json:"match,omitempty"`  // a regular expression that the names match; "" means all
	FailFast bool     `json:"fail_fast,omitempty"`
	NoWiring bool     `json:"no_wiring,omitempty"` // the wires were not checked first
}
