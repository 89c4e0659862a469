package testkit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

// Constants maps the names of the constants of one type in a Go file to their literals, or to "" for a constant that
// continues a list. The type "" selects untyped constants.
func Constants(t testing.TB, path, typed string) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			continue
		}
		of := ""
		for _, s := range decl.Specs {
			spec := s.(*ast.ValueSpec)
			if name, ok := spec.Type.(*ast.Ident); ok {
				of = name.Name
			} else if spec.Values != nil {
				of = ""
			}
			if of == typed {
				all[spec.Names[0].Name] = literal(spec)
			}
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s: no constants of the type %q", path, typed)
	}
	return all
}

func literal(spec *ast.ValueSpec) string {
	if len(spec.Values) == 0 {
		return ""
	}
	lit, ok := spec.Values[0].(*ast.BasicLit)
	if !ok {
		return ""
	}
	if text, err := strconv.Unquote(lit.Value); err == nil {
		return text
	}
	return lit.Value
}
