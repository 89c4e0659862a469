package yosys

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/tile/gates"
	"utfbench/tile/project"
)

// Open returns the tile of a project with the gates synthesised by Yosys. defines and includes extend the project's
// own.
func Open(ctx context.Context, p *project.Project, defines, includes []string) (*gates.Tile, error) {
	rtl, err := designOf(p, defines, includes)
	if err != nil {
		return nil, err
	}
	made, err := Elaborate(ctx, rtl)
	if failure.KindOf(err) == failure.User && strings.Contains(err.Error(), "Module `"+p.Top+"' not found") {
		return nil, noTop(p, rtl.Sources)
	}
	if err != nil {
		return nil, err
	}
	d, err := gates.Compile(made.Circuit)
	if err != nil {
		return nil, failure.Usagef("%s: %w", p.Info, err)
	}
	if err := d.Judgeable(p.Info); err != nil {
		return nil, cmp.Or(besideStub(p), err)
	}
	t := gates.New(p, d, made.Digest)
	t.RTL = &gates.RTL{Yosys: made.Version, Read: made.Read,
		Unlisted: slices.DeleteFunc(slices.Clone(made.Read), func(f string) bool {
			return slices.Contains(rtl.Sources, f)
		}),
		Copy: func(ctx context.Context, name string) (string, error) { return Copy(ctx, rtl, name) }}
	return t, nil
}

// besideStub returns an error if sources of a project without gates have VHDL beside them: shuttles without VHDL need
// an empty Verilog module in its place.
func besideStub(p *project.Project) error {
	for _, dir := range p.SourceFolders() {
		all, _ := os.ReadDir(dir)
		for _, file := range all {
			if isVHDL(file.Name()) {
				return errVHDL(filepath.Join(dir, file.Name()))
			}
		}
	}
	return nil
}

// noTop says that none of the sources has the top module.
func noTop(p *project.Project, sources []string) error {
	var names []string
	for _, path := range sources {
		text, err := files.Verilog.Read(path)
		if err != nil {
			return err
		}
		names = append(names, project.Modules(string(text))...)
	}
	meant := failure.Nearest(p.Top, names)
	if i := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, "tt_um_") }); meant == "" && i >= 0 {
		meant = names[i]
	}
	if meant != "" {
		meant = " (did you mean " + meant + "?)"
	}
	return failure.Usagef("%s:%d: top_module %s is in none of %s%s", p.Info, p.Line("top_module"), p.Top,
		strings.Join(sources, ", "), meant)
}

// designOf returns the RTL that a project is compared with.
func designOf(p *project.Project, defines, includes []string) (Design, error) {
	own, err := flowDefines(filepath.Join(p.Dir, "src", "config.json"))
	d := Design{Top: p.Top, Sources: p.Reference, Home: p.Dir, Data: p.Data,
		Defines:  slices.Concat(own, p.Defines, defines),
		Includes: append(append(p.SourceFolders(), p.Include...), includes...)}
	if d.Sources == nil {
		d.Sources = p.Paths()
	}
	return d, err
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
