package printable

import (
	"testing"
	"unicode"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		"Raspberry Pi Pico with RP2040": "Raspberry Pi Pico with RP2040",
		"naïve 漢字":                      "naïve 漢字",
		"\x1b[2J\x1b[1;1HPASS":          `\x1b[2J\x1b[1;1HPASS`,
		"tt09\nPASS  the chip answered": `tt09\nPASS  the chip answered`,
		"a\rb\tc\x00d\x7fe\u0085":       `a\rb\tc\x00d\x7fe\u0085`,
		"\u202egnp.exe\u2066":           `\u202egnp.exe\u2066`,
		"\xff":                          "\ufffd",
	} {
		got := Text(text)
		if text == "\xff" {
			want = `�`
		}
		if got != want {
			t.Errorf("Text(%q) = %q; want %q", text, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("\x1b]0;title\x07")
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		for _, r := range got {
			if !unicode.IsPrint(r) {
				t.Errorf("Text(%q) = %q has %U", s, got, r)
			}
		}
		if again := Text(got); again != got {
			t.Errorf("Text(%q) = %q, and of that %q", s, got, again)
		}
	})
}
