package printable

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"testing"
)

// All expressions that the module passes to LazyRegexp compile. An invalid one that no test uses would go unnoticed.
func TestExpressions(t *testing.T) {
	n := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == "testdata" || d.Name() == "node_modules":
			return fs.SkipDir
		case filepath.Ext(path) != ".go":
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			call, is := node.(*ast.CallExpr)
			if !is || types.ExprString(call.Fun) != "printable.LazyRegexp" {
				return true
			}
			n++
			expr, err := types.Eval(files, nil, token.NoPos, types.ExprString(call.Args[0]))
			if err != nil {
				t.Errorf("%s: %v", files.Position(call.Pos()), err)
			} else if _, err := regexp.Compile(constant.StringVal(expr.Value)); err != nil {
				t.Errorf("%s: %v", files.Position(call.Pos()), err)
			}
			return true
		})
		return nil
	})
	if err != nil || n < 2 {
		t.Fatal(n, " expressions: ", err)
	}
}

// An expression is compiled when it is first used.
func TestRegexp(t *testing.T) {
	bad, good := LazyRegexp("("), LazyRegexp("^a+$")
	if first := good(); !first.MatchString("aa") || good() != first {
		t.Error("a+ does not match aa, or is compiled twice")
	}
	defer func() {
		if recover() == nil {
			t.Error("( compiles")
		}
	}()
	bad()
}
