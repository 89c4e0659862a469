package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// Each command x has a file of its name, with a function newX that returns a *cobra.Command, and perhaps its
// subcommands. Other files use no other declaration of that file: shared code is in files without a command.
func TestACommandIsAFile(t *testing.T) {
	fset := token.NewFileSet()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	lenient := types.Config{Importer: nothing{}, Error: func(error) {}} // other packages are not loaded
	lenient.Check("main", fset, files, info)
	file := func(at token.Pos) string { return fset.Position(at).Filename }

	makers, made := map[string]string{}, map[types.Object]bool{} // by file; the functions in it
	for ident, obj := range info.Defs {
		f, ok := obj.(*types.Func)
		if !ok || !strings.HasPrefix(f.Name(), "new") || f.Name() == "newRoot" || !makesCommand(files, ident) {
			continue
		}
		at := file(ident.Pos())
		if own := "new" + strings.ReplaceAll(strings.TrimSuffix(at, ".go"), "_", ""); !strings.HasPrefix(
			strings.ToLower(f.Name()), own) {
			t.Errorf("%s has the command of %s: give it a file of its name", at, f.Name())
		}
		makers[at], made[obj] = f.Name(), true
	}
	if len(makers) < 20 {
		t.Fatalf("only %d commands were found", len(makers))
	}
	for ident, obj := range info.Uses {
		if obj.Pkg() == nil || obj.Pkg().Path() != "main" || made[obj] {
			continue
		}
		if from, to := file(ident.Pos()), file(obj.Pos()); from != to && makers[to] != "" {
			t.Errorf("%s: %s stands in %s, which is the command of %s: put it into a file that is no command",
				fset.Position(ident.Pos()), ident.Name, to, makers[to])
		}
	}
}

func makesCommand(files []*ast.File, name *ast.Ident) bool {
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name != name || fn.Type.Results == nil {
				continue
			}
			star, ok := fn.Type.Results.List[0].Type.(*ast.StarExpr)
			if !ok {
				return false
			}
			sel, ok := star.X.(*ast.SelectorExpr)
			return ok && sel.Sel.Name == "Command"
		}
	}
	return false
}

// nothing is a types.Importer that returns empty packages.
type nothing struct{}

func (nothing) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
	p.MarkComplete()
	return p, nil
}
