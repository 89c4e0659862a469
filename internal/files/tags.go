package files

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// Tags map keys to the user's notes on a run, sweep or shmoo, and to the bench's measurements. No verdict needs them.
type Tags map[string]string

// maxTagValue is the maximum length of a tag's value in bytes.
const maxTagValue = 200

var tagKey = printable.LazyRegexp(`^[A-Za-z0-9_-]{1,40}$`)

// ParseTags parses tags in the form KEY=VALUE; the result is nil for no tags. The error reports bad input.
func ParseTags(texts []string) (Tags, error) {
	var tags Tags
	for _, text := range texts {
		key, value, ok := strings.Cut(text, "=")
		switch {
		case !ok:
			return nil, failure.Usagef("%q: a tag is KEY=VALUE, such as vdd=1.8", text)
		case !tagKey().MatchString(key):
			return nil, failure.Usagef("%q: the key of a tag has 1 to 40 letters of ASCII, digits, _ and -", text)
		case value == "" || len(value) > maxTagValue || printable.Text(value) != value:
			return nil, failure.Usagef("%q: the value of a tag has 1 to %d bytes of printable text", text, maxTagValue)
		}
		if _, twice := tags[key]; twice {
			return nil, failure.Usagef("%q: the key %s is given twice", text, key)
		}
		if tags == nil {
			tags = Tags{}
		}
		tags[key] = value
	}
	return tags, nil
}

// With returns a copy of the tags with others added; on equal keys, others win. It returns nil if both are empty.
func (t Tags) With(others Tags) Tags {
	if len(t)+len(others) == 0 {
		return nil
	}
	all := Tags{}
	maps.Copy(all, t)
	maps.Copy(all, others)
	return all
}

// WithoutMeasured returns the tags that measured does not contain with the same value; nil if there are none.
func (t Tags) WithoutMeasured(measured Tags) Tags {
	said := t.With(nil)
	maps.DeleteFunc(said, func(key, value string) bool { return measured[key] == value })
	if len(said) == 0 {
		return nil
	}
	return said
}

// Keys returns the sorted keys.
func (t Tags) Keys() []string { return slices.Sorted(maps.Keys(t)) }

// String formats the tags as "chip=7, vdd=1.8", sorted by key; "" for none.
func (t Tags) String() string { return strings.Join(t.words(), ", ") }

func (t Tags) words() (all []string) {
	for _, key := range t.Keys() {
		all = append(all, key+"="+t[key])
	}
	return all
}

// JSON encodes the tags as an object, or returns "" if there are none.
func (t Tags) JSON() string {
	if len(t) == 0 {
		return ""
	}
	text, _ := json.Marshal(t) // encoding a map of texts cannot fail
	return string(text)
}
