package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// FlowDefines returns the macros with which the shuttle's flow synthesises a project, by its configuration,
// src/config.json.
func (p *Project) FlowDefines() ([]string, error) {
	path := filepath.Join(p.Dir, "src", "config.json")
	text, err := readAny(path)
	if text == "" || err != nil {
		return nil, err
	}
	var config struct {
		Defines json.RawMessage `json:"VERILOG_DEFINES"`
	}
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		return nil, failure.Usagef("%s: %w", path, err)
	}
	var list []string
	var words string
	switch {
	case config.Defines == nil, json.Unmarshal(config.Defines, &list) == nil:
		return list, nil
	case json.Unmarshal(config.Defines, &words) == nil: // as OpenLane 1 has it
		return strings.Fields(words), nil
	}
	return nil, failure.Usagef("%s: VERILOG_DEFINES has to be a list of NAME or NAME=VALUE", path)
}

// readAny reads a file, which may be missing.
func readAny(path string) (string, error) {
	text, err := files.Project.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// makefiles lists the makefiles of an author's test: since TT06, and before.
var makefiles = []string{"test/Makefile", "src/Makefile"}

// TestMacros returns a finding for each macro that the author's test sets for a simulation of the RTL, that is not
// among the defined ones, and that the sources test or use. They are not set for synthesis: the flow does not set them,
// and many, such as SIM, replace gates by models.
func (p *Project) TestMacros(defined []string) (all []Finding, err error) {
	used, err := p.macrosUsed()
	if err != nil {
		return nil, err
	}
	for _, d := range defined {
		delete(used, nameOf(d))
	}
	for _, file := range makefiles {
		text, err := readAny(filepath.Join(p.Dir, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		for _, m := range macrosOf(text) {
			name := nameOf(m.text)
			if f, is := used[name]; is {
				f.What = fmt.Sprintf("%s is set by %s:%d, but not in synthesis, nor here: defines: [%s] in %s sets it",
					name, file, m.line, m.text, OwnName)
				all = append(all, f)
				delete(used, name)
			}
		}
	}
	return all, nil
}

// using matches a macro that Verilog tests or uses.
var using = regexp.MustCompile("`(?:(?:ifn?def|elsif)\\s+)?(\\w+)")

// macrosUsed returns the first places at which the sources test or use macros, by name.
func (p *Project) macrosUsed() (map[string]Finding, error) {
	used := map[string]Finding{}
	for _, path := range p.Paths() {
		text, err := files.Verilog.Read(path)
		if err != nil {
			return nil, err
		}
		for n, code := range codeLines(string(text)) {
			for _, m := range using.FindAllStringSubmatch(code, -1) {
				if _, known := used[m[1]]; !known {
					used[m[1]] = Finding{File: path, Line: n}
				}
			}
		}
	}
	return used, nil
}

// A macro is NAME or NAME=VALUE at a line of a makefile.
type macro struct {
	text string
	line int
}

func nameOf(define string) string {
	name, _, _ := strings.Cut(define, "=")
	return name
}

// defining matches a macro among a simulator's arguments; condition, the beginning of a conditional.
var (
	defining  = regexp.MustCompile(`(?:^|[\s=])-D\s*([A-Za-z_]\w*(?:=[^\s"'$]+)?)`)
	condition = regexp.MustCompile(`^\s*(ifn?eq|ifn?def)\b(.*)`)
)

// macrosOf returns the macros that a makefile defines. A branch for the netlist does not count, as after the else of
// ifneq ($(GATES),yes) in Tiny Tapeout's template.
func macrosOf(makefile string) (all []macro) {
	var gates, about []bool // of the conditionals around a line: it is in the netlist's branch; the condition is GATES
	for i, line := range strings.Split(makefile, "\n") {
		code, _, _ := strings.Cut(strings.ReplaceAll(line, `\#`, ""), "#")
		begins, last := condition.FindStringSubmatch(code), len(gates)-1
		switch word, _, _ := strings.Cut(strings.TrimSpace(code), " "); {
		case begins != nil:
			about = append(about, strings.Contains(begins[2], "GATES"))
			gates = append(gates, about[last+1] && !strings.HasPrefix(begins[1], "ifn"))
		case word == "else" && last >= 0:
			gates[last] = about[last] && !gates[last]
		case word == "endif" && last >= 0:
			gates, about = gates[:last], about[:last]
		case !slices.Contains(gates, true):
			for _, m := range defining.FindAllStringSubmatch(code, -1) {
				all = append(all, macro{m[1], i + 1})
			}
		}
	}
	return all
}
