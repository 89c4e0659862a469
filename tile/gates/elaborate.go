package gates

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/project"
)

// Elaborate has Yosys make the gates of a project's RTL, and compiles them. Defines and includes are those that a user
// adds to the project's own.
func Elaborate(ctx context.Context, p *project.Project, defines, includes []string) (*Tile, error) {
	rtl, err := design(p, defines, includes)
	if err != nil {
		return nil, err
	}
	made, err := yosys.Elaborate(ctx, rtl)
	if err != nil {
		return nil, err
	}
	d, err := Compile(made.Circuit)
	if err != nil {
		return nil, failure.Usagef("%s: %w", p.Info, err)
	}
	t := New(p, d, made.Digest)
	t.Yosys, t.Files, t.rtl = made.Version, made.Read, rtl
	return t, nil
}

// design returns the RTL that a project is compared with.
func design(p *project.Project, defines, includes []string) (yosys.Design, error) {
	own, err := flowDefines(filepath.Join(p.Dir, "src", "config.json"))
	d := yosys.Design{Top: p.Top, Sources: p.Reference, Home: p.Dir, Data: p.Data,
		Defines:  slices.Concat(own, p.Defines, defines),
		Includes: append(append(p.SourceFolders(), p.Include...), includes...)}
	if d.Sources == nil {
		d.Sources = p.Paths()
	}
	return d, err
}

// Copy returns the RTL as the text of one module, which has a name of the caller's choice and stands for the tile in
// somebody's simulation. The error says why there is none.
func (t *Tile) Copy(ctx context.Context, name string) (text string, err error) {
	if t.Yosys == "" {
		return "", errors.New("the tile is given by its netlist")
	}
	return yosys.Copy(ctx, t.rtl, name)
}

// Unlisted returns the files that were read besides the sources that the project lists.
func (t *Tile) Unlisted() []string {
	listed := t.rtl.Sources
	return slices.DeleteFunc(slices.Clone(t.Files), func(f string) bool { return slices.Contains(listed, f) })
}

// flowDefines returns the macros with which the shuttle's flow synthesises a project, by its configuration. Those of
// the test's Makefile are for a simulation: many of them, such as SIM, replace gates by what only a simulator takes.
func flowDefines(path string) ([]string, error) {
	text, err := files.Project.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	var config struct {
		Defines json.RawMessage `json:"VERILOG_DEFINES"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return nil, failure.Usagef("%s: %w", path, err)
	}
	var list []string
	var words string
	switch {
	case config.Defines == nil, json.Unmarshal(config.Defines, &list) == nil:
		return list, nil
	case json.Unmarshal(config.Defines, &words) == nil: // as OpenLane 1 has it
		return strings.Fields(words), nil
	}
	return nil, failure.Usagef("%s: VERILOG_DEFINES has to be a list of NAME or NAME=VALUE", path)
}
