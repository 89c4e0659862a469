package gates

import (
	"context"

	"utfbench/internal/failure"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/project"
)

// Elaborate has Yosys make the gates of a project's RTL, and compiles them. Defines and includes are those that a user
// adds to the project's own.
func Elaborate(ctx context.Context, p *project.Project, defines, includes []string) (*Tile, error) {
	made, err := yosys.Elaborate(ctx, yosys.Design{Top: p.Top, Sources: p.Paths(), Home: p.Dir, Data: p.Data,
		Defines:  append(p.Defines[:len(p.Defines):len(p.Defines)], defines...),
		Includes: append(append(p.SourceFolders(), p.Include...), includes...)})
	if err != nil {
		return nil, err
	}
	d, err := Compile(made.Circuit)
	if err != nil {
		return nil, failure.Usagef("%s: %w", p.Info, err)
	}
	t := New(p, d, made.Digest)
	t.Yosys = made.Version
	return t, nil
}
