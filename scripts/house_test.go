package scripts

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// storeys lists the groups of packages from top to bottom. A package imports only from its own group and lower ones.
// Groups on one line do not import each other. docs/architecture.md shows the groups.
var storeys = [][]string{
	{"cmd"},
	{"lab", "web"},
	{"station", "sweep"},
	{"runs"},
	{"cause"},
	{"driver"},
	{"tile"},
	{"fault", "golden", "model"},
	{"boards"},
	{"transport"},
	{"internal"},
}

// joins lists the allowed imports from the same or a higher line, with the reasons.
var joins = []struct{ pkg, to string }{
	{"model", "fault"},                       // its chip is behind wires
	{"transport/mock", "fault"},              // its chip is behind wires, too
	{"transport/mock", "tile"},               // the mock is a reference of a tile
	{"transport/rp2040/demoboard", "boards"}, // numbers of the designs on the shuttle
	{"transport/rp2040/boardtest", "boards"}, // designs on a simulated board
	{"transport/rp2040/boardtest", "model"},  // its chip
	{"transport/rp2040/boardtest", "fault"},  // its factory test
	{"transport/rp2040/boardtest", "tile"},   //
	{"internal/testkit", "fault"},            // shared test helpers
	{"internal/testkit", "golden"},           //
	{"internal/testkit", "model"},            //
	{"internal/testkit", "tile"},             //
	{"internal/testkit", "transport"},        //
}

// No package imports from a higher group, except as listed in joins.
func TestStoreys(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}{{range .Imports}} {{.}}{{end}}",
		"utfbench/...").Output()
	if err != nil {
		t.Skip("needs the go command: ", err)
	}
	met := map[int]bool{}
	for line := range strings.Lines(string(out)) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		at := storey(pkg)
		if at < 0 {
			if !strings.HasPrefix(pkg, "utfbench/scripts") {
				t.Errorf("%s stands in no group", pkg)
			}
			continue
		}
		for _, to := range strings.Fields(imports) {
			below := storey(to)
			if below < 0 || below > at || group(to) == group(pkg) {
				continue
			}
			join := slices.IndexFunc(joins, func(j struct{ pkg, to string }) bool {
				return pkg == "utfbench/"+j.pkg && strings.HasPrefix(to, "utfbench/"+j.to)
			})
			if join < 0 {
				t.Errorf("%s imports %s, which is not below it", pkg, to)
			}
			met[join] = true
		}
	}
	for i, j := range joins {
		if !met[i] {
			t.Errorf("%s imports %s no more: take it out of the list", j.pkg, j.to)
		}
	}
}

// storey returns the index of a package's group, or -1 for other modules.
func storey(pkg string) int {
	return slices.IndexFunc(storeys, func(groups []string) bool { return slices.Contains(groups, group(pkg)) })
}

// group returns the first folder in the path of a package of this module.
func group(pkg string) string {
	path, _ := strings.CutPrefix(pkg, "utfbench/")
	g, _, _ := strings.Cut(path, "/")
	return g
}

// kindNames lists the kinds of transport.
var kindNames = []string{"mock", "rp2040", "gpio", "verilog", "netlist", "replay"}

// No code compares a value with the name of a kind of transport, since a kind is a value with fields and methods.
// Package report defines the names for files.
func TestKindsAreValues(t *testing.T) {
	looked := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") ||
			strings.HasPrefix(name, "transport/") {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		looked++
		ast.Inspect(f, func(n ast.Node) bool {
			for _, of := range compared(n) {
				if l, is := of.(*ast.BasicLit); is && slices.Contains(kindNames, strings.Trim(l.Value, `"`)) {
					t.Errorf("%s compares with the kind %s: ask its value", fset.Position(l.Pos()), l.Value)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || looked < 200 {
		t.Errorf("%d files were looked at: %v", looked, err)
	}
}

func compared(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			return []ast.Expr{n.X, n.Y}
		}
	case *ast.CaseClause:
		return n.List
	}
	return nil
}

// Comments of the program's functions and types begin with their names, perhaps after an article.
func TestCommentsBeginWithNames(t *testing.T) {
	begins := func(path, name string, doc *ast.CommentGroup) {
		words := regexp.MustCompile(`\w+`).FindAllString(doc.Text(), 2)
		if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) {
			words = words[1:]
		}
		if len(words) > 0 && words[0] != name {
			t.Errorf("%s: the comment of %s begins with %q", path, name, words[0])
		}
	}
	for _, path := range tracked(t) {
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", path), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, is := d.(*ast.FuncDecl); is {
				begins(path, f.Name.Name, f.Doc)
			} else if g := d.(*ast.GenDecl); g.Tok == token.TYPE && !g.Lparen.IsValid() {
				begins(path, g.Specs[0].(*ast.TypeSpec).Name.Name, g.Doc)
			}
		}
	}
}

// ofProcess matches uses of state that all commands of a process share.
var ofProcess = regexp.MustCompile(`\bos\.(Args|Std(in|out|err)|Getenv|LookupEnv|Environ|Setenv)\b|` +
	`\bos\.(Getwd|Chdir|User\w+Dir)\b|\bfiles\.ProcessEnv\b`)

// processUsers maps the files outside cmd that use such state to the reasons.
var processUsers = map[string]string{
	"internal/files/env.go":         "makes the Env that main hands down",
	"internal/files/cache.go":       "all commands share their caches",
	"tile/gates/yosys/run.go":       "where Yosys is installed",
	"runs/shim/test.go":             "the environment of the user's test",
	"transport/gpio/guard_linux.go": "the guard is a process of its own",
}

// main hands down the environment, standard streams and working directory, so that commands can run side by side.
func TestProcessIsHandedDown(t *testing.T) {
	used := map[string]bool{}
	for _, path := range tracked(t) {
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || below(path, forTests) ||
			below(path, []string{"cmd", "lab", "scripts"}) {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", path))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		if found := ofProcess.Find(text); found != nil && processUsers[path] == "" {
			t.Errorf("%s uses %s: take a files.Env", path, found)
		} else if found != nil {
			used[path] = true
		}
	}
	for path := range processUsers {
		if !used[path] {
			t.Errorf("%s needs nothing of its process any more: take it out of the list", path)
		}
	}
}
