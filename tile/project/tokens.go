package project

import (
	"slices"
	"strings"

	"utfbench/internal/lazy"
)

// A token is a word or sign of Verilog and its line.
type token struct {
	text string
	line int
}

// pieces matches the next piece of a text: something to skip (blanks, comments, strings, attributes, directives with
// their lines, macros), a number, a word, or a sign.
var pieces = lazy.Regexp("(?s)^(?:(\\s+|//[^\n]*|/\\*.*?\\*/|\"(?:\\\\.|[^\"\\\\])*\"|\\(\\*[^)]*?\\*\\)|" +
	"`(?:define|include|timescale|default_nettype|undef|ifn?def|elsif)\\b(?:\\\\\r?\n|[^\n])*|`\\w+)|" +
	"(\\d*\\s*'s?[bodhBODH]\\s*[0-9a-fA-FxXzZ?_]+|\\d[\\w.]*|'[01xz])|([A-Za-z_$][\\w$]*|\\\\\\S+)|" +
	"(===|!==|<<<=|>>>=|<=|>=|==|!=|\\+=|-=|&=|\\|=|\\^=|\\*=|/=|\\+\\+|--|&&|\\|\\||<<|>>|->|=>|\\+:|-:|.))")

// tokens returns the words and signs of a text. Each number becomes 0.
func tokens(text string) (all []token) {
	line := 1
	for text != "" {
		m := pieces().FindStringSubmatchIndex(text)
		piece := text[:m[1]]
		switch {
		case m[4] >= 0:
			all = append(all, token{"0", line})
		case m[2] < 0:
			all = append(all, token{piece, line})
		}
		line += strings.Count(piece, "\n")
		text = text[m[1]:]
	}
	return all
}

// keywords lists the words of statements and declarations, which are no signal names.
var keywords = strings.Fields("always always_comb always_ff always_latch and assign automatic begin bit buf byte " +
	"case casex casez default defparam disable else end endcase endfunction endgenerate " +
	"endmodule endtask enum for forever function generate genvar if initial inout input " +
	"int integer localparam logic module nand negedge nor not or output packed parameter " +
	"posedge priority real reg repeat return signed static string struct task time tri " +
	"typedef unique unsigned var wait while wire xnor xor")

// isName reports whether a token is an identifier.
func (t token) isName() bool {
	c := t.text[0]
	return (c == '_' || c == '\\' || c|0x20 >= 'a' && c|0x20 <= 'z') && !slices.Contains(keywords, t.text)
}
