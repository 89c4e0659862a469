// Package project reads what the author of a Tiny Tapeout tile says of it: the info.yaml of the repository, which has
// the top module, the sources, the pins and the clock, and bench-tile.yaml beside it, which may say what info.yaml
// cannot.
//
// info.yaml is written for others: what the bench has no use for is ignored, in all its versions (1 to 6).
// bench-tile.yaml is written for the bench, so a key that it does not know is an error. Nothing is simulated here: see
// package gates.
package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/transport"
)

// A Project is a tile as its author describes it.
type Project struct {
	Dir  string // its folder
	Info string // the path of its info.yaml
	Own  string // the path of its bench-tile.yaml; "" if it has none

	Title     string
	Author    string
	Top       string // the top module, which is also the design's name on the shuttles
	Sources   []Source
	Netlist   string            // the netlist that was fabricated, if the project is given by it, without Sources
	Reference []string          // the files that it is compared with, if a user says others than Sources
	Analog    int               // lines that are analog; what they show nobody here knows
	ClockHz   int               // that the author asks for; 0 if none
	Pins      map[string]string // what the author calls a line, by its name in transport.Lines; none if nothing is said
	Lines     map[string]int    // the lines of info.yaml that say so; "clock" if that is no frequency
	Idle      uint8             // levels of ui at which nothing is asked
	Outputs   *uint8            // lines of uio that the chip may drive; nil if a simulation has to tell
	Reset     Reset             // how the tile is reset
	Vectors   string            // the folder of its vectors; "" if it has none
	Defines   []string          // macros of the sources
	Include   []string          // folders of include files
	Commits   map[string]string // what a shuttle carries, if it is no commit that the index knows: by shuttle
	Data      string            // the folder that the simulator works in, for sources that read files; "" is anywhere
}

// A Source is a file of the design, and the line of info.yaml that names it.
type Source struct {
	Path string
	Line int
}

// A Reset is how a tile is reset.
type Reset struct {
	High   bool  // rst_n high resets it, and not low
	Clocks uint8 // that it is held for
}

// defaultReset is ten clocks, as in Tiny Tapeout's test template, since some designs have a synchroniser.
const defaultReset = 10

// Names of the two files.
const (
	InfoName = "info.yaml"
	OwnName  = "bench-tile.yaml"
)

// Open reads a project: its folder, its info.yaml, its bench-tile.yaml, or the netlist that was fabricated. The error
// is bad input, and says where.
func Open(path string) (*Project, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, failure.Usagef("%s: no such file or folder: give the folder of a Tiny Tapeout project, which has "+
			"an %s", path, InfoName)
	case err != nil:
		return nil, failure.Usage(err)
	}
	p := &Project{Dir: path, Reset: Reset{Clocks: defaultReset}, Pins: map[string]string{}, Lines: map[string]int{}}
	switch base := filepath.Base(path); {
	case info.IsDir():
		p.Info = filepath.Join(path, InfoName)
		p.Netlist = fabricated(path)
		if own := filepath.Join(path, OwnName); exists(own) {
			p.Own = own
		}
	case strings.HasSuffix(base, ".v"):
		p.Dir, p.Info, p.Netlist = filepath.Dir(path), filepath.Join(filepath.Dir(path), InfoName), path
		if own := filepath.Join(p.Dir, OwnName); exists(own) {
			p.Own = own
		}
	case base == InfoName:
		p.Dir, p.Info = filepath.Dir(path), path
	case strings.HasSuffix(base, ".yaml"), strings.HasSuffix(base, ".yml"):
		p.Dir, p.Own = filepath.Dir(path), path
		p.Info = filepath.Join(p.Dir, InfoName)
	default:
		return nil, failure.Usagef("%s is no project: give a folder with an %s, a YAML file such as %s, or a netlist "+
			"NAME.v", path, InfoName, OwnName)
	}
	return p, p.read()
}

// fabricated returns the netlist in a folder of a shuttle's repository, which has NAME/NAME.v and no src; "" in any
// other.
func fabricated(dir string) string {
	if exists(filepath.Join(dir, "src")) {
		return ""
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	if path := filepath.Join(dir, filepath.Base(whole)+".v"); exists(path) {
		return path
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// read reads both files; bench-tile.yaml may say where info.yaml is.
func (p *Project) read() error {
	if p.Own != "" {
		if err := p.readOwn(); err != nil {
			return err
		}
	}
	if p.Netlist != "" && !exists(p.Info) {
		p.Info = ""
		return files.Verilog.Check(p.Netlist)
	}
	if !exists(p.Info) {
		return failure.Usagef("%s has no %s: give the folder of a Tiny Tapeout project", p.Dir, InfoName)
	}
	if err := p.readInfo(); err != nil {
		return err
	}
	if p.Netlist != "" {
		return files.Verilog.Check(p.Netlist)
	}
	for _, s := range p.Sources {
		if err := files.Verilog.Check(s.Path); err != nil {
			return failure.Usagef("%s:%d: %w", p.Info, s.Line, err)
		}
	}
	return nil
}

// Paths returns the paths of the sources.
func (p *Project) Paths() (all []string) {
	for _, s := range p.Sources {
		all = append(all, s.Path)
	}
	return all
}

// Names returns the author's names of eight lines, of ui, uo or uio, or the lines' own.
func (p *Project) Names(group string) []string {
	names := make([]string, 8)
	for i := range names {
		line := fmt.Sprintf("%s%d", group, i)
		if names[i] = p.Pins[line]; names[i] == "" {
			names[i] = line
		}
	}
	return names
}

// ResetStep resets the tile.
func (p *Project) ResetStep() transport.Step {
	return transport.Step{In: p.Idle, Reset: !p.Reset.High, Clocks: p.Reset.Clocks}
}

// Short returns short names of eight lines, of ui, uo or uio, for a table: the author's, up to a bracket, without
// spaces, made unique with the line's number.
func (p *Project) Short(group string) []string {
	names := p.Names(group)
	count := map[string]int{}
	for i, name := range names {
		name, _, _ = strings.Cut(name, "(")
		name, _, _ = strings.Cut(name, ",")
		if names[i] = strings.Join(strings.Fields(name), "_"); names[i] == "" || len(names[i]) > longestShort {
			names[i] = fmt.Sprintf("%s%d", group, i)
		}
		count[names[i]]++
	}
	for i, name := range names {
		if count[name] > 1 {
			names[i] = fmt.Sprintf("%s_%d", name, i)
		}
	}
	return names
}

// longestShort is how long a word in a table may be, in bytes.
const longestShort = 20

// SourceFolders returns the sources' folders, which usually have their include files.
func (p *Project) SourceFolders() (all []string) {
	for _, s := range p.Sources {
		if dir := filepath.Dir(s.Path); !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	return all
}
