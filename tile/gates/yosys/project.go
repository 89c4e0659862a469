package yosys

import (
	"context"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/tile/gates"
	"utfbench/tile/project"
)

// Open returns the tile of a project with the gates synthesised by Yosys. defines are added to the project's own.
func Open(ctx context.Context, p *project.Project, defines []string) (*gates.Tile, error) {
	rtl := designOf(p, defines)
	made, err := Elaborate(ctx, rtl)
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
	t.RTL = &gates.RTL{Yosys: made.Version, FilesRead: made.FilesRead, Undriven: made.Undriven,
		UnlistedFiles: slices.DeleteFunc(slices.Clone(made.FilesRead), func(f string) bool {
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

func tileOf(p *project.Project, made *Elaboration) (*gates.Tile, error) {
	d, err := gates.Compile(made.Circuit)
	if err != nil {
		return nil, failure.Usagef("%s: %w", p.Info, err)
	}
	for _, part := range made.Circuit.Parts {
		if _, kit := gates.FindCell(part.Type); kit || strings.HasPrefix(part.Type, "$") || part.Type == "" {
			continue
		}
		i := slices.IndexFunc(d.Macros, func(c gates.CellCount) bool { return c.Type == part.Type })
		if i < 0 {
			i, d.Macros = len(d.Macros), append(d.Macros, gates.CellCount{Type: part.Type})
		}
		d.Macros[i].Cells++
	}
	return gates.New(p, d, made.Digest), nil
}

func noTop(p *project.Project, sources []string) error {
	names := modulesIn(sources)
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

func designOf(p *project.Project, defines []string) Design {
	return Design{Top: p.Top, Sources: p.Paths(), ProjectDir: p.Dir, DataDir: p.DataDir,
		Defines:  slices.Concat(p.Defines, defines),
		Includes: append(p.SourceFolders(), p.IncludeDirs...)}
}
