// Package boards holds the pin maps: which pin of a board carries which line of the chip. A board is one YAML file; the
// ones that the bench knows are embedded, and a user's own is given by its path. A board's wiring can be drawn as text,
// as SVG, and as labels for its header.
package boards

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/yamlfile"
)

//go:embed *.yaml
var embedded embed.FS

// A Board says how one kind of board is wired.
type Board struct {
	Name      string         // as in --board
	Title     string         // one line for people
	Transport string         // the kind of transport that it is for
	Revision  string         // of the chip that it usually carries; may be empty
	File      string         // where it was read
	Pins      map[string]Pin // by line, as in transport.Lines
	High      []Pin          // to be kept high meanwhile, such as an enable pin of the board's
	Mux       *Mux           // nil where the bench does not reach the shuttle's mux
	Taken     map[string]Pin // pins that something else of the board is at, by what it is
	Shuttles  []string       // whose chips fit the board; none means any
	Chips     []string       // labels of the GPIO chip that has the pins, for a transport that looks for it
	Header    string         // the kind of pin header to draw; may be empty
	PMODs     []string       // what is printed beside the PMOD headers of ui, uio and uo; may be empty
	Package   map[string]int // pins of the package of the chip on it, by line; nil if unknown, see With
}

// A Mux is the pins that select a design on a shuttle's chip.
type Mux struct {
	NRst, Inc, Ena Pin
	// Select is the board's own multiplexer: low puts the three on pins that are the project's uo while it is high. Its
	// name is empty where the board has none.
	Select Pin
}

// A Pin is a pin of the board as its transport names it: a number, "GPIO17", a line's name.
type Pin struct {
	Name string
	Line int // of the file
}

// Names lists the embedded boards.
func Names() []string {
	files, _ := fs.Glob(embedded, "*.yaml") // the pattern is well-formed
	for i, f := range files {
		files[i] = strings.TrimSuffix(f, ".yaml")
	}
	return files
}

// Open finds a board by the name of an embedded one, or by the path of a file, which has a '/' or ends in .yaml.
func Open(name string) (*Board, error) {
	if strings.ContainsRune(name, '/') || strings.HasSuffix(name, ".yaml") {
		text, err := files.BoardFile.Read(name)
		if err != nil {
			return nil, failure.Usagef("board file: %w", err)
		}
		return Parse(name, text)
	}
	file := name + ".yaml"
	text, err := embedded.ReadFile(file)
	if err != nil {
		return nil, failure.Usagef("unknown board %q%s: allowed are %s, or the path of a YAML file", name,
			failure.Hint(name, Names()), strings.Join(Names(), ", "))
	}
	return Parse("boards/"+file, text)
}

// Parse reads and checks a board; file is its name in messages. The error has file:line and one sentence.
func Parse(file string, text []byte) (*Board, error) {
	y, err := yamlfile.Parse(file, files.BoardFile.Name, 2, text)
	if err != nil {
		return nil, err
	}
	b := &board{yaml: y, Board: Board{File: file, Pins: map[string]Pin{}}, owner: map[string]string{}}
	if err := b.top(y.Body); err != nil {
		return nil, err
	}
	return &b.Board, nil
}

// board is a Board while it is read.
type board struct {
	Board
	yaml  *yamlfile.File
	owner map[string]string // pin to signal
}

func (b *board) errorf(n ast.Node, format string, args ...any) error {
	return b.yaml.Errorf(n, format, args...)
}
