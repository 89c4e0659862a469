package yosys

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/tile/project"
)

// undeclaredFile is the file with the undeclared names of a design, in its entry of the cache.
const undeclaredFile = "undeclared.json"

// Patterns for Yosys' warning about an undeclared identifier that becomes a wire, and for the directive about that.
var (
	undeclared = printable.LazyRegexp(`(?m)^([^:\n]*):(\d+): Warning: Identifier .\\([^'\n]+)' is implicitly`)
	nettype    = printable.LazyRegexp("(?m)^[^/\n]*`default_nettype\\s+(\\w+)")
)

// keepUndeclared writes the undeclared names in Yosys' messages into a folder of the cache. It rejects names for which
// mustDeclare is true, except references into other modules. Yosys applies the last default_nettype of a text to all
// modules, so the text sets it to wire.
func (r *run) keepUndeclared(dir, messages string) error {
	var all []project.Finding
	for _, m := range undeclared().FindAllStringSubmatch(messages, -1) {
		line, _ := strconv.Atoi(m[2]) // digits
		f := project.Finding{File: m[1], Line: line, Text: m[3]}
		if !strings.Contains(f.Text, ".") && mustDeclare(f.File, line) {
			return failure.Usagef("%s:%d: %s is not declared, and `default_nettype is none", r.users(f.File), line,
				f.Text)
		}
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, undeclaredFile), text, 0o600)
}

// mustDeclare reports whether default_nettype forbids undeclared names at a line of a file.
func mustDeclare(path string, line int) bool {
	text, err := files.Verilog.Read(path)
	if err != nil {
		return false
	}
	lines := strings.SplitAfter(string(text), "\n")
	set := nettype().FindAllStringSubmatch(strings.Join(lines[:min(line, len(lines))], ""), -1)
	return len(set) > 0 && set[len(set)-1][1] == "none"
}

// undriven returns the undeclared names, from an entry of the cache, that nothing drives.
func (r *run) undriven(entry string, netlist []byte) (all []project.Finding, err error) {
	text, err := os.ReadFile(filepath.Join(entry, undeclaredFile))
	if err != nil {
		return nil, err
	}
	var names []project.Finding
	if err := json.Unmarshal(text, &names); err != nil || len(names) == 0 {
		return nil, err
	}
	m, err := moduleOf(netlist, r.Top)
	if err != nil {
		return nil, err
	}
	driven := m.driven()
	for _, f := range names {
		if m.floats(f, driven) {
			all = append(all, project.Finding{File: r.users(f.File), Line: f.Line,
				Text: f.Text + " is not declared, and nothing drives it"})
		}
	}
	return all, nil
}

func (m *module) driven() map[bit]bool {
	all := map[bit]bool{zero: true, one: true}
	add := func(direction string, bits []bit) {
		for _, b := range bits {
			all[b] = all[b] || direction != "input"
		}
	}
	for _, c := range m.Cells {
		for pin, bits := range c.Connections {
			add(c.Directions[pin], bits)
		}
	}
	for _, p := range m.Ports {
		if p.Direction != "output" {
			add("", p.Bits)
		}
	}
	return all
}

// floats reports whether an undeclared name denotes a signal with an undriven bit, also inside an instance.
func (m *module) floats(undeclared project.Finding, driven map[bit]bool) bool {
	at := fmt.Sprintf("|%s:%d.", undeclared.File, undeclared.Line)
	for name, is := range m.Names {
		if strings.Contains("|"+is.Attributes.Source, at) && strings.HasSuffix("."+name, "."+undeclared.Text) &&
			slices.ContainsFunc(is.Bits, func(b bit) bool { return !driven[b] }) {
			return true
		}
	}
	return false
}

// Patterns for arrays of instances with their pins, indexed names at pins, and memories, whose words have several bits.
var (
	arrays   = printable.LazyRegexp(`\b[\w$]+\s+([\w$]+)\s*\[[^\];]*:[^\];]*\]\s*\(([^;]*)\)\s*;`)
	indexed  = printable.LazyRegexp(`[(,]\s*([\w$]+)\s*\[[^\]:]*\]`)
	memories = printable.LazyRegexp(`\]\s*([\w$]+)\s*\[`)
)

// checkArrays rejects arrays of instances with a memory's word at a pin: Yosys 0.23 connects its first bit to each.
func (r *run) checkArrays() error {
	words := map[string]bool{}
	for _, m := range memories().FindAllStringSubmatch(r.text, -1) {
		words[m[1]] = true
	}
	for _, array := range arrays().FindAllStringSubmatch(r.text, -1) {
		for _, pin := range indexed().FindAllStringSubmatch(array[2], -1) {
			if words[pin[1]] {
				return failure.Usagef("the array of instances %s has a word of the memory %s at a pin, of which "+
					"Yosys 0.23 connects the first bit only: put a wire between them, or give --tile the netlist "+
					"that was fabricated", array[1], pin[1])
			}
		}
	}
	return nil
}
