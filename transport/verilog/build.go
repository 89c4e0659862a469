package verilog

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// What the tile is put into.
var (
	//go:embed bench/tile.v
	tileSource string
	//go:embed bench/pins.v
	pinsSource string
	//go:embed bench/harness.cpp
	harnessSource string
	//go:embed bench/powerups.cpp
	powerUpsSource string
	//go:embed bench/powerups.v
	icarusPowerUpsSource string
	//go:embed bench/powerups.c
	powerUpsModuleSource string
)

// A plan is a simulation to be built, or found built.
type plan struct {
	tool   *tool
	top    string
	macros []string
	digest string // of the design, see Transport.Design
	text   string // the design, preprocessed
	cells  string // those that it takes from a kit
	dir    string // where it is built
	entry  string // the cache's entry
}

func (b *plan) path(name string) string { return filepath.Join(b.dir, name) }

// build makes sure that the cache has what the design compiles to.
func build(ctx context.Context, c Config) (*plan, error) {
	if !supported {
		return nil, errors.New("a simulation cannot be run here: its pipes need a Unix")
	}
	if c.Timescale == "" {
		c.Timescale = "1ns/1ps"
	}
	if err := checkInput(&c); err != nil {
		return nil, err
	}
	t, err := findTool(c.Simulator)
	if err != nil {
		return nil, err
	}
	text, top, err := t.read(ctx, &c)
	if err != nil {
		return nil, err
	}
	cells, err := t.kitCells(ctx, &c, text)
	if err != nil {
		return nil, err
	}
	b := &plan{tool: t, top: top.name, macros: top.macros(), text: text + cells, cells: cells}
	if b.digest, err = b.hash(&c, b.text); err != nil {
		return nil, err
	}
	key, err := b.key(ctx, &c, b.text)
	if err != nil {
		return nil, err
	}
	store, err := openCache(c.Cache)
	if err != nil {
		return nil, err
	}
	b.entry, err = store.entry(key, func(dir string) error {
		if c.Working != nil {
			defer c.Working(t.title + " compiles " + b.top)()
		}
		return b.make(ctx, &c, dir)
	})
	return b, err
}

// read preprocesses the sources and finds the top module.
func (t *tool) read(ctx context.Context, c *Config) (text string, top module, err error) {
	text, messages, err := t.call(ctx, append(t.preprocess(c), append(c.Sources, c.Cells...)...)...)
	if err != nil {
		return "", top, t.refused(err, messages)
	}
	all := modules(text)
	top, ok, err := findTop(all, c.Top)
	if ok || err != nil {
		return text, top, err
	}
	if len(all) == 0 {
		return "", top, noTop(all, c.Top)
	}
	if _, messages, err = t.call(ctx, append(t.check(c), c.Sources...)...); err != nil {
		return "", top, t.refused(err, messages)
	}
	return "", top, noTop(all, c.Top)
}

// key is a hash of all that the result depends on.
func (b *plan) key(ctx context.Context, c *Config, text string) (string, error) {
	h := sha256.New()
	version, _, err := b.tool.call(ctx, b.tool.version...)
	if err != nil {
		return "", fmt.Errorf("the version of %s: %w", b.tool.command, err)
	}
	fmt.Fprintf(h, "%q %q %q\n", b.tool.name, version, b.tool.build(c, b)) // with sources, folders, cells and flags
	fmt.Fprintf(h, "%q %q %q %q %q %q\n", tileSource, pinsSource, harnessSource, powerUpsSource, text, b.digest)
	if c.powerUps {
		fmt.Fprintf(h, "%q %q %q\n", asInSilicon(text), icarusPowerUpsSource, powerUpsModuleSource)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16]), nil
}

// lineOfFile is what a preprocessor puts between the parts of its output: where they come from.
var lineOfFile = regexp.MustCompile("(?m)^`line .*\n")

// What the simulators' preprocessors leave in different ways: comments, beside strings in which none begins, and space.
var (
	commentOrString = regexp.MustCompile(`//[^\n]*|/\*(?s:.*?)\*/|"(?:[^"\\\n]|\\.)*"`)
	space           = regexp.MustCompile(`\s+`)
	spaceAtSign     = regexp.MustCompile(` ?([^\w ]) ?`)
)

// bare is a preprocessed text without what has no meaning, the same whichever simulator preprocessed it.
func bare(text string) string {
	text = commentOrString.ReplaceAllStringFunc(lineOfFile.ReplaceAllString(text, ""), func(found string) string {
		if found[0] == '/' {
			return " "
		}
		return found
	})
	return strings.TrimSpace(spaceAtSign.ReplaceAllString(space.ReplaceAllString(text, " "), "$1"))
}

// hash is of what the design is, wherever its files are.
func (b *plan) hash(c *Config, text string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q\n", b.macros, c.Defines, c.Timescale, bare(text))
	dirs := c.CellsDirs
	if len(dirs) > 0 {
		dirs = append(dirs[:len(dirs):len(dirs)], c.Includes...) // the cells' own include files are not in text
	}
	for _, d := range dirs {
		if err := hashFolder(h, d); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// hashFolder hashes the Verilog in a folder, whatever that is called.
func hashFolder(h io.Writer, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return failure.Usage(err)
	}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if e.IsDir() || !strings.HasPrefix(ext, ".v") && !strings.HasPrefix(ext, ".sv") {
			continue
		}
		if err := hashFile(h, filepath.Join(dir, e.Name())); err != nil {
			return failure.Usage(err)
		}
	}
	return nil
}

func hashFile(h io.Writer, path string) error {
	f, err := files.Verilog.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "%q %d\n", filepath.Base(path), info.Size())
	_, err = io.Copy(h, f)
	return err
}

// make builds into a folder that is there.
func (b *plan) make(ctx context.Context, c *Config, dir string) error {
	b.dir = dir
	parts := map[string]string{"tile.v": tileSource, "pins.v": pinsSource, "harness.cpp": harnessSource,
		"powerups.cpp": powerUpsSource,
		"options":      "+timescale+" + c.Timescale + "\n"}
	for name, text := range parts {
		if err := os.WriteFile(b.path(name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if b.cells != "" {
		if err := os.WriteFile(b.path("kit.v"), []byte(b.cells), 0o600); err != nil {
			return err
		}
	}
	if c.powerUps {
		return b.makePowerUps(ctx, c)
	}
	return b.compile(ctx, c)
}

// sources are the files to compile, but for the bench's own.
func (b *plan) sources(c *Config) []string {
	if b.cells == "" {
		return c.Sources
	}
	return append(slices.Clone(c.Sources), b.path("kit.v"))
}

// makePowerUps is make of a reference, in which no variable may begin with a level that silicon does not give it.
func (b *plan) makePowerUps(ctx context.Context, c *Config) error {
	text, made := asInSilicon(b.text), *c
	if err := os.WriteFile(b.path("design.v"), []byte(text), 0o600); err != nil {
		return err
	}
	if text != b.text {
		// Somebody's mistake is told by the name of his file.
		if _, messages, err := b.tool.call(ctx, append(b.tool.check(c), append(b.sources(c), c.Cells...)...)...); err != nil {
			return b.tool.refused(err, messages)
		}
		made.Sources, made.Cells = []string{b.path("design.v")}, nil // with the cells of a kit
		b.cells = ""
	}
	if !b.tool.twoState {
		return b.makeIcarusPowerUps(ctx, &made)
	}
	return b.compile(ctx, &made)
}

// compile has the tool build it.
func (b *plan) compile(ctx context.Context, c *Config) error {
	if _, messages, err := b.tool.call(ctx, b.tool.build(c, b)...); err != nil {
		return b.tool.refused(err, messages)
	}
	return os.RemoveAll(b.path("obj"))
}

// start runs what was built.
func (b *plan) start(c Config) (*simulation, error) {
	args := b.tool.run(filepath.Join(b.entry, "sim"))
	if c.VCD != "" {
		path, err := filepath.Abs(c.VCD)
		if err != nil {
			return nil, err
		}
		args = append(args, "+vcd="+path)
	}
	if c.PowerUp > 0 && b.tool.twoState {
		args = append(args, "+verilator+rand+reset+2", fmt.Sprintf("+verilator+seed+%d", c.PowerUp))
	}
	return simulate(c.Patience, c.Dir, args[0], args[1:]...)
}

// checkInput looks for what would otherwise be a simulator's riddle.
func checkInput(c *Config) error {
	if len(c.Sources) == 0 {
		return failure.Usagef("no Verilog file is given")
	}
	for _, f := range append(c.Sources[:len(c.Sources):len(c.Sources)], c.Cells...) {
		if err := checkPath(f, false); err != nil {
			return err
		}
	}
	dirs := append(c.Includes[:len(c.Includes):len(c.Includes)], c.CellsDirs...)
	if c.PDK != "" {
		dirs = append(dirs, c.PDK)
	}
	for _, d := range dirs {
		if err := checkPath(d, true); err != nil {
			return err
		}
	}
	return nil
}

func checkPath(path string, folder bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return failure.Usagef("%q: no such file or folder", path)
	case err != nil:
		return failure.Usage(err)
	case info.IsDir() && !folder:
		return failure.Usagef("%s is a folder, and has to be a Verilog file", path)
	case !info.IsDir() && folder:
		return failure.Usagef("%s is a file, and has to be a folder", path)
	case strings.HasPrefix(path, "-") || strings.HasPrefix(path, "+"):
		return failure.Usagef("%s begins like a flag of the simulator: write ./%s", path, path)
	case !folder:
		if err := files.Verilog.Check(path); err != nil {
			return failure.Usage(err)
		}
	}
	return nil
}

// checkVCD makes the file, so that it is known now whether it can be written.
func checkVCD(path string) error {
	if path == "" {
		return nil
	}
	if err := files.Writable(path); err != nil {
		return failure.Usagef("the waves cannot be written: %w", err)
	}
	return nil
}
