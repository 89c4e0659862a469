package verilog

import (
	"regexp"
	"strings"
)

// asInSilicon gives a preprocessed design whose registers wake up as those of a chip do: as anything.
// Its modules are taken one by one, since a library of cells may be long.
func asInSilicon(text string) string {
	const last = "endmodule"
	var out strings.Builder
	for end := 0; text != ""; text = text[end:] {
		if end = strings.Index(text, last) + len(last); end < len(last) {
			end = len(text)
		}
		out.WriteString(withoutInitial(fourState(text[:end])))
	}
	return out.String()
}

// fourState gives a preprocessed design in which variables of types that know no X (bit, byte, int and their like, and
// an enum without a type, which is an int) are of types that do. They begin with 0 in a simulation, by their definition
// (IEEE 1800-2017, table 6-7), and in silicon with anything: a reference may not take the 0 for known.
//
// Functions and tasks, constants, loop variables and automatic ones stay as they are: none of them is a register, and
// tools may count on the 0 in them. So do casts, which are values.
func fourState(text string) string {
	var out strings.Builder
	var inside bool      // a function or a task
	var before [2]string // the tokens before, the last one first
	done := 0
	for _, at := range typed.FindAllStringSubmatchIndex(text, -1) {
		word, rest := text[at[0]:at[1]], strings.TrimLeft(text[at[1]:], " \t\r\n")
		switch {
		case word[0] == '/' && len(word) > 1: // a comment
			continue
		case word == "function" || word == "task":
			inside = true
		case word == "endfunction" || word == "endtask":
			inside = false
		case inside, noRegister[before[0]], before == [2]string{"(", "for"}, strings.HasPrefix(rest, "'"):
		case word == "enum" && strings.HasPrefix(rest, "{"):
			out.WriteString(text[done:at[1]] + " integer")
			done = at[1]
		case at[2] >= 0: // a width that the word says, and perhaps a sign
			sign := " signed"
			if at[4] >= 0 {
				sign = " " + text[at[4]:at[5]]
			}
			out.WriteString(text[done:at[0]] + "logic" + sign + " " + widths[text[at[2]:at[3]]])
			done = at[1]
		case fourStates[word] != "":
			out.WriteString(text[done:at[0]] + fourStates[word])
			done = at[1]
		}
		before = [2]string{word, before[0]}
	}
	return out.String() + text[done:]
}

// typed finds the tokens of Verilog of which fourState has to know: types of a width with their sign, words, what is to
// be skipped, and all other signs, one by one.
var typed = regexp.MustCompile(`//[^\n]*|/\*(?s:.*?)\*/|"(?:[^"\\\n]|\\.)*"|\\\S+|` +
	`\b(byte|shortint|longint)\b(?:\s+((?:un)?signed)\b)?|[A-Za-z_$` + "`" + `][A-Za-z0-9_$]*|[^\s\w]`)

var (
	fourStates = map[string]string{"bit": "logic", "int": "integer"}
	widths     = map[string]string{"byte": "[7:0]", "shortint": "[15:0]", "longint": "[63:0]"}
	noRegister = map[string]bool{"parameter": true, "localparam": true, "automatic": true, "const": true}
)
