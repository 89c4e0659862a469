package files

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// maxDepth is the maximum number of open brackets in a file. Brackets in quoted texts count too, and an author may
// leave one open per line there. The parser's memory grows with the square of this number.
const maxDepth = 64

// A YAML is a user's YAML file, which contains one document. Its methods return errors that begin with file:line.
type YAML struct {
	Name string   // for messages
	Body ast.Node // nil, or comments, if there is no value
}

// ParseYAML parses the single document of a file. needs is the maximum nesting of a valid document. The YAML library
// rejects a repeated key.
func ParseYAML(name, kind string, needs int, text []byte) (*YAML, error) {
	if line := tooDeep(text); line > 0 {
		return nil, failure.Usagef("%s:%d: more than %d brackets are open: %s needs at most %d", name, line, maxDepth,
			kind, needs)
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF")) // the library takes it for a part of the first key
	doc, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, syntaxError(name, text, err)
	}
	if len(doc.Docs) == 0 {
		return &YAML{name, nil}, nil
	}
	if len(doc.Docs) > 1 {
		return nil, failure.Usagef("%s:1: %s holds one YAML document", name, kind)
	}
	return &YAML{name, doc.Docs[0].Body}, nil
}

// tooDeep returns the first line at which too many brackets are open, or 0.
func tooDeep(text []byte) int {
	line, depth := 1, 0
	for _, c := range text {
		switch c {
		case '\n':
			line++
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(0, depth-1)
		}
		if depth > maxDepth {
			return line
		}
	}
	return 0
}

// opening matches a line that opens a quote and does not close it.
var opening = printable.LazyRegexp(`^[\s-]*(?:[^"'#]*:\s+|-\s+)?(?:"(?:[^"\\]|\\.)*|'[^']*)$`)

// syntaxError converts the library's multi-line error to file:line and a sentence. The library may report an unclosed
// quote only where the next one begins.
func syntaxError(file string, text []byte, err error) error {
	line := 1
	msg := err.Error()
	if se, ok := err.(yaml.Error); ok {
		msg = se.GetMessage()
		if tok := se.GetToken(); tok != nil {
			line = tok.Position.Line
		}
	}
	for i, before := range slices.Backward(strings.SplitN(string(text), "\n", line+1)) {
		if i == line-1 && strings.HasPrefix(strings.TrimLeft(before, " "), "\t") {
			msg = "a tab indents the line, and YAML takes only spaces"
		}
		if i < line && opening().MatchString(before) {
			return failure.Usagef("%s:%d: not YAML: the quote is not closed in its line", file, i+1)
		}
	}
	return failure.Usagef("%s:%d: not YAML: %s", file, line, msg)
}

// Entries returns the keys and values of a mapping; an empty document has none. what names the mapping in errors.
func (f *YAML) Entries(n ast.Node, what string) ([]*ast.MappingValueNode, error) {
	switch m := n.(type) {
	case *ast.MappingNode:
		return m.Values, nil
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{m}, nil
	case nil, *ast.CommentGroupNode:
		return nil, nil
	}
	return nil, f.Errorf(n, "%s has to be a mapping, KEY: VALUE", what)
}

// Each calls a function for each key and value of a mapping, up to its first error.
func (f *YAML) Each(n ast.Node, what string, do func(*ast.MappingValueNode) error) error {
	entries, err := f.Entries(n, what)
	for i := 0; err == nil && i < len(entries); i++ {
		err = do(entries[i])
	}
	return err
}

// Errorf returns an error at the line of a node.
func (f *YAML) Errorf(n ast.Node, format string, args ...any) error {
	return f.ErrorAt(YAMLLine(n), format, args...)
}

// ErrorAt returns an error at a line.
func (f *YAML) ErrorAt(line int, format string, args ...any) error {
	return failure.Usagef("%s:%d: %s", f.Name, line, fmt.Sprintf(format, args...))
}

// YAMLLine returns a node's line, from 1.
func YAMLLine(n ast.Node) int {
	if n == nil || n.GetToken() == nil {
		return 1
	}
	return n.GetToken().Position.Line
}
