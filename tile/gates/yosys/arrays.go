package yosys

import (
	"utfbench/internal/failure"
	"utfbench/internal/lazy"
)

// Arrays of instances in a text, with their pins; indexed names at pins; and memories, whose words have several bits.
var (
	arrays   = lazy.Regexp(`\b[\w$]+\s+([\w$]+)\s*\[[^\];]*:[^\];]*\]\s*\(([^;]*)\)\s*;`)
	indexed  = lazy.Regexp(`[(,]\s*([\w$]+)\s*\[[^\]:]*\]`)
	memories = lazy.Regexp(`\]\s*([\w$]+)\s*\[`)
)

// checkArrays rejects arrays of instances with a word of a memory at a pin. Yosys 0.23 silently connects its first bit
// to each instance.
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
