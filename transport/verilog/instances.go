package verilog

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/printable"
)

// An instance is the use of a module within another.
type instance struct {
	of   string
	pins []string // names of connected pins; nil if connected by position
}

var (
	instanceHead = printable.Regexp(`(?m)^[ \t]*([A-Za-z_][\w$]*)(?:\s+(?:#\s*(?:\([^)]*\)|[\w.]+)\s*)?` +
		`(?:\\\S+|[A-Za-z_][\w$]*)\s*(?:\[[^\]]*\]\s*)?)?\s*\(\s*(\.)?`) // primitives need no name
	namedPin = printable.Regexp(`\.\s*([A-Za-z_][\w$]*)\s*\(`)
)

// instancesIn returns the instances in a preprocessed text. The result includes declarations and gates, which look the
// same; only names that a kit has, or instances with named pins, are relevant.
func instancesIn(text string) (all []instance) {
	seen := map[string]bool{}
	for _, at := range instanceHead().FindAllStringSubmatchIndex(text, -1) {
		i := instance{of: text[at[2]:at[3]]}
		if i.of == "module" || seen[i.of] {
			continue
		}
		seen[i.of] = true
		if at[4] >= 0 {
			end := strings.IndexByte(text[at[4]:], ';')
			if end < 0 {
				continue
			}
			for _, pin := range namedPin().FindAllStringSubmatch(text[at[4]:at[4]+end], -1) {
				i.pins = append(i.pins, pin[1])
			}
		}
		all = append(all, i)
	}
	return all
}

func (i instance) powered() bool {
	return slices.ContainsFunc(i.pins, func(pin string) bool { return slices.Contains(powerNames, pin) })
}

// stub returns a module for a cell that has only power pins, such as a fill; ok is false for others.
func (i instance) stub() (text string, ok bool) {
	for _, pin := range i.pins {
		if !slices.Contains(powerNames, pin) {
			return "", false
		}
	}
	if i.pins == nil {
		return "", false
	}
	ports := strings.Join(i.pins, ", ")
	return fmt.Sprintf("module %s (%s);\n  input %s;\nendmodule\n", i.of, ports, ports), true
}

// element matches a module or a primitive of a preprocessed text.
var element = printable.Regexp(`(?sm)^\s*(module|primitive)\s+(\S+?)[\s(;#].*?\bend(?:module|primitive)\b`)

func elementsIn(text string) map[string]string {
	all := map[string]string{}
	for _, at := range element().FindAllStringSubmatchIndex(text, -1) {
		if name := text[at[4]:at[5]]; all[name] == "" {
			all[name] = strings.TrimSpace(text[at[0]:at[1]])
		}
	}
	return all
}

// gates look like instances of modules, as do some keywords.
var gates = strings.Fields(`and nand or nor xor xnor not buf bufif0 bufif1 notif0 notif1 pullup pulldown nmos pmos cmos
	tran tranif0 tranif1 primitive module function task else if for while case casez casex always initial assign begin
	end generate repeat forever wait`)

// powerNames are the power pins of cells: sky130 and its older harness, GF180, IHP.
var powerNames = []string{"VPWR", "VGND", "VPB", "VNB", "VDD", "VSS", "VNW", "VPW", "vccd1", "vssd1"}
