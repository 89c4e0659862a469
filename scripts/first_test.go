package scripts

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// boardPackages lists the packages that make assumptions about boards.
var boardPackages = []string{"boards", "transport/rp2040", "transport/rp2040/demoboard", "transport/gpio"}

// software lists patterns for the names of constants that are not assumptions about a board: constants of the bench's
// own program and frames, of its messages, and of drawings.
var software = []string{
	// drawings, searches, lists
	"line", "pmod", "buses", "keys", "usual", "Pinless",
	"designFields", "shuttleFields",
	// the step program: its tables, codes, frames and pieces
	"wordClk", "wordFields", "wordHigh", "wordI*", "wordL[aio]*", "wordOE", "wordR*", "wordSettle", "wordShapes",
	"wordUI?", "wordsAll", "kind*", "magic", "headerSize", "helloBytes", "helloFixed",
	"maxCode", "maxPayload", "maxRun", "longRun", "shapeSlots", "define", "worth*", "recent", "maxRented", "anyStep",
	"minPeriods", "signHead", "bare", "loaded", "asked", "decorator",
	"ready", "lostBytes",
	"queue", "keptMost", "maxOperations", "find*", "found*", "move[DLRS]*",
	"limit", "frame", "settles", "every", "farChannels", "nearChannels", "shiftedLeft", "shiftedRight", "stop",
	// the guard of a Pi's lines, and the name of the bench there
	"guardWord", "relieve*", "consumer",
}

// literal reports whether an expression is a composite literal, such as a table.
func literal(e ast.Expr) bool {
	_, is := e.(*ast.CompositeLit)
	return is
}

// constants returns the names of the constants and tables of boardPackages, and the keys of the board files.
func constants(t *testing.T) (names []string) {
	t.Helper()
	for _, dir := range boardPackages {
		files, err := filepath.Glob("../" + dir + "/*.go")
		if err != nil || files == nil {
			t.Fatal(dir, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				g, is := n.(*ast.GenDecl)
				if !is || g.Tok != token.CONST && g.Tok != token.VAR {
					return true
				}
				for _, s := range g.Specs {
					spec := s.(*ast.ValueSpec)
					for i, id := range spec.Names {
						if g.Tok == token.CONST || i < len(spec.Values) && literal(spec.Values[i]) {
							names = append(names, id.Name)
						}
					}
				}
				return true
			})
		}
	}
	boards, err := filepath.Glob("../boards/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range boards {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte("\ntransport: rp2040")) && !bytes.Contains(text, []byte("\ntransport: gpio")) {
			continue
		}
		for _, m := range regexp.MustCompile(`(?m)^ *([a-z_]+):`).FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// assumptions returns the rows of the table in docs/first-board.md, each with its four cells.
func assumptions(t *testing.T) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("../docs/first-board.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| assumed |")
	if !found {
		t.Fatal("docs/first-board.md has no table of assumptions")
	}
	for _, line := range strings.Split(table, "\n")[2:] {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 4 {
			break
		}
		rows = append(rows, cells)
	}
	return rows
}

// Each constant of boardPackages is named either in the table of assumptions or in software, not in both. Each name in
// either is the name of a constant.
func TestAssumptionsAreComplete(t *testing.T) {
	all := constants(t)
	covered := func(patterns []string, name string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool {
			is, err := path.Match(p, name)
			return is && err == nil
		})
	}
	var named []string
	for _, row := range assumptions(t) {
		named = append(named, strings.Fields(strings.ReplaceAll(row[3], "`", ""))...)
	}
	for _, name := range all {
		if covered(named, name) == covered(software, name) {
			t.Errorf("%s: one of the table of docs/first-board.md and of software has to name it", name)
		}
	}
	for _, p := range slices.Concat(named, software) {
		if !slices.ContainsFunc(all, func(name string) bool { return covered([]string{p}, name) }) {
			t.Errorf("%s is no constant", p)
		}
	}
}
