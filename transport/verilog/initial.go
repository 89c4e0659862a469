package verilog

import (
	"slices"
	"strings"
)

// withoutInitial gives a preprocessed design in which flip-flops have no initial values: not by their declaration and
// not by an initial block. No cell of a chip has one, so a reference may not count on it. A flip-flop is what its
// module assigns by `<=` outside of initial blocks; what an initial block alone assigns, as a table, stays.
func withoutInitial(text string) string {
	tokens := tokenise(text)
	cut := make([]span, 0, 8)
	for begin := 0; begin < len(tokens); begin++ {
		if w := tokens[begin].text; w != "module" && w != "macromodule" {
			continue
		}
		end := begin
		for end < len(tokens) && tokens[end].text != "endmodule" {
			end++
		}
		m := inside{tokens[begin:end], nil, map[string]bool{}}
		m.find()
		cut = append(cut, m.cut()...)
		begin = end
	}
	var out strings.Builder
	done := 0
	for _, c := range cut {
		out.WriteString(text[done:c.from])
		done = c.to
	}
	return out.String() + text[done:]
}

// A token of Verilog that is no comment, and where it is.
type lexeme struct {
	text     string
	from, to int
}

// A span is a part of a text, or of tokens.
type span struct{ from, to int }

func tokenise(text string) (all []lexeme) {
	for _, at := range typed.FindAllStringIndex(text, -1) {
		if w := text[at[0]:at[1]]; w[0] != '/' || len(w) == 1 {
			all = append(all, lexeme{w, at[0], at[1]})
		}
	}
	return all
}

// inside is a module.
type inside struct {
	tokens   []lexeme
	initials []span // of tokens
	clocked  map[string]bool
}

// Tokens before a statement.
var beforeStatement = []string{"initial", ";", "begin", "end", "else", ")", ":"}

// find finds initial blocks and flip-flops.
func (m *inside) find() {
	depth := 0
	for i := 0; i < len(m.tokens); i++ {
		switch w := m.tokens[i].text; {
		case w == "initial":
			end := m.endOf(i)
			m.initials = append(m.initials, span{i, end})
			i = end - 1
		case w == "(":
			depth++
		case w == ")":
			depth--
		case depth == 0 && i > 0 && slices.Contains(beforeStatement, m.tokens[i-1].text):
			names, at := m.target(i)
			if m.is(at, "<") && m.is(at+1, "=") {
				for _, name := range names {
					m.clocked[name] = true
				}
			}
		}
	}
}

// is says whether a token is there.
func (m *inside) is(i int, text string) bool { return i < len(m.tokens) && m.tokens[i].text == text }

// endOf is the token after the initial block that begins with a token.
func (m *inside) endOf(i int) int {
	begins, depth := 0, 0
	for i++; i < len(m.tokens); i++ {
		switch m.tokens[i].text {
		case "(":
			depth++
		case ")":
			depth--
		case "begin":
			begins++
		case "end":
			if begins--; begins == 0 {
				return i + 1
			}
		case ";":
			if begins == 0 && depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// target is what the statement at a token assigns, and the token after that.
func (m *inside) target(i int) (names []string, next int) {
	if !m.is(i, "{") {
		return []string{m.tokens[i].text}, m.selected(i + 1)
	}
	for i++; i < len(m.tokens) && !m.is(i, "}"); i++ {
		if name(m.tokens[i].text) {
			names = append(names, m.tokens[i].text)
			i = m.selected(i+1) - 1
		}
	}
	return names, i + 1
}

// selected skips indices and fields from a token on.
func (m *inside) selected(i int) int {
	for {
		switch {
		case m.is(i, "["):
			i = m.past(i, "]")
		case m.is(i, "."):
			i += 2
		default:
			return i
		}
	}
}

// past is the token after the one that closes the bracket at a token.
func (m *inside) past(i int, closing string) int {
	opening, depth := m.tokens[i].text, 0
	for ; i < len(m.tokens); i++ {
		switch m.tokens[i].text {
		case opening:
			depth++
		case closing:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

func name(token string) bool {
	c := token[0]
	return c == '_' || c == '\\' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// cut is what has to go, in the order of the text.
func (m *inside) cut() (all []span) {
	for i := 1; i < len(m.tokens); i++ {
		w, before := m.tokens[i].text, m.tokens[i-1].text
		if !m.clocked[w] {
			continue
		}
		within := slices.ContainsFunc(m.initials, func(s span) bool { return s.from < i && i < s.to })
		at := m.selected(i + 1)
		assigned := m.is(at, "=") && !m.is(at+1, "=")
		switch {
		case within && slices.Contains(beforeStatement, before) && (assigned || m.is(at, "<") && m.is(at+1, "=")):
			all = append(all, span{m.tokens[i].from, m.tokens[m.ending(at)].from})
		case !within && assigned && m.declares(i):
			all = append(all, span{m.tokens[at-1].to, m.tokens[m.ending(at)].from})
		}
	}
	return all
}

// noType are words before a name that is no declaration's.
var noType = []string{"begin", "end", "else", "assign"}

// declares says whether the name at a token, which gets a value there, is declared there.
func (m *inside) declares(i int) bool {
	before := m.tokens[i-1].text
	if i > 1 && m.tokens[i-2].text == ":" && name(before) { // of a block
		return false
	}
	return before == "]" || before == "," || name(before) && !slices.Contains(noType, before)
}

// ending is the token that ends an expression: a comma, a semicolon or a bracket that is not its own.
func (m *inside) ending(i int) int {
	for depth := 0; i < len(m.tokens); i++ {
		switch w := m.tokens[i].text; {
		case strings.Contains("([{", w):
			depth++
		case strings.Contains(")]}", w) && depth == 0, (w == "," || w == ";") && depth == 0:
			return i
		case strings.Contains(")]}", w):
			depth--
		}
	}
	return i - 1
}
