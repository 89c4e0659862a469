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
	own, err := flowDefines(filepath.Join(p.Dir, "src", "config.json"))
	if err != nil {
		return nil, err
	}
	made, err := yosys.Elaborate(ctx, yosys.Design{Top: p.Top, Sources: p.Paths(), Home: p.Dir, Data: p.Data,
		Defines:  slices.Concat(own, p.Defines, defines),
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
