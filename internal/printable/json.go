package printable

import (
	"bytes"
	"encoding/json"
)

// Decode reads JSON like json.Unmarshal, and passes every text in it through [Text].
func Decode(text []byte, value any) error {
	clean, _, err := clean(text)
	if err != nil {
		return err
	}
	return json.Unmarshal(clean, value)
}

// Whole reports whether Decode would leave all texts of the JSON unchanged.
func Whole(text []byte) bool {
	_, changed, err := clean(text)
	return err == nil && !changed
}

// clean rewrites JSON with unprintable texts. Numbers keep their spelling.
func clean(text []byte) (_ []byte, changed bool, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, false, err
	}
	if v = texts(v, &changed); !changed {
		return text, false, nil
	}
	text, err = json.Marshal(v)
	return text, true, err
}

// texts passes the texts in a decoded value through Text, but not the names of fields.
func texts(v any, changed *bool) any {
	switch v := v.(type) {
	case string:
		t := Text(v)
		*changed = *changed || t != v
		return t
	case []any:
		for i := range v {
			v[i] = texts(v[i], changed)
		}
	case map[string]any:
		for name := range v {
			v[name] = texts(v[name], changed)
		}
	}
	return v
}
