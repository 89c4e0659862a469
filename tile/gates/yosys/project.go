package yosys

import (
	"cmp"
	"context"
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
		return nil, withMacros(err, p, rtl.Defines)
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

// withMacros adds to a rejection the macros of the author's test that the sources test.
func withMacros(err error, p *project.Project, defined []string) error {
	macros, readErr := p.TestMacros(defined)
	if readErr != nil || len(macros) == 0 || failure.KindOf(err) != failure.User {
		return err
	}
	return failure.Usagef("%w; %s", err, macros[0])
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
	own, err := p.FlowDefines()
	d := Design{Top: p.Top, Sources: p.Reference, Home: p.Dir, Data: p.Data,
		Defines:  slices.Concat(own, p.Defines, defines),
		Includes: append(append(p.SourceFolders(), p.Include...), includes...)}
	if d.Sources == nil {
		d.Sources = p.Paths()
	}
	return d, err
}
