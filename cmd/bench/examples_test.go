package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// elsewhere are examples that need what a test has not, by a pattern.
var elsewhere = map[string]string{
	`-t rp2040`:             "a board",
	`bench lab `:            "a lab; TestLabRun has one with these boards",
	`verilog|matrix|design`: "a simulator; TestScripts/verilog and tile have the like",
	`--netlist`:             "a netlist that was fabricated; TestScripts/faults has one of our own",
	`hot`:                   "the bench.yaml above it; TestScripts/config has one",
	`bundle|benchmark`:      "what is not the same twice",
}

// An example is a command in the docs, and what it is said to print.
type example struct {
	command string
	line    int
	want    []string
}

// anew stands in a file before examples that know nothing of those above.
const anew = "<!-- examples: a new folder and history -->"

// examples are those of a file in their order, in sections that know nothing of each other.
func examples(t *testing.T, path string) (sections [][]*example) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	e, inside := &example{}, false
	sections = make([][]*example, 1)
	for i, line := range strings.Split(string(text), "\n") {
		switch last := len(sections) - 1; {
		case strings.HasPrefix(line, "```"):
			inside, e = line == "```" && !inside, &example{}
		case inside && strings.HasPrefix(line, "$ "):
			e = &example{command: line[2:], line: i + 1}
			sections[last] = append(sections[last], e)
		case inside:
			e.want = append(e.want, line)
		case line == anew:
			sections = append(sections, nil)
		}
	}
	return sections
}

// varying is what differs from run to run, or from machine to machine.
var varying = regexp.MustCompile(`\d{4}-\d\d-\d\d([ T][\d:]+Z?)?|\b(in|took) [\d.]+(ms|s|µs|ns)|` +
	`[\d.]+ ?[kM]? steps/s|\(devel\)|[0-9a-f]{64}| +`)

func settled(line string) string {
	return strings.TrimSpace(varying.ReplaceAllStringFunc(line, func(s string) string {
		if strings.TrimSpace(s) == "" {
			return " "
		}
		return "?"
	}))
}

// matches says which line of want is not in got: "..." stands for lines, or for the rest of one.
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

var words = regexp.MustCompile(`'[^']*'|\S+`)

// Each example in the README and in docs prints what it is said to print, one after the other in a folder and with a
// history of their own.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range append(files, "../../README.md") {
		for _, section := range examples(t, file) {
			if len(section) == 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s:%d", filepath.Base(file), section[0].line), func(t *testing.T) {
				dir := t.TempDir() // not in parallel: simulated boards beside it would be short of time
				for _, e := range section {
					e.try(t, dir)
				}
			})
		}
	}
}

func (e *example) try(t *testing.T, dir string) {
	for pattern := range elsewhere {
		if regexp.MustCompile(pattern).MatchString(e.command) {
			return
		}
	}
	args := words.FindAllString(e.command, -1)
	if len(args) == 0 || args[0] != "bench" {
		return
	}
	for i := range args {
		args[i] = strings.Trim(args[i], "'")
	}
	cmd := benchProcess(t, args[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "BENCH_DB="+filepath.Join(dir, "h.db"))
	said, _ := cmd.CombinedOutput() // it may end with any code
	if missing := matches(strings.Split(string(said), "\n"), e.want); missing != "" {
		t.Errorf("line %d: %s: there is no %q where it should be in\n%s", e.line, e.command, missing, said)
	}
}
