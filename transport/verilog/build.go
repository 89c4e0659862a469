package verilog

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"utfbench/internal/confine"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// Sources of the Verilog and C++ benches around the tile.
var (
	//go:embed bench/tile.v
	tileSource string
	//go:embed bench/pins.v
	pinsSource string
	//go:embed bench/harness.cpp
	harnessSource string
)

// A plan is a simulation to be built or read from the cache.
type plan struct {
	*reading
	tool   *tool
	macros []string
	digest string // digest of the design, see Transport.Design
	dir    string // build folder
	entry  string // cache entry
}

func (b *plan) path(name string) string { return filepath.Join(b.dir, name) }

// build compiles the design into the cache, unless the cache has it.
func build(ctx context.Context, c Config) (*plan, error) {
	if !confine.Supported {
		return nil, errors.New("a simulation cannot be run here: its pipes need a Unix")
	}
	if err := checkInput(&c); err != nil {
		return nil, err
	}
	t, err := findTool(c.Simulator)
	if err != nil {
		return nil, err
	}
	d, err := t.read(ctx, &c)
	if err != nil {
		return nil, err
	}
	b := &plan{reading: d, tool: t, macros: d.top.macros()}
	b.digest = b.hash(&c)
	key, err := b.key(ctx, &c)
	if err != nil {
		return nil, err
	}
	store, err := files.OpenCache(c.CacheDir, "verilog")
	if err != nil {
		return nil, err
	}
	b.entry, err = store.Entry(key, func(dir string) error {
		if c.ShowActivity != nil {
			defer c.ShowActivity(t.title + " compiles " + b.top.name)()
		}
		return b.make(ctx, &c, dir)
	})
	return b, err
}

func (b *plan) key(ctx context.Context, c *Config) (string, error) {
	h := sha256.New()
	version, _, err := b.tool.call(ctx, b.tool.version...)
	if err != nil {
		return "", fmt.Errorf("the version of %s: %w", b.tool.command, err)
	}
	fmt.Fprintf(h, "%q %q %q\n", b.tool.name, version, b.tool.build(c, b))
	fmt.Fprintf(h, "%q %q %q %q %q\n", tileSource, pinsSource, harnessSource, b.digest, b.text)
	fmt.Fprintf(h, "%q\n", timescale)
	return fmt.Sprintf("%x", h.Sum(nil)[:16]), nil
}

// lineOfFile matches the line markers in a preprocessor's output.
var lineOfFile = printable.LazyRegexp("(?m)^`line .*\n")

// Text that the simulators' preprocessors treat differently: comments and space. Strings are matched too, since they
// may contain text that looks like a comment.
var (
	commentOrString = printable.LazyRegexp(`//[^\n]*|/\*(?s:.*?)\*/|"(?:[^"\\\n]|\\.)*"`)
	space           = printable.LazyRegexp(`\s+`)
	spaceAtSign     = printable.LazyRegexp(` ?([^\w ]) ?`)
)

// uncommented replaces each comment outside strings with a space.
func uncommented(text string) string {
	return commentOrString().ReplaceAllStringFunc(text, func(found string) string {
		if found[0] == '/' {
			return " "
		}
		return found
	})
}

// bare normalises preprocessed text so that both simulators yield the same text.
func bare(text string) string {
	text = uncommented(lineOfFile().ReplaceAllString(text, ""))
	return strings.TrimSpace(spaceAtSign().ReplaceAllString(space().ReplaceAllString(text, " "), "$1"))
}

func (b *plan) hash(c *Config) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q\n", b.macros, c.Defines, timescale, bare(b.text))
	for _, f := range b.data.files {
		fmt.Fprintf(h, "%q %s\n", f.name, f.sum)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// designFile is the design's file in the build folder.
const designFile = "design.v"

func (b *plan) make(ctx context.Context, c *Config, dir string) error {
	b.dir = dir
	parts := map[string]string{"tile.v": tileSource, "pins.v": pinsSource, "harness.cpp": harnessSource,
		"options": "+timescale+" + timescale + "\n", designFile: b.text}
	for name, text := range parts {
		if err := os.WriteFile(b.path(name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return b.compile(ctx, c)
}

// compile runs the tool in the build folder, which contains only the files that make has written.
func (b *plan) compile(ctx context.Context, c *Config) error {
	if _, messages, err := b.tool.callIn(ctx, b.dir, b.tool.build(c, b)...); err != nil {
		return b.tool.refused(err, messages)
	}
	return os.RemoveAll(b.path("obj"))
}

func (b *plan) start(c Config) (*simulation, error) {
	args := b.tool.run(filepath.Join(b.entry, "sim"))
	return simulate(c.Patience, b.dataDir, args[0], args[1:]...)
}

// checkInput reports errors for which a simulator has only obscure messages.
func checkInput(c *Config) error {
	if len(c.Sources) == 0 {
		return failure.Usagef("no Verilog file is given")
	}
	for _, f := range c.Sources {
		if err := checkPath(f, false); err != nil {
			return err
		}
	}
	for _, d := range c.Includes {
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
