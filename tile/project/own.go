package project

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// ownKeys lists the keys of bench-tile.yaml, in the order in which messages show them; docs/tiles.md explains each.
var ownKeys = []string{"info", "idle", "uio_outputs", "reset", "vectors", "defines", "includes", "commits", "workdir"}

func (p *Project) readOwn() error {
	text, err := files.Project.Read(p.TileFile)
	if err != nil {
		return err
	}
	f, err := files.ParseYAML(p.TileFile, "a "+OwnName, 2, text)
	if err != nil {
		return err
	}
	return f.Each(f.Body, "a "+OwnName, (&reader{p, f}).own)
}

// own parses a key of bench-tile.yaml.
func (r *reader) own(e *ast.MappingValueNode) (err error) {
	switch name := key(e); name {
	case "info":
		r.Info, err = r.path(e.Value, name)
		r.Dir = filepath.Dir(r.Info)
	case "idle":
		r.Idle, err = r.byte(e.Value, name)
	case "uio_outputs":
		r.Outputs = new(uint8)
		*r.Outputs, err = r.byte(e.Value, name)
	case "reset":
		err = r.reset(e.Value)
	case "vectors":
		r.VectorDir, err = r.path(e.Value, name)
		if found, _ := filepath.Glob(filepath.Join(r.VectorDir, "*.vec")); err == nil && found == nil {
			err = r.Errorf(e.Value, "vectors: there is no *.vec in %s", r.VectorDir)
		}
	case "defines":
		r.Defines, err = r.list(e.Value, name)
	case "includes":
		r.IncludeDirs, err = r.list(e.Value, name)
		for i, dir := range r.IncludeDirs {
			r.IncludeDirs[i] = r.within(dir)
		}
	case "commits":
		err = r.commits(e.Value)
	case "workdir":
		r.DataDir, err = r.path(e.Value, name)
	default:
		err = r.Errorf(e.Key, "unknown key %q%s: allowed are %s", name, failure.DidYouMean(name, ownKeys),
			strings.Join(ownKeys, ", "))
	}
	return err
}

// within resolves a path relative to the file that contains it.
func (r *reader) within(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(r.Name), filepath.FromSlash(path))
}

func (r *reader) path(n ast.Node, key string) (string, error) {
	path := r.within(scalar(n))
	if scalar(n) == "" || !exists(path) {
		return "", r.Errorf(n, "%s: there is no %s", key, path)
	}
	return path, nil
}

// byte parses two hexadecimal digits, as in vectors.
func (r *reader) byte(n ast.Node, key string) (uint8, error) {
	text := strings.TrimPrefix(n.GetToken().Value, "0x")
	b, err := strconv.ParseUint(text, 16, 8)
	if err != nil || len(text) != 2 {
		return 0, r.Errorf(n, "%s %q: has to be eight levels as two hexadecimal digits, such as \"0F\"", key, text)
	}
	return uint8(b), nil
}

func (r *reader) list(n ast.Node, key string) (all []string, err error) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		return nil, r.Errorf(n, "%s has to be a list", key)
	}
	for _, v := range list.Values {
		if scalar(v) == "" {
			return nil, r.Errorf(v, "%s has to be a list of texts", key)
		}
		all = append(all, scalar(v))
	}
	return all, nil
}

// reset parses the level and the number of clocks.
func (r *reader) reset(n ast.Node) error {
	return r.Each(n, "reset", func(e *ast.MappingValueNode) error {
		text := scalar(e.Value)
		switch key(e) {
		case "level":
			if !slices.Contains([]string{"low", "high"}, text) {
				return r.Errorf(e.Value, "reset level %q: has to be low or high, the level of rst_n that resets", text)
			}
			r.Reset.High = text == "high"
		case "clocks":
			n, err := strconv.ParseUint(text, 10, 8)
			if err != nil {
				return r.Errorf(e.Value, "reset clocks %q: has to be 0 to 255", text)
			}
			r.Reset.Clocks = uint8(n)
		default:
			return r.Errorf(e.Key, "unknown key %q of reset: allowed are level, clocks", key(e))
		}
		return nil
	})
}

func (r *reader) commits(n ast.Node) error {
	r.Commits = map[string]string{}
	return r.Each(n, "commits", func(e *ast.MappingValueNode) error {
		text := scalar(e.Value)
		if _, err := strconv.ParseUint(text[:min(len(text), 8)], 16, 64); err != nil || len(text) < 7 {
			return r.Errorf(e.Value, "commits: %q is no commit, seven or more hexadecimal digits in quotes", text)
		}
		r.Commits[key(e)] = text
		return nil
	})
}

// Line returns the line number of a key of Lines, such as ui0 or pinout, in info.yaml, or 1 if it is unknown.
func (p *Project) Line(line string) int { return max(1, p.Lines[line]) }
