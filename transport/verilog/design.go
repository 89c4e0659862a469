package verilog

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// ports lists the ports of every Tiny Tapeout tile.
var ports = []string{"ui_in", "uo_out", "uio_in", "uio_out", "uio_oe", "ena", "clk", "rst_n"}

// powerPins lists the power pins of gate-level netlists, in pairs; tile.v connects the pins whose macro is defined.
var powerPins = []struct{ pin, macro string }{
	{"VPWR", "UTFBENCH_VPWR"}, {"VDD", "UTFBENCH_VDD"}, {"vccd1", "UTFBENCH_vccd1"},
}

// A module holds a module's name and the identifiers in its header, including ports.
type module struct {
	name   string
	header map[string]bool
}

// token matches words and semicolons of preprocessed Verilog, and text to skip.
var token = printable.LazyRegexp(`//[^\n]*|/\*(?s:.*?)\*/|"(?:[^"\\\n]|\\.)*"|\\\S+|[A-Za-z_][A-Za-z0-9_$]*|;`)

func modules(text string) (all []module) {
	var inside, header bool
	for _, w := range token().FindAllString(text, -1) {
		switch {
		case w == "module" || w == "macromodule":
			all = append(all, module{header: map[string]bool{}})
			inside, header = true, true
		case w == "endmodule":
			inside = false
		case w == ";":
			header = false
		case inside && header && all[len(all)-1].name == "" && w != "automatic" && w[0] != '/':
			all[len(all)-1].name = w
		case inside && header:
			all[len(all)-1].header[w] = true
		}
	}
	return all
}

func (m module) missing() (names []string) {
	for _, p := range ports {
		if !m.header[p] {
			names = append(names, p)
		}
	}
	return names
}

// findTop returns the module to simulate. ok is false if there is none, perhaps because of a syntax error.
func findTop(all []module, name string) (top module, ok bool, err error) {
	var candidates []string
	for _, m := range all {
		switch {
		case name == "" && m.missing() == nil:
			top = m
			candidates = append(candidates, m.name)
		case name != "" && m.name == name && m.missing() == nil:
			return m, true, nil
		case name != "" && m.name == name:
			return m, false, failure.Usagef("the module %s is no tile: it has no port %s", name,
				strings.Join(m.missing(), ", "))
		}
	}
	slices.Sort(candidates)
	candidates = slices.Compact(candidates)
	if len(candidates) > 1 {
		return top, false, failure.Usagef("more than one module has the ports of a tile: give the files of one, %s",
			strings.Join(candidates, " or "))
	}
	return top, len(candidates) == 1, nil
}

func noTop(all []module, name string) error {
	var names []string
	for _, m := range all {
		names = append(names, m.name)
	}
	there := "there is no module at all"
	if len(names) > 0 {
		there = fmt.Sprintf("the modules are %s", strings.Join(names[:min(len(names), 8)], ", "))
	}
	if name != "" {
		return failure.Usagef("the sources have no module %s: %s", name, there)
	}
	return failure.Usagef("no module has the ports of a tile, %s: %s", strings.Join(ports, ", "), there)
}

func (m module) macros() []string {
	list := []string{"UTFBENCH_TOP=" + m.name}
	for _, p := range powerPins {
		if m.header[p.pin] {
			list = append(list, p.macro)
		}
	}
	return list
}
