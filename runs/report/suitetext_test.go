package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"utfbench/golden"
)

// A text block is decoded as by encoding/json, for any text.
func TestReadText(t *testing.T) {
	for _, text := range []string{"", "suite a\n\tb \"c\" \\d\r\n", "<&> \u2028 é 𝄞 \u0001\x7f",
		strings.Repeat("𝄞é\n", 40_000)} {
		payload, err := json.Marshal([2]string{"a\tb.vec", text})
		if err != nil {
			t.Fatal(err)
		}
		got, err := readText(bytes.NewReader(payload), len(payload), 1<<20)
		if err != nil || got.File != "a\tb.vec" || got.Text != text {
			t.Errorf("%.20q: %.20q, %v", text, got, err)
		}
		if _, err := readText(bytes.NewReader(payload), len(payload), len(text)); err == nil {
			t.Errorf("%.20q fits into %d bytes, with its name", text, len(text))
		}
	}
	for _, payload := range []string{"", "[", `["a"]`, `["a","b"`, `["a","b","c"]`, `["a","b"] `, `["a",1]`,
		`["a","\x"]`,
		`["a","\u12"]`, `["a","\ud834x"]`, "[\"a\",\"\n\"]", `{"a":"b"}`} {
		if got, err := readText(strings.NewReader(payload), len(payload), 100); err == nil {
			t.Errorf("%s is read as %q", payload, got)
		}
	}
}

// The texts of all open recordings share the limit for files; closing a recording frees its share.
func TestTextTogether(t *testing.T) {
	a, b := new(Recording), new(Recording)
	held := int(heldText.Load()) // by recordings that other tests left open
	if err := a.hold(golden.MostText - held - 10); err != nil {
		t.Fatal(err)
	}
	if err := b.hold(11); err == nil || !strings.Contains(err.Error(), "recordings that are open with it") {
		t.Error(err)
	}
	a.release()
	if err := b.hold(11); err != nil {
		t.Error(err)
	}
	b.release()
}

func FuzzText(f *testing.F) {
	f.Add([]byte(`["a.vec","suite \u00e9\ud834\udd1e\n"]`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		if !utf8.Valid(payload) {
			return // encoding/json replaces what golden.Parse rejects
		}
		got, err := readText(bytes.NewReader(payload), len(payload), 1<<20)
		var want [2]string
		if jerr := json.Unmarshal(payload, &want); err == nil && jerr != nil {
			t.Errorf("%q is none to encoding/json: %v", payload, jerr)
		}
		if err == nil && (got.File != want[0] || got.Text != want[1]) {
			t.Errorf("%q: %q; want %q", payload, got, want)
		}
	})
}
