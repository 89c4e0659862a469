package yosys

import (
	"context"
	"errors"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/tile/gates"
	"utfbench/tile/project"
)

// Open returns the tile of a project with the gates synthesised by Yosys. defines and includes extend the project's
// own.
func Open(ctx context.Context, p *project.Project, defines []string) (*gates.Tile, error) {
	rtl := designOf(p, defines)
	made, err := elaborate(ctx, p, rtl)
	if failure.KindOf(err) == failure.User && strings.Contains(err.Error(), "Module `"+p.Top+"' not found") {
		return nil, noTop(p, rtl.Sources)
	}
	if err != nil {
		return nil, err
	}
	t, err := tileOf(p, made)
	if err != nil {
		return nil, err
	}
	if err := t.Design.CheckJudgeable(p.Info); err != nil {
		return nil, err
	}
	t.RTL = &gates.RTL{Yosys: made.Version, FilesRead: made.Read, Undriven: made.Undriven,
		UnlistedFiles: slices.DeleteFunc(slices.Clone(made.Read), func(f string) bool {
			return slices.Contains(rtl.Sources, f)
		}),
		Copy: func(ctx context.Context, name string) (string, error) { return Copy(ctx, rtl, name) },
		Mutate: func(ctx context.Context, n int, seed uint64) (*gates.Design, []gates.Mutation, error) {
			c, all, err := Mutate(ctx, rtl, n, seed)
			if err != nil {
				return nil, nil, err
			}
			d, err := gates.Compile(c)
			return d, all, err
		}}
	return t, nil
}

func tileOf(p *project.Project, made *Elaborated) (*gates.Tile, error) {
	d, err := gates.Compile(made.Circuit)
	if err != nil {
		return nil, failure.Usagef("%s: %w", p.Info, err)
	}
	for _, part := range made.Circuit.Parts {
		if _, kit := gates.FindCell(part.Type); kit || strings.HasPrefix(part.Type, "$") || part.Type == "" {
			continue
		}
		i := slices.IndexFunc(d.Macros, func(c gates.Count) bool { return c.Type == part.Type })
		if i < 0 {
			i, d.Macros = len(d.Macros), append(d.Macros, gates.Count{Type: part.Type})
		}
		d.Macros[i].Cells++
	}
	return gates.New(p, d, made.Digest), nil
}

// elaborate elaborates the RTL of a project. A rejection names a macro that the author's test sets, which the sources
// may need.
func elaborate(ctx context.Context, p *project.Project, rtl Design) (*Elaborated, error) {
	made, err := Elaborate(ctx, rtl)
	if failure.KindOf(err) != failure.User {
		return made, err
	}
	err = twoDrivers(p, err)
	macros, readErr := p.TestMacros(rtl.Defines)
	if readErr != nil || len(macros) == 0 {
		return nil, err
	}
	i := slices.IndexFunc(macros, func(m project.TestMacro) bool { return m.Name() == undefined(err) })
	return nil, failure.Usagef("%w; %s", err, macros[max(0, i)].Used)
}

// twoDrivers names both drivers of a signal, of which Yosys names one.
func twoDrivers(p *project.Project, err error) error {
	if f := p.TwoDriversFinding(); f != nil && strings.Contains(err.Error(), inOnePlace) {
		return failure.Usage(errors.New(f.String()))
	}
	return err
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
	if slices.Contains(names, p.Top) {
		return failure.Usagef("%s:%d: Yosys finds no module %s in %s: a macro leaves it out, or the file begins with a "+
			"byte order mark", p.Info, p.Line("top_module"), p.Top, strings.Join(sources, ", "))
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
func designOf(p *project.Project, defines []string) Design {
	d := Design{Top: p.Top, Sources: p.Reference, Home: p.Dir, Data: p.Data,
		Defines:  slices.Concat(p.Defines, defines),
		Includes: append(p.SourceFolders(), p.Include...)}
	if d.Listed = "--against, after a comma"; d.Sources == nil {
		d.Sources, d.Listed = p.Paths(), ""
	}
	return d
}
