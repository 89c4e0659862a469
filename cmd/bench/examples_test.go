package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
)

// An example is a command in the docs with the output that the docs show.
type example struct {
	command string
	line    int
	want    []string
}

// anew begins a comment before examples that do not depend on the ones above. The name of their place may follow.
const anew = "<!-- examples: a new folder and history"

// asFile begins a comment before a block with the text of a file. The file's name ends the comment.
const asFile = "<!-- examples: the file "

// A section is a list of examples that may depend on earlier ones in the section.
type section struct {
	place    string
	examples []*example
	files    map[string]string // files that exist before the examples run
}

func sectionsOf(t *testing.T, path string) []*section {
	text := testkit.Must(os.ReadFile(path))(t)
	now, e, open, inside, file := &section{}, &example{}, false, false, ""
	all := []*section{now}
	for i, line := range strings.Split(string(text), "\n") {
		switch comment, is := strings.CutSuffix(line, " -->"); {
		case strings.HasPrefix(line, "```"):
			if open {
				file = ""
			}
			open = !open
			inside, e = open && (line == "```" || file != ""), &example{}
		case inside && file != "":
			now.files[file] += line + "\n"
		case inside && strings.HasPrefix(line, "$ "):
			e = &example{command: line[2:], line: i + 1}
			now.examples = append(now.examples, e)
		case inside:
			e.want = append(e.want, line)
		case is && strings.HasPrefix(line, anew):
			now = &section{place: strings.TrimPrefix(comment[len(anew):], ", with ")}
			all = append(all, now)
		case is && strings.HasPrefix(line, asFile):
			file = comment[len(asFile):]
			now.files = map[string]string{}
		}
	}
	return all
}

// copied is a copy of a folder of this project, perhaps with a mistake in one of its files.
type copied struct{ from, to, right, wrong string }

// A place describes what examples need, such as files in their working directory.
type place struct {
	simulated bool // needs simulators
	rare      bool // takes so long that only a release runs it
	copies    []copied
}

const verilogOfChip, tileOfTests = "../../transport/verilog/testdata/chip", "../../tile/gates/testdata/turn"

var places = map[string]place{
	"":                        {},
	"much time":               {rare: true},
	"a netlist":               {rare: true, copies: []copied{{from: "../../tile/utf", to: "."}}},
	"the Verilog of the chip": {simulated: true, copies: []copied{{from: verilogOfChip, to: "src"}}},
	"a mistake in the Verilog": {simulated: true, rare: true, copies: []copied{{from: verilogOfChip, to: "."},
		{verilogOfChip + "/value.v", "value.v", "v >= 32'h7F &&", "v >= 32'h80 &&"}}},
	"a tile": {simulated: true, rare: true, copies: []copied{{from: tileOfTests, to: "."},
		{tileOfTests + "/src/project.v", "slip.v", "count + 1", "count + 3"}}},
}

func (c *copied) make(t *testing.T, dir string) {
	t.Helper()
	to := filepath.Join(dir, c.to)
	if c.right == "" {
		if err := os.CopyFS(to, os.DirFS(c.from)); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(c.from)
	if err != nil || strings.Count(string(text), c.right) != 1 {
		t.Fatalf("%s has to have %q in it once: %v", c.from, c.right, err)
	}
	if err := os.WriteFile(to, []byte(strings.Replace(string(text), c.right, c.wrong, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// varying matches output that differs between runs or machines.
var varying = regexp.MustCompile(`\d{4}-\d\d-\d\d([ T][\d:]+Z?)?|\b(in|took) [\dm.]+(ms|s|µs|ns)|` +
	`[\d.]+ ?[kM]? steps/s|\(devel\)|[0-9a-f]{64}| +`)

// figures maps commands to patterns for the values that they measure, which also differ.
var figures = map[string]*regexp.Regexp{
	"bench run --tile . -t verilog": regexp.MustCompile(`(?m)[\d.]+(ms|s)\b( +\d+$)?`),
}

func settled(line string) string {
	return strings.TrimSpace(varying.ReplaceAllStringFunc(line, func(s string) string {
		if strings.TrimSpace(s) == "" {
			return " "
		}
		return "?"
	}))
}

// matches returns the first line of want that got lacks, or "". In want, "..." matches any lines or line end.
func matches(got, want []string) (missing string) {
	at, skip := 0, false
	for _, w := range want {
		w = settled(w)
		if w == "..." || w == "" {
			skip = skip || w == "..."
			continue
		}
		for ; ; at++ {
			if at == len(got) {
				return w
			}
			g := settled(got[at])
			if prefix, open := strings.CutSuffix(w, "..."); g == w || open && strings.HasPrefix(g, prefix) {
				break
			}
			if g != "" && !skip {
				return w
			}
		}
		at, skip = at+1, false
	}
	return ""
}

// Each example in the README and in docs prints the output shown there. The examples of a section run in order, in a
// folder with its own history.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	shell := aShell(t)
	for _, file := range append(files, "../../README.md") {
		for _, section := range sectionsOf(t, file) {
			if len(section.examples) == 0 || places[section.place].rare && testkit.Pick(0, 1) == 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s:%d", filepath.Base(file), section.examples[0].line), func(t *testing.T) {
				dir := t.TempDir() // not in parallel, since simulated boards in other tests may then run out of time
				env := append(slices.Clip(shell), section.set(t, dir)...)
				for _, e := range section.examples {
					e.try(t, dir, env)
				}
			})
		}
	}
}

// aShell returns the environment of a shell in which bench is the program under test.
func aShell(t *testing.T) (env []string) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("needs sh, which the examples are for")
	}
	self := testkit.Must(os.Executable())(t)
	path := t.TempDir()
	if err := os.Symlink(self, filepath.Join(path, "bench")); err != nil {
		t.Skip("the examples need a link: ", err)
	}
	return append(os.Environ(), "PATH="+path+string(os.PathListSeparator)+os.Getenv("PATH"), "BENCH_CONFIG=",
		"TERM=dumb", // so that no progress is printed, however slow the machine is
		"XDG_CONFIG_HOME="+path, "XDG_CACHE_HOME="+filepath.Join(filepath.Dir(os.Getenv("BENCH_DB")), "cache"))
}

// set writes the files that a section's examples need into a folder, and returns the variables with their paths.
func (s *section) set(t *testing.T, dir string) (env []string) {
	place, known := places[s.place]
	if !known {
		t.Fatalf("there is no %q: there are %v", s.place, slices.Sorted(maps.Keys(places)))
	}
	for _, simulator := range []string{"iverilog", "verilator"} {
		if _, err := exec.LookPath(simulator); err != nil && place.simulated {
			t.Skip("needs " + simulator + ", which simulates what the examples ask")
		}
	}
	for _, c := range place.copies {
		c.make(t, dir)
	}
	for name, text := range s.files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"BENCH_DB=" + filepath.Join(dir, "h.db")}
}

func (e *example) try(t *testing.T, dir string, env []string) {
	cmd := exec.Command("sh", "-c", e.command)
	cmd.Dir, cmd.Env = dir, env
	said, _ := cmd.CombinedOutput() // any exit code is allowed
	got, want := string(said), strings.Join(e.want, "\n")
	for command, figure := range figures {
		if strings.HasPrefix(e.command, command) {
			got, want = figure.ReplaceAllString(got, "?"), figure.ReplaceAllString(want, "?")
		}
	}
	if missing := matches(strings.Split(got, "\n"), strings.Split(want, "\n")); missing != "" {
		t.Errorf("line %d: %s: there is no %q where it should be in\n%s", e.line, e.command, missing, said)
	}
}
