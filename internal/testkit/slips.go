package testkit

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A DesignMutant is the UTF chip's design with one mistake in its logic, such as a boundary of 7F instead of 80.
type DesignMutant struct {
	Name string // file:line: the original and its replacement
	File string // the changed file
	Text string // its contents
}

// designFiles lists the design's files in a folder of transport/verilog.
var designFiles = []string{"value.v", "project.v", "forms.v"}

// Sources returns the paths of the design's files in a folder, with the mutated file written to another folder.
func (s DesignMutant) Sources(t testing.TB, design, to string) (paths []string) {
	t.Helper()
	for _, file := range designFiles {
		path := filepath.Join(design, file)
		if file == s.File {
			path = filepath.Join(to, file)
			if err := os.WriteFile(path, []byte(s.Text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		paths = append(paths, path)
	}
	return paths
}

// A mutation makes mutants: it replaces each match of a pattern with each text that become returns.
type mutation struct {
	in     string // pattern of file names
	at     *regexp.Regexp
	become func(match []string) []string
}

func always(texts ...string) func([]string) []string {
	return func([]string) []string { return texts }
}

var mutations = []mutation{
	{"*.v", regexp.MustCompile(`\b(\d+)'([bdh])([0-9A-F]+)\b`), nextConstants},
	{"*.v", regexp.MustCompile(`((?:==|\+|-|\?|:|[^<>=!]=|[a-z0-9] <=) )(\d+)\b`),
		func(m []string) []string { return []string{m[1] + add1(m[2])} }},
	{"*.v", regexp.MustCompile(`([a-z0-9]\[)(\d+)\]`),
		func(m []string) []string { return []string{m[1] + add1(m[2]) + "]"} }},
	{"*.v", regexp.MustCompile(` < `), always(" <= ")},
	{"*.v", regexp.MustCompile(` >= `), always(" > ")},
	{"value.v", regexp.MustCompile(` <= `), always(" < ")},
	{"*.v", regexp.MustCompile(` == `), always(" != ")},
	{"*.v", regexp.MustCompile(` != `), always(" == ")},
	{"*.v", regexp.MustCompile(` && `), always(" || ")},
	{"*.v", regexp.MustCompile(` \|\| `), always(" && ")},
	{"*.v", regexp.MustCompile(` \^ `), always(" | ", " & ")},
	{"*.v", regexp.MustCompile(` \+ `), always(" - ")},
	{"*.v", regexp.MustCompile(` - `), always(" + ")},
	{"*.v", regexp.MustCompile(`!(\w)`), func(m []string) []string { return m[1:] }},
	{"*.v", regexp.MustCompile(`\bif \(`), always("if (!")},
	{"*.v", regexp.MustCompile(`(\w+) \?`), func(m []string) []string { return []string{"!" + m[1] + " ?"} }},
}

// nextConstants returns the constants one below and one above, with the same width.
func nextConstants(m []string) (texts []string) {
	bases := map[string]int{"b": 2, "d": 10, "h": 16}
	width, err := strconv.Atoi(m[1])
	if err != nil {
		panic(err) // the pattern matches only digits
	}
	value, err := strconv.ParseUint(m[3], bases[m[2]], 64)
	if err != nil {
		panic(err)
	}
	for _, v := range []uint64{value - 1, value + 1} {
		texts = append(texts, fmt.Sprintf("%d'%s%s", width, m[2], strconv.FormatUint(v&(1<<width-1), bases[m[2]])))
	}
	return texts
}

func add1(digits string) string {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic(err)
	}
	return strconv.Itoa(n + 1)
}

// DesignMutants returns all mutants of the design in a folder.
func DesignMutants(t testing.TB, design string) (all []DesignMutant) {
	t.Helper()
	for _, file := range designFiles {
		text, err := os.ReadFile(filepath.Join(design, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mutations {
			if ok, _ := filepath.Match(m.in, file); ok {
				all = append(all, m.slips(file, string(text))...)
			}
		}
	}
	return all
}

func (m mutation) slips(file, text string) (all []DesignMutant) {
	for _, at := range m.at.FindAllStringSubmatchIndex(text, -1) {
		line := strings.Count(text[:at[0]], "\n") + 1
		whole := strings.Split(text, "\n")[line-1]
		before := text[strings.LastIndex(text[:at[0]], "\n")+1 : at[0]]
		if strings.Contains(before, "//") || strings.Contains(whole, "wire [") && strings.Contains(whole, "put") {
			continue // skip comments and the widths of ports
		}
		match := m.at.FindStringSubmatch(text[at[0]:at[1]])
		if match == nil { // the pattern depends on the context
			continue
		}
		for _, b := range m.become(match) {
			name := fmt.Sprintf("%s:%d:%d: %s became %s", file, line, len(before)+1, strings.TrimSpace(match[0]),
				strings.TrimSpace(b))
			all = append(all, DesignMutant{name, file, text[:at[0]] + b + text[at[1]:]})
		}
	}
	return all
}
