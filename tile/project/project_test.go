package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/transport"
)

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const info = `project:
  title: "A title"
  clock_hz: 12000000
  top_module: "tt_um_x"
  source_files:
    - "a.v"
    - sub/b.v
pinout:
  ui[0]: "RX (serial)"
  ui[1]: "A, first"
  ui[2]: "same"
  ui[3]: "same"
  uo[7]: ""
  uio[4]: "SDA"
yaml_version: 6
`

var sources = map[string]string{"src/a.v": "module tt_um_x; endmodule\n", "src/sub/b.v": "// nothing\n"}

func with(more map[string]string) map[string]string {
	all := map[string]string{}
	for name, text := range sources {
		all[name] = text
	}
	for name, text := range more {
		all[name] = text
	}
	return all
}

// Open reads all keys of both files.
func TestOpen(t *testing.T) {
	dir := folder(t, with(map[string]string{"info.yaml": info, "vec/x.vec": "", "inc/y": "",
		"src/config.json": `{"VERILOG_DEFINES": ["FLOW"]}`,
		OwnName: `idle: "81"
uio_outputs: 0F
reset: {level: high, clocks: 3}
vectors: vec
defines: [SIM, "N=2"]
includes: [inc]
commits: {tt09: "ac16d629"}
`}))
	for _, path := range []string{dir, filepath.Join(dir, OwnName)} {
		p := testkit.Must(Open(path))(t)
		if p.Top != "tt_um_x" || p.Title != "A title" || p.ClockHz != 12_000_000 || len(p.Sources) != 2 ||
			p.Paths()[1] != filepath.Join(dir, "src", "sub", "b.v") || p.Sources[1].Line != 7 {
			t.Errorf("%+v", p)
		}
		if want := (transport.Step{In: 0x81, Clocks: 3}); p.ResetStep() != want || *p.Outputs != 0x0F {
			t.Errorf("reset %+v, outputs %02X", p.ResetStep(), *p.Outputs)
		}
		if p.VectorDir != filepath.Join(dir, "vec") || p.Commits["tt09"] != "ac16d629" ||
			len(p.SourceFolders()) != 2 || p.IncludeDirs[0] != filepath.Join(dir, "inc") {
			t.Errorf("%+v", p)
		}
		if got := strings.Join(p.Defines, " "); got != "FLOW SIM N=2" {
			t.Error(got)
		}
		if got := strings.Join(p.ShortNames("ui"), " "); got != "RX A same_2 same_3 ui4 ui5 ui6 ui7" {
			t.Error(got)
		}
		if got := p.Names("uio")[4]; got != "SDA" {
			t.Error(got)
		}
	}
	if p, err := Open(filepath.Join(dir, InfoName)); err != nil || p.TileFile != "" || p.Idle != 0 ||
		p.ResetStep() != (transport.Step{Reset: true, Clocks: defaultReset}) {
		t.Errorf("info.yaml alone: %+v, %v", p, err)
	}
}

// If a folder lacks sources but has a copy of a fabricated netlist, the error names the netlist.
func TestNetlistBeside(t *testing.T) {
	dir := folder(t, map[string]string{InfoName: info, "tt_um_x.v": ""})
	_, err := Open(dir)
	want := ": to take the netlist, give --tile " + filepath.Join(dir, "tt_um_x.v")
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// In info.yaml version 4, pins are named in lists.
func TestVersion4(t *testing.T) {
	p, err := Open(folder(t, with(map[string]string{"info.yaml": `project:
  top_module: tt_um_x
  source_files: [a.v]
documentation:
  title: "old"
  inputs: [clk, reset, none]
  outputs:
    - segment a
  bidirectional: []
`})))
	if err != nil || p.Names("ui")[1] != "reset" || p.Names("ui")[2] != "ui2" || p.Names("uo")[0] != "segment a" {
		t.Errorf("%+v, %v", p, err)
	}
}

// The error for each mistake is one sentence that begins with file and line.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ info, own, want string }{
		{info: "project:\n  source_files: [a.v]\n", want: "info.yaml:1: no top_module"},
		{info: "project:\n  top_module: tt_um_x\n", want: "info.yaml:1: no source_files"},
		{info: strings.Replace(info, "sub/b.v", "c.v", 1), want: "info.yaml:7: source_files: there is no "},
		{info: strings.ReplaceAll(info, ".v", ".w"), want: "/src/a.w (did you mean a.v?), no "},
		{info: strings.ReplaceAll(info, ".v", ".w"), want: "/src/sub/b.w"},
		{info: strings.Replace(info, "sub/b.v", "info.yaml", 1), want: "src/info.yaml (move "},
		{info: strings.Replace(info, "sub/b.v", "src/a.v", 1), want: `src/src/a.v (write "a.v": `},
		{info: strings.Replace(info, `"tt_um_x"`, `"tt um"`, 1), want: `info.yaml:4: top_module "tt um" is no name`},
		{info: "project:\n  wokwi_id: 123\n", want: "info.yaml:2: this is a Wokwi drawing"},
		{info: "project: [", want: "info.yaml:1: not YAML"},
		{info: "project:\n\ttitle: x\n",
			want: "info.yaml:2: not YAML: a tab indents the line, and YAML takes only spaces"},
		{info: "project:\n  title: \"A\n  author: \"B\"\n",
			want: "info.yaml:2: not YAML: the quote is not closed in its line"},
		{info: info, own: "idel: \"00\"\n", want: OwnName + `:1: unknown key "idel" (did you mean idle?)`},
		{info: info, own: "idle: 1\n", want: OwnName + `:1: idle "1": has to be eight levels`},
		{info: info, own: "reset: {level: off}\n", want: OwnName + `:1: reset level "off"`},
		{info: info, own: "reset:\n  clocks: 256\n", want: OwnName + `:2: reset clocks "256"`},
		{info: info, own: "vectors: nowhere\n", want: OwnName + ":1: vectors: there is no "},
		{info: info, own: "vectors: src\n", want: OwnName + ":1: vectors: there is no *.vec in "},
		{info: info, own: "defines: SIM\n", want: OwnName + ":1: defines has to be a list"},
		{info: info, own: "commits:\n  tt09: latest\n", want: OwnName + `:2: commits: "latest" is no commit`},
	} {
		more := map[string]string{"info.yaml": c.info}
		if c.own != "" {
			more[OwnName] = c.own
		}
		_, err := Open(folder(t, with(more)))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; want %q", err, c.want)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(t.TempDir(), "nowhere"): "no such file or folder: give the folder of a Tiny Tapeout project",
		t.TempDir():                           "has no info.yaml",
	} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// An empty name for an unused line, as in Tiny Tapeout's template, is not reported.
func TestCheckUnused(t *testing.T) {
	unused := "project: {top_module: tt_um_x, source_files: [a.v]}\nyaml_version: 6\npinout:\n"
	for _, group := range []string{"ui", "uo", "uio"} {
		for i := range 8 {
			unused += fmt.Sprintf("  %s[%d]: \"\"\n", group, i)
		}
	}
	p, err := Open(folder(t, map[string]string{"info.yaml": unused, "src/a.v": "module tt_um_x; endmodule"}))
	if err != nil {
		t.Fatal(err)
	}
	if found, unnamed := p.Check(), p.NamingNotes(false, nil); len(found)+len(unnamed) > 0 {
		t.Errorf("%v, %s", found, unnamed)
	}
}

// FuzzProject checks that any files yield a project or a one-line error.
func FuzzProject(f *testing.F) {
	f.Add(info, "idle: \"00\"\n")
	f.Add("documentation:\n  inputs: [a]\n", "reset: {level: low}\n")
	f.Add("project: {source_files: [[a]]}", "commits: {a: {}}")
	f.Fuzz(func(t *testing.T, info, own string) {
		p, err := Open(folder(t, with(map[string]string{"info.yaml": info, OwnName: own})))
		switch {
		case err != nil && strings.Contains(err.Error(), "\n"):
			t.Errorf("no sentence: %q", err)
		case err == nil && (p.Top == "" || len(p.Sources) == 0 || len(p.ShortNames("ui")) != 8):
			t.Errorf("%+v", p)
		}
	})
}

// Check reports a misspelt key of info.yaml with the right word, but no key that Tiny Tapeout may define.
func TestMisspeltKey(t *testing.T) {
	of := strings.NewReplacer("clock_hz", "clock_Hz_", "pinout:", "budget: 3\npinuot:").Replace(info)
	p := testkit.Must(Open(folder(t, with(map[string]string{"info.yaml": of}))))(t)
	said := fmt.Sprint(p.Check())
	for _, want := range []string{"info.yaml:3: the key clock_Hz_ is unknown, and has no effect (did you mean " +
		"clock_hz?)", "info.yaml:9: the key pinuot is unknown, and has no effect (did you mean pinout?)"} {
		if !strings.Contains(said, want) || strings.Contains(said, "budget") {
			t.Errorf("%s, want %s", said, want)
		}
	}
}

// Check reports an unknown version of info.yaml.
func TestUnknownVersion(t *testing.T) {
	for text, want := range map[string]string{"6": "", "x": "info.yaml:16: yaml_version x is unknown: ",
		"7": "info.yaml:16: yaml_version 7 is unknown: the bench reads versions 1 to 6"} {
		of := strings.Replace(info, "yaml_version: 6", "  uio[0]: \"\"\nyaml_version: "+text, 1)
		p := testkit.Must(Open(folder(t, with(map[string]string{"info.yaml": of}))))(t)
		if said := fmt.Sprint(p.Check()); strings.Contains(said, "yaml_version") != (want != "") ||
			!strings.Contains(said, want) {
			t.Errorf("version %s: %s", text, said)
		}
	}
}

// All versions of info.yaml in Tiny Tapeout's templates are read: since version 6 pins have individual names, before
// they are lists. Clocks are read in the spellings that authors use; an invalid one is reported.
func TestVersions(t *testing.T) {
	list := `yaml_version: %d
project:
  wokwi_id: 0
  source_files:
    - a b.v
  top_module: "tt_um_x"
documentation:
  title: "A title"
  clock_hz: %s
  inputs:
    - clock
    - "data in"
  outputs:
    - segment a
`
	pins := `project:
  title: "A title"
  clock_hz: %s
  top_module: tt_um_x
  source_files: ["a b.v"]
pinout:
  ui[0]: clock
  ui[1]: data in
  uo[0]: segment a
yaml_version: %d` // without a final newline
	for version := 1; version <= 6; version++ {
		for text, want := range map[string]int{"25_175_000": 25_175_000, "0": 0, `""`: 0, "": 0, "1000": 1000,
			"25 000 000": 25_000_000, "12MHz": 12_000_000, "0.5": 0, "1e300": 0, "any": 0} {
			info := fmt.Sprintf(list, version, text)
			if version > 4 {
				info = fmt.Sprintf(pins, text, version)
			}
			p, err := Open(folder(t, map[string]string{"info.yaml": info, "src/a b.v": "module tt_um_x; endmodule"}))
			if err != nil || p.ClockHz != want || p.Title != "A title" || p.Pins["ui1"] != "data in" ||
				p.Pins["uo0"] != "segment a" || filepath.Base(p.Sources[0].Path) != "a b.v" {
				t.Errorf("version %d, clock %s: %+v, %v", version, text, p, err)
				continue
			}
			found := p.Check()
			if odd := strings.Contains(fmt.Sprint(found), "clock_hz is no number of Hz"); odd != (text == "any" ||
				text == "1e300") {
				t.Errorf("version %d, clock %s: %v", version, text, found)
			}
		}
	}
}

// Open rejects a Wokwi drawing with a hint to use the netlist; Check reports analog pins.
func TestOtherLanguages(t *testing.T) {
	wokwi := strings.Replace(info, "clock_hz", "wokwi_id: 334445762078310996\n  clock_hz", 1)
	want := "info.yaml:3: this is a Wokwi drawing, which has no RTL here: give --tile the netlist"
	if _, err := Open(folder(t, with(map[string]string{"info.yaml": wokwi}))); err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Error(err)
	}
	analog := strings.Replace(info, "clock_hz", "analog_pins: 2\n  clock_hz", 1)
	p := testkit.Must(Open(folder(t, with(map[string]string{"info.yaml": analog}))))(t)
	if text := fmt.Sprint(p.Check()); !strings.Contains(text, "info.yaml:3: analog_pins: 2; the bench judges") {
		t.Error(text)
	}
}
