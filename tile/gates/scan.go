package gates

import (
	"strings"

	"utfbench/internal/failure"
)

// A scanner splits Verilog into words and signs.
type scanner struct {
	text string
	pos  int
	line int
	err  error
}

// blanks skips white space, comments, attributes, and directives that change no net.
func (s *scanner) blanks() {
	for s.pos < len(s.text) && s.err == nil {
		switch c := s.text[s.pos]; {
		case c == '\n':
			s.line++
			s.pos++
		case c <= ' ':
			s.pos++
		case c == '/' && s.follows("//"):
			s.skip("\n", "")
		case c == '/' && s.follows("/*"):
			s.skip("*/", "a comment is not closed")
		case c == '(' && s.follows("(*") && !s.follows("(*)"):
			s.skip("*)", "an attribute is not closed")
		case c == '`':
			s.directive()
		default:
			return
		}
	}
}

func (s *scanner) follows(sign string) bool { return strings.HasPrefix(s.text[s.pos:], sign) }

// skip moves past the next occurrence of end. Without one it moves to the end, an error unless mistake is "".
func (s *scanner) skip(end, mistake string) {
	from := s.pos
	n := strings.Index(s.text[from:], end)
	if n < 0 {
		s.pos = len(s.text)
		if mistake != "" {
			s.err = failure.Usagef("%s", mistake)
		}
		return
	}
	s.pos += n + len(end)
	s.line += strings.Count(s.text[from:s.pos], "\n")
}

// directive skips a directive that changes no net, and rejects any other.
func (s *scanner) directive() {
	from := s.pos
	line, _, _ := strings.Cut(s.text[from:], "\n")
	switch word, _, _ := strings.Cut(strings.TrimSpace(line[1:]), " "); word {
	case "default_nettype", "timescale", "celldefine", "endcelldefine", "resetall", "nounconnected_drive":
		s.pos += len(line)
	default:
		s.err = failure.Usagef("`%s in a netlist is not supported: take the file that place and route wrote", word)
	}
}

// token returns the next word, number or sign, or "" at the end. Escaped names keep a backslash unless they are plain.
func (s *scanner) token() string {
	s.blanks()
	if s.pos == len(s.text) || s.err != nil {
		return ""
	}
	rest, end := s.text[s.pos:], 1
	switch c := rest[0]; {
	case c == '\\':
		for end < len(rest) && rest[end] > ' ' {
			end++
		}
		s.pos += end
		return unescaped(rest[:end])
	case inWord(c):
		for end < len(rest) && inWord(rest[end]) {
			end++
		}
	}
	s.pos += end
	return rest[:end]
}

// unescaped removes the backslash from a name that needs none.
func unescaped(name string) string {
	plain := len(name) > 1 && (name[1] < '0' || name[1] > '9')
	for i := 1; i < len(name); i++ {
		plain = plain && inWord(name[i]) && name[i] != '\''
	}
	if plain {
		return name[1:]
	}
	return name
}

// inWord reports whether a character may be part of a name, or of a number such as 8'hF0.
func inWord(c byte) bool { return wordBytes[c] }

var wordBytes = func() (is [256]bool) {
	for _, c := range []byte("_$'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		is[c] = true
	}
	return is
}()
