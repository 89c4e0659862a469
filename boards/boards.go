// Package boards holds pin maps, which assign the chip's lines to pins of a board. A board is a YAML file, either
// embedded or given by its path. Its wiring can be drawn as text.
//
// Some boards carry a chip of a shuttle, a set of chips from one production run. Each chip contains all designs of the
// shuttle, and a mux selects one by number. The [Index] lists all designs (README.md describes its state).
package boards

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

//go:embed *.yaml
var embedded embed.FS

// A Board describes the wiring of one kind of board.
type Board struct {
	Name      string         // as in --board
	Title     string         // one line for users
	Transport string         // kind of its transport
	Revision  string         // revision of the chip that it usually carries; may be empty
	File      string         // source of this description
	Pins      map[string]Pin // by line, as in transport.Lines
	HighPins  []Pin          // pins to hold high, such as an enable pin of the board
	Mux       *Mux           // nil if the bench cannot access the shuttle's mux
	Shuttles  []string       // shuttles whose chips fit the board; none for any
	Chips     []string       // possible labels of the GPIO chip with the pins, for transports that need it
	Header    string         // kind of pin header to draw; may be empty
	PMODs     []string       // labels of the PMOD headers of ui, uio and uo; may be empty
}

// Pinless lists the kinds of transport without pins to probe: the mock, and simulations of a design.
var Pinless = []string{"mock", "verilog", "netlist"}

// HasPins reports whether the board has real pins to probe. A simulation's pins are only numbers.
func (b *Board) HasPins() bool { return !slices.Contains(Pinless, b.Transport) }

// A Mux holds the pins that select a design on a shuttle's chip.
type Mux struct {
	NRst, Inc, Ena Pin
	// Select controls the board's own multiplexer: while low, the other three pins reach the mux instead of the
	// project's uo. Its name is empty on boards without a multiplexer.
	Select Pin
}

// A Pin is a pin of the board in its transport's notation: a number, "GPIO17", or a line's name.
type Pin struct {
	Name string
	Line int // line number in the file
}

// Names returns the names of the embedded boards.
func Names() []string {
	files, _ := fs.Glob(embedded, "*.yaml") // cannot fail: the pattern is well-formed
	for i, f := range files {
		files[i] = strings.TrimSuffix(f, ".yaml")
	}
	return files
}

// All returns the embedded boards, in the order of Names.
func All() (all []*Board) {
	for _, name := range Names() {
		b, err := Open(name)
		if err != nil {
			panic(err) // a mistake in this program
		}
		all = append(all, b)
	}
	return all
}

// Open opens an embedded board by name, or a file by a path that contains '/' or ends in .yaml.
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
		near := failure.DidYouMean(name, Names())
		for _, b := range All() {
			if slices.Contains(b.Shuttles, strings.TrimPrefix(name, "tt-demo-")) {
				near = fmt.Sprintf(" (did you mean %s?)", b.Name)
			}
		}
		return nil, failure.Usagef("unknown board %q%s: allowed are %s, or the path of a YAML file", name, near,
			strings.Join(Names(), ", "))
	}
	return Parse("boards/"+file, text)
}

// Parse parses and checks a board file; file is its name in messages. An error is one sentence with file:line.
func Parse(file string, text []byte) (*Board, error) {
	y, err := files.ParseYAML(file, files.BoardFile.Name, 2, text)
	if err != nil {
		return nil, err
	}
	b := &board{yaml: y, Board: Board{File: file, Pins: map[string]Pin{}}, owner: map[string]owner{}}
	if err := b.top(y.Body); err != nil {
		return nil, err
	}
	return &b.Board, nil
}

// A board is a Board being parsed.
type board struct {
	Board
	yaml  *files.YAML
	owner map[string]owner // by pin
}

// An owner is the signal or other use to which a pin is assigned.
type owner struct {
	of   string
	line int
}

func (b *board) errorf(n ast.Node, format string, args ...any) error {
	return b.yaml.Errorf(n, format, args...)
}
