package scripts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// The program starts goroutines only through package failure, which forwards their panics, so that chips are parked.
// Tests and their helpers may start goroutines directly.
func TestGoroutines(t *testing.T) {
	files := token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !isProgram(path) {
			return err
		}
		f, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, is := n.(*ast.GoStmt); is {
				t.Errorf("%s: a go statement: use failure.Go", files.Position(s.Pos()))
			}
			if s, is := n.(*ast.SelectorExpr); is && isName(s.X, "sync") && s.Sel.Name == "WaitGroup" {
				t.Errorf("%s: a sync.WaitGroup: use failure.Group", files.Position(s.Pos()))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isProgram reports whether a Go file is part of the program, outside internal/failure.
func isProgram(path string) bool {
	folder := filepath.ToSlash(filepath.Dir(path))
	return strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") &&
		!below(strings.TrimPrefix(folder, "../"), forTests) && !strings.HasSuffix(folder, "internal/failure")
}

func isName(x ast.Expr, name string) bool {
	id, is := x.(*ast.Ident)
	return is && id.Name == name
}
