package project

import (
	"slices"
	"strings"

	"utfbench/internal/printable"
)

// declares lists the words that begin a declaration within a block.
var declares = map[string]bool{"reg": true, "integer": true, "logic": true, "int": true, "bit": true, "byte": true,
	"automatic": true, "static": true, "var": true, "real": true, "time": true, "localparam": true, "genvar": true}

// statement parses one statement of a process and returns the index after it.
func (m *module) statement(i int, p *process) int {
	switch word := m.text(i); {
	case word == "":
		return len(m.all)
	case word == "begin":
		return m.block(i+1, p)
	case word == "if":
		i = m.statement(m.closed(i+1), p)
		if m.text(i) == "else" {
			i = m.statement(i+1, p)
		}
		return i
	case word == "case", word == "casex", word == "casez":
		return m.cases(m.closed(i+1), p)
	case word == "unique", word == "priority", word == "forever":
		return m.statement(i+1, p)
	case word == "for":
		end := m.closed(i + 1)
		for k := i + 2; k < end && m.text(k) != ";"; k++ { // its variables are no signals
			if m.all[k].isName() {
				p.own[m.text(k)] = true
				break
			}
		}
		return m.statement(end, p)
	case word == "while", word == "repeat", word == "wait":
		return m.statement(m.closed(i+1), p)
	case word == "@" || word == "#":
		if m.text(i+1) == "(" {
			return m.statement(m.closed(i+1), p)
		}
		return m.statement(i+2, p)
	case declares[word]:
		return m.local(i, p)
	}
	return m.simple(i, p)
}

// block parses up to the end that closes a begin.
func (m *module) block(i int, p *process) int {
	if m.text(i) == ":" {
		i += 2
	}
	for i < len(m.all) && m.text(i) != "end" {
		i = m.statement(i, p)
	}
	if i++; m.text(i) == ":" { // the block's name again
		i += 2
	}
	return i
}

// cases parses labels and their statements.
func (m *module) cases(i int, p *process) int {
	for i < len(m.all) && m.text(i) != "endcase" {
		for i < len(m.all) && m.text(i) != ":" && m.text(i) != "default" && m.text(i) != "endcase" {
			if t := m.text(i); t == "(" || t == "[" || t == "{" {
				i = m.closed(i)
				continue
			}
			i++
		}
		if m.text(i) == "endcase" {
			break
		}
		if m.text(i) == "default" && m.text(i+1) == ":" {
			i++
		}
		i = m.statement(i+1, p)
	}
	return i + 1
}

// local records the names of a declaration within a block.
func (m *module) local(i int, p *process) int {
	end := m.until(i, ";")
	for ; i < end && i < len(m.all); i++ {
		if t := m.all[i]; t.text == "[" {
			i = m.closed(i) - 1
		} else if t.isName() {
			p.own[t.text] = true
		}
	}
	return end
}

// simple parses a statement up to its semicolon: an assignment or a call.
func (m *module) simple(i int, p *process) int {
	end := m.until(i, ";")
	var names []assignment
	for ; i < end && i < len(m.all); i++ {
		switch t := m.all[i]; {
		case t.text == "[", t.text == "(":
			i = m.closed(i) - 1
		case t.text == "=", t.text == "<=":
			for _, a := range names {
				a.blocking = t.text == "="
				p.assigns = append(p.assigns, a)
			}
			return end
		case t.isName() && m.text(i-1) != ".":
			names = append(names, assignment{name: t.text, at: i, line: t.line})
		}
	}
	return end
}

// A token is a word or sign of Verilog and its line.
type token struct {
	text   string
	line   int
	number string // the text of a number; else ""
}

// pieces matches the next piece of a text: something to skip (blanks, comments, strings, attributes, directives with
// their lines, macros), a number, a word, or a sign.
var pieces = printable.Regexp("(?s)^(?:(\\s+|//[^\n]*|/\\*.*?\\*/|\"(?:\\\\.|[^\"\\\\])*\"|\\(\\*[^)]*?\\*\\)|" +
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
			all = append(all, token{"0", line, piece})
		case m[2] < 0:
			all = append(all, token{piece, line, ""})
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
