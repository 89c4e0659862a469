package golden_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile/utf"
	"utfbench/transport"
)

func load(t testing.TB) []*golden.Suite {
	t.Helper()
	return testkit.Must(golden.Load(golden.FS(), utf.Dialect))(t)
}

func TestEverySuiteIsThere(t *testing.T) {
	readme := testkit.Must(os.ReadFile("README.md"))(t)
	var names []string
	for _, s := range load(t) {
		names = append(names, s.Name)
		for _, d := range s.Documents {
			if !bytes.Contains(readme, []byte("`"+d+"`")) {
				t.Errorf("%s: the document %q is not in README.md", s.File, d)
			}
		}
		for _, v := range s.Vectors {
			if v.Source.Document == "" || v.Source.Section == "" || v.Source.Row == "" || v.Line == 0 {
				t.Errorf("%s has no full source: %+v, line %d", v.Name, v.Source, v.Line)
			}
		}
	}
	want := []string{"chip", "forms", "guide", "man7", "sequences", "states", "structural"}
	if !slices.Equal(names, want) {
		t.Errorf("suites %v, want %v", names, want)
	}
}

// The data sheet's four tables have 30, 88, 64 and 106 rows.
func TestChipHasAll288Rows(t *testing.T) {
	rows := map[string]map[string]bool{}
	for _, s := range load(t) {
		if s.Name != "chip" {
			continue
		}
		for _, v := range s.Vectors {
			if parts := strings.Split(v.Name, "/"); len(parts) == 4 && v.Source.Document == "hardware-utf-chip.md" {
				if rows[parts[1]] == nil {
					rows[parts[1]] = map[string]bool{}
				}
				rows[parts[1]][parts[2]] = true
			}
		}
	}
	n := len(rows["bmp"]) + len(rows["astral"]) + len(rows["beyond"]) + len(rows["error"])
	if n != 288 {
		t.Errorf("%d rows: bmp %d, astral %d, beyond %d, error %d; want 288", n, len(rows["bmp"]), len(rows["astral"]),
			len(rows["beyond"]), len(rows["error"]))
	}
}

const head = "suite s\ndocument d\nsection \"x\"\n"
const columnsLine = "| utf32 | utf16 | utf8 | status | props | unicode |\n"

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "f:1: no vectors"},
		{"not UTF-8", "suite s\ndocument \xff", "f:2: not UTF-8"},
		{"X as a digit", head + "vector v \"r\"\nstep FF 00 00 1 0 uo=0X", `f:5: "0X": a digit is 0 to F; bits ` +
			"that do not matter are 0 in a mask: 00/F0"},
		{"no suite", "document d", "f:1: \"document\" before the suite's name"},
		{"two suites", "suite a\nsuite b", "f:2: a second suite"},
		{"bad name", "suite a/b", "f:1: \"a/b\" is no name"},
		{"no source", "suite a\ntable t", "f:2: no source"},
		{"row outside", head + "| a |", "f:4: a row outside of a table"},
		{"unknown column", head + "table t\n| utf32 | colour |", `f:5: unknown column "colour"`},
		{"column twice", head + "table t\n| utf32 | utf32 |", `f:5: column "utf32" twice`},
		{"escape", head + "vector v \"r\"\n# \x1b[2J", `f:5: a control character, '\x1b'`},
		{"missing column", head + "table t\n| utf32 | utf16 | utf8 | status | props |", `f:5: no column "unicode"`},
		{"short row", head + "table t\n" + columnsLine + "| 00000041 |", "f:6: 1 cells in a table of 6 columns"},
		{"bad word", head + "table t\n" + columnsLine + "| 41 | 0041 | 41 | READY | NORMAL | well-formed |",
			"f:6: utf32: a UTF-32 form is one word"},
		{"bad digit", head + "table t\n" + columnsLine + "| 00000041 | 004G | 41 | READY | NORMAL | well-formed |",
			`f:6: utf16: "004G" is not 4`},
		{"lower case", head + "table t\n" + columnsLine + "| 0000004a | 004A | 4A | READY | NORMAL | well-formed |",
			`f:6: utf32: "0000004a" is not 8`},
		{"unit in utf8", head + "table t\n" + columnsLine + "| 00000041 | 0041 | 0041 | READY | NORMAL | well-formed |",
			`f:6: utf8: "0041" does not belong into utf8`},
		{"written only", head + "table t\n" + columnsLine + "| 00000041 | 0041 | < 41 | READY | NORMAL | well-formed |",
			"f:6: utf8: \"< 41\" is written, but what is read back"},
		{"unknown flag", head + "table t\n" + columnsLine + "| 00000041 | 0041 | 41 | FINE | NORMAL | well-formed |",
			`f:6: status: unknown flag "FINE"`},
		{"flag order", head + "table t\n" + columnsLine + "| 00000041 | 0041 | 41 | ERROR READY | " +
			"NORMAL | well-formed |", `f:6: status: "READY" out of order`},
		{"unicode", head + "table t\n" + columnsLine + "| 00000041 | 0041 | 41 | READY | NORMAL | fine |",
			`f:6: unicode: "fine" is neither`},
		{"nothing written", head + "table t\n" + columnsLine + "| > 00000041 | - | > 41 | READY | " +
			"NORMAL | ill-formed |", "f:6: nothing in this row is written"},
		{"row twice", head + "table t\n" + columnsLine + strings.Repeat("| 00000041 | 0041 | 41 | READY | "+
			"NORMAL | well-formed |\n", 2), `f:7: "t/00000041" is taken by line 6`},
		{"no check", head + "vector v \"r\"\nrewind\n", "f:4: vector \"s/v\" checks nothing"},
		{"unknown op", head + "vector v \"r\"\njump", `f:5: unknown operation "jump"`},
		{"op outside", head + "rewind", `f:4: "rewind" outside of a vector`},
		{"unquoted", head + "vector v r", `f:4: "r" is not a quoted text`},
		{"no opening quote", head + "vector v ab\"", `f:4: "ab\"" is not a quoted text`},
		{"empty text", head + "vector v \"\"", `f:4: "\"\"" is not a quoted text`},
		{"row after a vector", head + "table t\n" + columnsLine + "vector v \"r\"\nrewind\n| a |",
			"f:8: a row outside of a table"},
		{"bad pin", head + "vector v \"r\"\nset FOO=1", `f:5: "FOO=1" is not PIN=0`},
		{"bad level", head + "vector v \"r\"\nset CHK=2", `f:5: "CHK=2" is not PIN=0`},
		{"bad revision", head + "vector v \"r\"\nrevision tt10", `f:5: unknown revision "tt10"`},
		{"late attribute", head + "vector v \"r\"\nrewind\nunicode ill-formed",
			"f:6: unicode comes before the operations"},
		{"clock 0", head + "vector v \"r\"\nclock 0", `f:5: "0": say clock`},
		{"uo in a word", head + "vector v \"r\"\nwrite utf32 00000041=01", "f:5: \"00000041=01\": uo can be " +
			"checked after a byte"},
		{"short step", head + "vector v \"r\"\nstep FF 00 00 1", `f:5: "FF 00 00 1": say step UI UIO OE RST CLK`},
		{"step level", head + "vector v \"r\"\nstep FF 00 00 2 1", `f:5: "FF 00 00 2 1": say step`},
		{"step byte", head + "vector v \"r\"\nstep FG 00 00 1 1", `f:5: "FG" is not 2 upper-case`},
		{"step clocks", head + "vector v \"r\"\nstep FF 00 00 1 256", `f:5: "FF 00 00 1 256": say step`},
		{"step word", head + "vector v \"r\"\nstep FF 00 00 1 1 lingers",
			`f:5: "lingers" after the clocks of a step: want linger,`},
		{"step twice", head + "vector v \"r\"\nstep FF 00 00 1 1 uo=C0 uo=C0",
			`f:5: "uo=C0" after the clocks of a step: want linger,`},
		{"step of a newer bench", head + "vector v \"r\"\nstep FF 00 00 1 1 ui=C0",
			`each at most once; a newer bench may know more`},
		{"step alone", head + "vector v \"r\"\nstep FF 00 00 1 1", "f:4: vector \"s/v\" checks nothing"},
		{"empty read", head + "vector v \"r\"\nread utf8", "f:5: read without data"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := golden.Parse("f", c.text, utf.Dialect)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v\nwant one with %q", err, c.want)
			}
		})
	}
}

func TestExpansion(t *testing.T) {
	s, err := golden.Parse("f", head+"table t\n"+columnsLine+"| 0001F600 | D83D DE00 | F0 9F 98 80 | READY | NORMAL "+
		"HIGHCHAR | well-formed |\n", utf.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Vectors) != 12 {
		t.Fatalf("%d vectors; want 3 forms x 2 orders x 2 levels of CHK", len(s.Vectors))
	}
	for name, want := range map[string]string{
		"s/t/0001F600/utf32-be-chk":   "\x00\x01\xF6\x00",
		"s/t/0001F600/utf32-le-nochk": "\x00\xF6\x01\x00",
		"s/t/0001F600/utf16-be-chk":   "\xD8\x3D\xDE\x00",
		"s/t/0001F600/utf16-le-chk":   "\x3D\xD8\x00\xDE",
		"s/t/0001F600/utf8-le-chk":    "\xF0\x9F\x98\x80",
	} {
		i := slices.IndexFunc(s.Vectors, func(v golden.Vector) bool { return v.Name == name })
		if i < 0 {
			t.Errorf("no vector %s", name)
			continue
		}
		if got := written(s.Vectors[i].Steps); got != want {
			t.Errorf("%s writes % X; want % X", name, got, want)
		}
	}
}

// Vectors share memory, but appending to one vector does not affect the next.
func TestVectorsAreApart(t *testing.T) {
	s, err := golden.Parse("f", head+"table t\n"+columnsLine+"| 0001F600 | D83D DE00 | F0 9F 98 80 | READY | NORMAL "+
		"HIGHCHAR | well-formed |\n", utf.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Vectors[:len(s.Vectors)-1] {
		v, next := &s.Vectors[i], &s.Vectors[i+1]
		steps, checks := slices.Clone(next.Steps), slices.Clone(next.Checks)
		_ = append(v.Steps, transport.Step{In: 0xA5, Clocks: 77})
		_ = append(v.Checks, golden.Check{Step: -1})
		if !slices.Equal(next.Steps, steps) || !slices.Equal(next.Checks, checks) {
			t.Errorf("what is appended to %s is in %s", v.Name, next.Name)
		}
	}
}

// written returns the bytes that a table's vector writes, after its reset and the levels of CHK and CBE.
func written(steps []transport.Step) (data string) {
	for _, s := range steps[2:] {
		if s.Drive == 0 {
			break
		}
		data += string([]byte{s.IO})
	}
	return data
}

func FuzzParse(f *testing.F) {
	f.Add(head + "table t\n" + columnsLine + "| 00000041 | 0041 | < 41 42 > 41 | READY | NORMAL | ill-formed |\n")
	f.Add(head + "vector v \"r\"\n unicode ill-formed\n revision tt08\n set CBE=0 rst_n=1\n write utf16 D83D 00=41\n " +
		"read utf8 41 end past\n clock 3 data=41\n status READY\n uo 41\n bus 00\n eof UEOF\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := golden.Parse("f", text, utf.Dialect)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("no file:line in %q", err)
			}
			return
		}
		for i := range s.Vectors {
			if v := &s.Vectors[i]; len(v.Checks) == 0 || v.Source.Section == "" {
				t.Errorf("a vector that checks nothing or has no source: %+v", v)
			}
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		load(b)
	}
}

// A malicious file is rejected with one sentence before it fills the memory.
func TestLimits(t *testing.T) {
	head := "suite own\ndocument a.md\nsection \"s\"\n"
	vector := "vector v%d \"r\"\n  write utf8 41\n  status READY\n"
	var many strings.Builder
	for n := range golden.MaxVectors + 1 {
		fmt.Fprintf(&many, vector, n)
	}
	one := head + fmt.Sprintf(vector, 1)
	for _, c := range []struct{ text, want string }{
		{head + many.String(), "more than 30000 vectors"},
		{one + strings.Repeat("  rewind\n", 2_100_000), `vector "own/v1" has more than 2100000 operations`},
		{one + strings.Repeat("  write utf8"+strings.Repeat(" 41", 300_000)+"\n", 7),
			`vector "own/v1" has 2100003 steps, and at most 2100000 are allowed`},
		{head + "vector " + strings.Repeat("x", 101) + " \"r\"\n", "a name of 101 letters: at most 100 are allowed"},
	} {
		if _, err := golden.Parse("own.vec", c.text, utf.Dialect); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %q", err, c.want)
		}
	}
	most, err := golden.Parse("own.vec", head+strings.TrimSuffix(many.String(),
		fmt.Sprintf(vector, golden.MaxVectors)), utf.Dialect)
	if err != nil || golden.CheckLimits([]*golden.Suite{most}) != nil {
		t.Errorf("%v, %v", err, golden.CheckLimits([]*golden.Suite{most}))
	}
	if golden.CheckLimits([]*golden.Suite{most, most}) == nil {
		t.Error("twice the limit fits")
	}
}

// A lingering step survives formatting and parsing.
func TestLinger(t *testing.T) {
	s := transport.Step{In: 1, Clocks: 1, Linger: true}
	text := golden.StepText(s, golden.Bits{Mask: 0xFF, Level: 5}, golden.Bits{})
	suite, err := golden.Parse("f", "suite s\ndocument d\nsection \"x\"\nvector v \"r\"\nstep 01 05 FF 1 0\n"+text,
		golden.PlainDialect{Reset: transport.Step{Reset: true, Clocks: 1}})
	if err != nil || suite.Vectors[0].Steps[2] != s {
		t.Errorf("%s: %v, %v", text, suite, err)
	}
}

// Tabs separate words as blanks do, and a byte order mark is not part of the first statement.
func TestBlanks(t *testing.T) {
	plain := "suite s\ndocument d\nsection \"x\"\nvector v \"r\"\nstep FF 00 00 1 0 uo=C0\n"
	for _, text := range []string{plain, "\ufeff" + plain, strings.ReplaceAll(plain, " ", "\t"),
		strings.ReplaceAll(plain, "\n", "\r\n")} {
		s, err := golden.Parse("f", text, golden.PlainDialect{})
		if err != nil || len(s.Vectors) != 1 || len(s.Vectors[0].Checks) != 1 {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
}
