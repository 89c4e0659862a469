package cli

import (
	"reflect"
	"strings"
	"testing"
)

const good = `# of our bench
transport: rp2040
settle: 200ns
count: 20
strict: true
tag: [vdd=1.8, "note=a b"]
suite:
  - chip
profiles:
  hot:
    tag: temp=85
    seed: 0x10
  cold: {strict: false}
`

func TestParse(t *testing.T) {
	f, err := ParseSettings("b.yaml", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]Value{
		"transport": {"transport", TextValue, []string{"rp2040"}, 2},
		"settle":    {"settle", TextValue, []string{"200ns"}, 3},
		"count":     {"count", TextValue, []string{"20"}, 4},
		"strict":    {"strict", SwitchValue, []string{"true"}, 5},
		"tag":       {"tag", ListValue, []string{"vdd=1.8", "note=a b"}, 6},
		"suite":     {"suite", ListValue, []string{"chip"}, 7},
	}; !reflect.DeepEqual(f.Values, want) {
		t.Errorf("%+v", f.Values)
	}
	if want := map[string]map[string]Value{
		"hot":  {"tag": {"tag", TextValue, []string{"temp=85"}, 11}, "seed": {"seed", TextValue, []string{"0x10"}, 12}},
		"cold": {"strict": {"strict", SwitchValue, []string{"false"}, 13}},
	}; !reflect.DeepEqual(f.Profiles, want) {
		t.Errorf("%+v", f.Profiles)
	}
	flags := map[string][]ValueKind{"transport": {TextValue}, "settle": {TextValue}, "count": {TextValue},
		"strict": {SwitchValue},
		"tag":    {ListValue}, "suite": {ListValue}, "seed": {TextValue}}
	if err := f.Check(flags); err != nil {
		t.Error(err)
	}
}

func TestParseOfNothing(t *testing.T) {
	for _, text := range []string{"", "\n", "# transport: rp2040\n", "---\n"} {
		if f, err := ParseSettings("b.yaml", []byte(text)); err != nil || len(f.Values)+len(f.Profiles) > 0 {
			t.Errorf("%q: %+v, %v", text, f, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	const noValue = " has to be a text of one line that is not empty, a number, true or false, or a list of such texts"
	for text, says := range map[string]string{
		"a: 1\n---\nb: 2\n":              "b.yaml:1: a bench.yaml holds one YAML document",
		"- a\n":                          "b.yaml:1: a bench.yaml has to be a mapping",
		"a: 1\nb: [\n":                   "not YAML: ",
		"a: 1\na: 2\n":                   "b.yaml:2: not YAML: ",
		"a: 1\nb:\n":                     "b.yaml:2: b" + noValue,
		"a: ''\n":                        "b.yaml:1: a" + noValue,
		"a: []\n":                        "b.yaml:1: a" + noValue,
		"a: [true]\n":                    "b.yaml:1: a" + noValue,
		"a: {b: c}\n":                    "b.yaml:1: a" + noValue,
		"a: \"x\\ny\"\n":                 "b.yaml:1: a" + noValue,
		"a: \"\\e[31m\"\n":               "b.yaml:1: a" + noValue,
		"a: &x 1\nb: *x\n":               "b.yaml:1: a" + noValue,
		"profiles: 3\n":                  "b.yaml:1: profiles has to be a mapping",
		"profiles:\n  hot: 3\n":          "b.yaml:2: profile hot has to be a mapping",
		"profiles:\n  hot:\n    a: {}\n": "b.yaml:3: a" + noValue,
		"a: " + strings.Repeat("[", 65):  "b.yaml:1: more than 64 brackets are open: a bench.yaml needs at most 3",
		"\n\"\\e\": 1\n":                 "b.yaml:2: a key has to be the name of a flag",
		"profiles:\n  \"\\e\": {a: 1}\n": "b.yaml:2: the name of a profile has to be a text of one line",
	} {
		if _, err := ParseSettings("b.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestCheck(t *testing.T) {
	flags := map[string][]ValueKind{"json": {TextValue, SwitchValue}, "strict": {SwitchValue},
		"tag": {ListValue}, "board": {TextValue}}
	for text, says := range map[string]string{
		"json: a\ntag: b\n":   "",
		"json: true\n":        "",
		"json: [a]\n":         "b.yaml:1: json has to be a text or a number",
		"tag: a\nstrict: 1\n": "b.yaml:2: strict has to be true or false",
		"board: [a]\n":        "b.yaml:1: board has to be a text or a number",
		"tag: true\n":         "b.yaml:1: tag has to be a list of texts",
		"tag: a\nboad: x\n": `b.yaml:2: unknown key "boad" (did you mean board?): ` +
			"BENCH_CONFIG=none bench config show --all lists all",
		"x: a\n":                   `b.yaml:1: unknown key "x": allowed are board, json, strict, tag and profiles`,
		"profiles: {a: {boad: x}}": `b.yaml:1: unknown key "boad"`,
	} {
		f, err := ParseSettings("b.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Check(flags); says == "" && err != nil || says != "" && (err == nil ||
			!strings.Contains(err.Error(), says)) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Any file is either parsed or rejected with its line, and all texts are printable.
func FuzzParse(f *testing.F) {
	f.Add(good)
	f.Add("profiles: {a: {b: [c]}}")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := ParseSettings("b.yaml", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "b.yaml:") {
				t.Error(err)
			}
			return
		}
		for name, v := range file.Values {
			if name != v.Name || len(v.Texts) == 0 || v.Line < 1 || strings.Contains(strings.Join(v.Texts, ""), "\n") {
				t.Errorf("%q: %+v", name, v)
			}
		}
	})
}
