package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// readDefines puts the macros of the shuttle's flow, in src/config.json, before the author's own.
func (p *Project) readDefines() error {
	flow, err := flowDefines(filepath.Join(p.Dir, "src", "config.json"))
	p.Defines = append(flow, p.Defines...)
	return err
}

// flowDefines returns the macros that a configuration of the shuttle's flow sets.
func flowDefines(path string) ([]string, error) {
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

// A TestMacro is NAME or NAME=VALUE, as the author's test sets it for a simulation of the RTL.
type TestMacro struct {
	Text  string
	Place string  // FILE:LINE of the makefile, relative to the project
	Used  Finding // by the sources; says that synthesis does not set it
}

// Name returns the macro's name.
func (m TestMacro) Name() string { return nameOf(m.Text) }

// TestMacros returns the macros that the author's test sets, that are not among the defined ones, and that the sources
// test or use. The flow does not set them, and many, such as SIM, replace gates by models.
func (p *Project) TestMacros(defined []string) (all []TestMacro, err error) {
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
			at, is := used[nameOf(m.text)]
			if !is {
				continue
			}
			place := fmt.Sprintf("%s:%d", file, m.line)
			at.What = fmt.Sprintf("%s is set by %s, but not in synthesis, nor here: defines: [%s] in %s sets it",
				nameOf(m.text), place, m.text, OwnName)
			all = append(all, TestMacro{m.text, place, at})
			delete(used, nameOf(m.text))
		}
	}
	return all, nil
}

// using matches a macro that Verilog tests or uses.
var using = printable.Regexp("`(?:(?:ifn?def|elsif)\\s+)?(\\w+)")

// macrosUsed returns the first places at which the sources test or use macros, by name.
func (p *Project) macrosUsed() (map[string]Finding, error) {
	used := map[string]Finding{}
	for _, path := range append(p.Paths(), p.headers()...) {
		text, err := files.Verilog.Read(path)
		if err != nil {
			return nil, err
		}
		for n, code := range codeLines(string(text)) {
			for _, m := range using().FindAllStringSubmatch(code, -1) {
				if _, known := used[m[1]]; !known {
					used[m[1]] = Finding{File: path, Line: n}
				}
			}
		}
	}
	return used, nil
}

// headers returns the include files in the usual folders.
func (p *Project) headers() (all []string) {
	for _, dir := range append(p.SourceFolders(), p.Include...) {
		for _, pattern := range []string{"*.vh", "*.svh"} {
			found, _ := filepath.Glob(filepath.Join(dir, pattern)) // a folder may have a name that is no pattern
			all = append(all, found...)
		}
	}
	return all
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

// defining matches a macro among a simulator's arguments; whole, one without variables of the makefile; condition, the
// beginning of a conditional.
var (
	defining  = printable.Regexp(`(?:^|[\s="'])-D\s*(\S+)`)
	whole     = printable.Regexp(`^[A-Za-z_]\w*(=[!-#%-~]*)?$`)
	condition = printable.Regexp(`^\s*(ifn?eq|ifn?def)\b(.*)`)
)

// unquoted removes the shell's quotes.
var unquoted = strings.NewReplacer(`\"`, `"`, `\'`, `'`, `"`, "", `'`, "")

// macrosOf returns the macros that a makefile defines. Branches for the netlist are ignored, such as the else branch
// of ifneq ($(GATES),yes) in Tiny Tapeout's template.
func macrosOf(makefile string) (all []macro) {
	var gates, about []bool // of the conditionals around a line: it is in the netlist's branch; the condition is GATES
	for i, line := range strings.Split(makefile, "\n") {
		code, _, _ := strings.Cut(strings.ReplaceAll(line, `\#`, ""), "#")
		begins, last := condition().FindStringSubmatch(code), len(gates)-1
		switch word, _, _ := strings.Cut(strings.TrimSpace(code), " "); {
		case begins != nil:
			about = append(about, strings.Contains(begins[2], "GATES"))
			gates = append(gates, about[last+1] && !strings.HasPrefix(begins[1], "ifn"))
		case word == "else" && last >= 0:
			gates[last] = about[last] && !gates[last]
		case word == "endif" && last >= 0:
			gates, about = gates[:last], about[:last]
		case !slices.Contains(gates, true):
			for _, m := range defining().FindAllStringSubmatch(code, -1) {
				if text := unquoted.Replace(m[1]); whole().MatchString(text) {
					all = append(all, macro{text, i + 1})
				}
			}
		}
	}
	return all
}
