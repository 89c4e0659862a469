package liberty

import (
	"strings"

	"utfbench/internal/failure"
)

// A group is NAME (ARG) { ATTRIBUTE : VALUE ; GROUP ... } with what is of use of it.
type group struct {
	name, arg string
	line      int
	attr      map[string]string
	groups    []*group
}

// kept are the groups that say what cells compute, with those that they stand in.
var kept = map[string]bool{"library": true, "cell": true, "pin": true, "ff": true, "latch": true, "statetable": true,
	"ff_bank": true, "latch_bank": true, "bus": true, "bundle": true}

// said are the attributes that say what cells compute.
var said = map[string]bool{"direction": true, "function": true, "three_state": true, "next_state": true,
	"clocked_on": true, "clear": true, "preset": true}

// mostGroups is far more than the cells and pins of any library.
const mostGroups = 1 << 18

// deepest is far more than the groups in groups of any library.
const deepest = 64

type scanner struct {
	text  string
	at    int
	line  int
	depth int
	kept  int // groups
	err   error
}

var errOpen = failure.Usagef("the file ends within a group: it is cut off")

// group reads up to the brace that closes the group, or to the end of the file for the outermost.
func (s *scanner) group() *group {
	g := &group{attr: map[string]string{}, line: s.line}
	if s.depth++; s.depth > deepest {
		s.err = failure.Usagef("groups stand in groups more than %d deep", deepest)
	}
	defer func() { s.depth-- }()
	for s.err == nil {
		word := s.next()
		switch word {
		case "}":
			if s.depth == 1 {
				s.err = failure.Usagef("a } closes nothing")
			}
			return g
		case "":
			if s.depth > 1 && s.err == nil {
				s.err = errOpen
			}
			return g
		case ";", ",":
			continue
		}
		s.statement(g, word)
	}
	return g
}

// statement reads what begins with a word: an attribute, a complex attribute, or a group.
func (s *scanner) statement(g *group, word string) {
	switch s.next() {
	case ":":
		if value := s.upTo(";"); said[word] {
			g.attr[word] = value
		}
	case "(":
		line := s.line
		arg := s.upTo(")")
		if !s.opens() {
			return
		}
		sub := s.group()
		sub.name, sub.arg, sub.line = word, arg, line
		if kept[word] {
			if s.kept++; s.kept > mostGroups {
				s.err = failure.Usagef("more than %d cells and pins", mostGroups)
			}
			g.groups = append(g.groups, sub)
		}
	default:
		if s.err == nil {
			s.err = failure.Usagef("after %q there has to be a : or a (", word)
		}
	}
}

// upTo joins the words before a sign. An attribute without its semicolon ends with the line, as many tools read it.
func (s *scanner) upTo(sign string) string {
	line, words := s.line, []string{}
	for s.err == nil {
		before, at := s.line, s.at
		t := s.next()
		switch {
		case t == sign:
			return strings.Join(words, " ")
		case t == "":
			if s.err == nil {
				s.err = errOpen
			}
		case sign == ";" && (t == "}" || s.line > line && len(words) > 0):
			s.at, s.line = at, before
			return strings.Join(words, " ")
		case t != ",":
			words = append(words, t)
		}
	}
	return ""
}

// opens says whether a brace comes next, and takes it.
func (s *scanner) opens() bool {
	at, line := s.at, s.line
	if s.next() == "{" {
		return true
	}
	s.at, s.line = at, line
	return false
}

// signs end a word.
const signs = "(){}:;,\"\\"

// next gives the next word, sign, or quoted text without its quotes; "" at the end.
func (s *scanner) next() string {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '\n':
			s.line++
			s.at++
		case c <= ' ' || c == '\\':
			s.at++
		case strings.HasPrefix(s.text[s.at:], "/*"):
			s.skip("*/")
		case strings.HasPrefix(s.text[s.at:], "//"):
			s.skip("\n")
		case c == '"':
			s.at++
			from := s.at
			s.skip("\"")
			return s.text[from:max(from, s.at-1)]
		case strings.IndexByte(signs, c) >= 0:
			s.at++
			return s.text[s.at-1 : s.at]
		default:
			from := s.at
			for s.at < len(s.text) && s.text[s.at] > ' ' && strings.IndexByte(signs, s.text[s.at]) < 0 {
				s.at++
			}
			return s.text[from:s.at]
		}
	}
	return ""
}

// skip goes behind the next end of a text or a comment.
func (s *scanner) skip(end string) {
	from := s.at
	n := strings.Index(s.text[from:], end)
	if n < 0 {
		s.at = len(s.text)
		if end != "\n" {
			s.err = errOpen
		}
		return
	}
	s.at += n + len(end)
	s.line += strings.Count(s.text[from:s.at], "\n")
}
