package printable

import (
	"strings"
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

func TestDecode(t *testing.T) {
	var got struct {
		Seed  uint64
		Notes []string
		Chip  map[string]string
	}
	text := `{"Seed":18446744073709551615,"Notes":["a\u001b[1mb"],"Chip":{"rom":"x\ny"}}`
	if err := Decode([]byte(text), &got); err != nil || got.Seed != 1<<64-1 || got.Notes[0] != `a\x1b[1mb` ||
		got.Chip["rom"] != `x\ny` {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestFew(t *testing.T) {
	for limit, want := range map[int]string{1: "a and 2 more", 2: "a, b and 1 more", 3: "a, b, c", 4: "a, b, c"} {
		if got := ListAtMost([]string{"a", "b", "c"}, limit); got != want {
			t.Errorf("%d: %s; want %s", limit, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	if got := Lines("a.v:1:\tno \x1b[31m;\n\rb"); got != "a.v:1:\tno \\x1b[31m;\n\\rb" {
		t.Errorf("%q", got)
	}
	if got := Lines("a " + strings.Repeat("é", 1<<19) + "\tb"); len(got) > 200 || !strings.HasPrefix(got, "a éé") ||
		!strings.HasSuffix(got, "é... (1048576 bytes)\tb") {
		t.Errorf("%.300s", got)
	}
}

func TestList(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"},
		"a, b and c": {"a", "b", "c"}} {
		if got := List(words); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

func TestXML(t *testing.T) {
	if got := XML("a<b> & \"c\"\x00"); got != "a&lt;b&gt; &amp; &#34;c&#34;\uFFFD" {
		t.Errorf("%q", got)
	}
}

// Columns of numbers are right-aligned, coloured or not. A table without rows is not written.
func TestTable(t *testing.T) {
	table := NewTable("suite", "PASS", "took", "", "why", "no text")
	var b strings.Builder
	table.Write(&b, "above\n")
	table.Row("ä", "\x1b[32m7\x1b[0m", "-", "", "2 of 3")
	table.Row("longer", 123456, "12ms", "", "")
	if table.Write(&b); b.String() != "suite     PASS  took  why\nä            \x1b[32m7\x1b[0m     -  2 of 3\n"+
		"longer  123456  12ms\n" {
		t.Errorf("%q", &b)
	}
}

// HTML writes the same cells, with escaped text, and marks where names may break.
func TestTableHTML(t *testing.T) {
	table := NewTable("name", "n")
	if got := table.HTML(); got != "" {
		t.Errorf("without rows it is %q", got)
	}
	table.Row("a/<b>", 7)
	const want = `<table><thead><tr><th>name</th><th class="n">n</th></tr>` + "\n" +
		`</thead><tbody><tr><td>a/<wbr>&lt;b&gt;</td><td class="n">7</td></tr>` + "\n</tbody></table>"
	if got := table.HTML(); got != want {
		t.Errorf("%s; want %s", got, want)
	}
}
