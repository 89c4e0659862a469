// Package project reads an author's description of a Tiny Tapeout tile: the info.yaml of the repository, with the top
// module, sources, pins and clock, and bench-tile.yaml beside it, for facts that info.yaml cannot express.
//
// info.yaml, in versions 1 to 6, is written for other programs, so unknown keys are ignored. bench-tile.yaml is written
// for the bench, so an unknown key is an error. Nothing is simulated here: see package gates.
package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/transport"
)

// A Project is a tile as described by its author.
type Project struct {
	Dir      string // folder
	Info     string // path of info.yaml
	TileFile string // path of bench-tile.yaml; "" without one

	Title          string
	Author         string
	Top            string // the top module, and the design's name on the shuttles
	Sources        []Source
	Netlist        string            // fabricated netlist, if the project was opened from it; Sources is then empty
	Analog         int               // number of analog lines, whose levels are unknown here
	ClockHz        int               // requested by the author; 0 if none
	Pins           map[string]string // the author's names of lines, by their names in transport.Lines
	Lines          map[string]int    // line numbers in info.yaml, by key; "clock" only if it is invalid
	UnknownEntries []Finding         // unknown entries of info.yaml: keys, pins, and its version
	Idle           uint8             // idle levels of ui
	Outputs        *uint8            // lines of uio that the chip may drive, for a tile without gates; nil if unknown
	Reset          Reset
	VectorDir      string            // folder of its vectors; "" without any
	Defines        []string          // macros of the sources, NAME or NAME=VALUE
	IncludeDirs    []string          // folders of include files
	Commits        map[string]string // commits that the index lacks, by shuttle
	DataDir        string            // working folder of the simulator, for sources that read files; "" for any
}

// A Source is a file of the design and the line of info.yaml that names it.
type Source struct {
	Path string
	Line int
}

// A Reset describes how to reset a tile.
type Reset struct {
	High   bool  // rst_n is active high
	Clocks uint8 // duration
}

// defaultReset is ten clocks, as in Tiny Tapeout's test template, since some designs have a synchroniser.
const defaultReset = 10

// The names of the two files.
const (
	InfoName = "info.yaml"
	OwnName  = "bench-tile.yaml"
)

// levels is the maximum number of folders above a file that FromSources searches.
const levels = 3

// FromSources opens the project in the first file's folder or the nearest one above it or, without files, in the folder
// dir. It returns nil if there is none.
func FromSources(dir string, files []string) *Project {
	dirs := []string{filepath.Clean(dir)}
	if len(files) > 0 {
		dirs[0] = filepath.Dir(files[0])
		for len(dirs) < levels {
			dirs = append(dirs, filepath.Join(dirs[len(dirs)-1], ".."))
		}
	}
	for _, dir := range dirs {
		if p, err := Open(dir); err == nil && p.Top != "" {
			return p
		}
	}
	return nil
}

// DescribeFolder names the project's folder in a sentence, for a user whose working directory is workDir.
func (p *Project) DescribeFolder(workDir string) string {
	if p.Dir == filepath.Clean(workDir) {
		return "this folder"
	}
	return p.Dir
}

// Open reads a project, given its folder, info.yaml, bench-tile.yaml or netlist. The error says where input is bad.
func Open(path string) (*Project, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, failure.Usagef("%s: no such file or folder: give the folder of a Tiny Tapeout project, which has "+
			"an %s", path, InfoName)
	case err != nil:
		return nil, failure.Usage(err)
	}
	p := newProject(path)
	switch base := filepath.Base(path); {
	case info.IsDir():
		p.Info = filepath.Join(path, InfoName)
		p.Netlist = fabricated(path)
		if own := filepath.Join(path, OwnName); exists(own) {
			p.TileFile = own
		}
	case strings.HasSuffix(base, ".v"):
		p.Dir, p.Info, p.Netlist = filepath.Dir(path), filepath.Join(filepath.Dir(path), InfoName), path
		if own := filepath.Join(p.Dir, OwnName); exists(own) {
			p.TileFile = own
		}
	case base == InfoName:
		p.Dir, p.Info = filepath.Dir(path), path
	case strings.HasSuffix(base, ".yaml"), strings.HasSuffix(base, ".yml"):
		p.Dir, p.TileFile = filepath.Dir(path), path
		p.Info = filepath.Join(p.Dir, InfoName)
	default:
		return nil, failure.Usagef("%s is no project: give a folder with an %s, a YAML file such as %s, or a netlist "+
			"NAME.v", path, InfoName, OwnName)
	}
	return p, p.read()
}

func newProject(dir string) *Project {
	return &Project{Dir: dir, Reset: Reset{Clocks: defaultReset}, Pins: map[string]string{}, Lines: map[string]int{}}
}

// OpenFabricated returns the project of a netlist NAME/NAME.v from the text of its info.yaml, without reading files.
func OpenFabricated(name string, info []byte) (*Project, error) {
	p := newProject(name)
	p.Info, p.Netlist = path.Join(name, InfoName), path.Join(name, name+".v")
	return p, p.parseInfo(info)
}

// fabricated returns the netlist NAME/NAME.v if dir is the folder NAME of a project in a shuttle's repository, which
// has no src. It returns "" for any other folder.
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

// read reads both files; bench-tile.yaml may name another info.yaml.
func (p *Project) read() error {
	if p.TileFile != "" {
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
	return p.readDefines()
}

// Paths returns the paths of the sources.
func (p *Project) Paths() (all []string) {
	for _, s := range p.Sources {
		all = append(all, s.Path)
	}
	return all
}

// Names returns the author's names of the eight lines of ui, uo or uio. A line without one keeps its own name.
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

// ResetStep returns the step that resets the tile.
func (p *Project) ResetStep() transport.Step {
	return transport.Step{In: p.Idle, Reset: !p.Reset.High, Clocks: p.Reset.Clocks}
}

// ShortNames returns short names of the eight lines of ui, uo or uio for a table: the author's names up to a bracket or
// comma, with _ for spaces, made unique by the line's number.
func (p *Project) ShortNames(group string) []string {
	names := p.Names(group)
	count := map[string]int{}
	for i, name := range names {
		name, _, _ = strings.Cut(name, "(")
		name, _, _ = strings.Cut(name, ",")
		if names[i] = strings.Join(strings.Fields(name), "_"); names[i] == "" || len(names[i]) > maxShortName {
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

// maxShortName is the maximum length of a word in a table, in bytes.
const maxShortName = 20

// SourceFolders returns the sources' folders, which usually contain their include files.
func (p *Project) SourceFolders() (all []string) {
	for _, s := range p.Sources {
		if dir := filepath.Dir(s.Path); !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	return all
}

// ErrNoHistory means that the commit of a project's sources is unknown: they are in no Git repository, git is not
// installed, or the repository lacks the commit.
var ErrNoHistory = errors.New("the commit of these sources is unknown")
