package scripts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A call is a row of a walk in docs/architecture.md: a function in a folder, with its depth.
type call struct {
	folder, name string // NAME or TYPE.METHOD
	depth        int
}

var row = regexp.MustCompile(`^([a-z][a-z/]*) ( *)([A-Za-z]+(?:\.[A-Za-z]+)?)(  |$)`)

// walksOf reads the walks of docs/architecture.md.
func walksOf(t *testing.T) (walks [][]call) {
	text, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text2, _ := strings.Cut(string(text), "\n## Walks\n")
	text2, _, _ = strings.Cut(text2, "\n## ")
	for i, block := range strings.Split(text2, "```\n") {
		if i%2 == 0 {
			continue
		}
		var walk []call
		for line := range strings.Lines(block) {
			m := row.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if m == nil {
				t.Fatalf("%q is no row of a walk", line)
			}
			walk = append(walk, call{m[1], m[3], len(m[1]) + len(m[2])})
		}
		walks = append(walks, walk)
	}
	return walks
}

// bodyOf returns the declaration of a row's function, or nil. It skips test files.
func bodyOf(t *testing.T, c call) *ast.FuncDecl {
	paths, _ := filepath.Glob(filepath.Join("..", c.folder, "*.go"))
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, is := d.(*ast.FuncDecl); is && nameOf(f) == c.name {
				return f
			}
		}
	}
	return nil
}

func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	if pointer, is := of.(*ast.StarExpr); is {
		of = pointer.X
	}
	if id, is := of.(*ast.Ident); is {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// names reports whether a function's declaration contains the name of a row's function.
func names(f *ast.FuncDecl, c call) (found bool) {
	name := c.name[strings.LastIndex(c.name, ".")+1:]
	ast.Inspect(f, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		found = found || is && id.Name == name && id != f.Name
		return !found
	})
	return found
}

// Each function of a walk exists, and is called by an earlier one of the walk.
func TestWalks(t *testing.T) {
	walks := walksOf(t)
	if len(walks) != 4 {
		t.Fatalf("%d walks", len(walks))
	}
	for _, walk := range walks {
		var before []*ast.FuncDecl
		for i, c := range walk {
			f := bodyOf(t, c)
			if f == nil {
				t.Errorf("%s has no function %s", c.folder, c.name)
				continue
			}
			callers := before
			if i > 0 && c.depth > walk[i-1].depth && len(before) > 0 {
				callers = before[len(before)-1:] // an indented function is called by the one above it
			}
			if i > 0 && !slices.ContainsFunc(callers, func(b *ast.FuncDecl) bool { return names(b, c) }) {
				t.Errorf("nothing above it calls %s of %s", c.name, c.folder)
			}
			before = append(before, f)
		}
	}
}
