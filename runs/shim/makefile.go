package shim

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// variables returns make variables that replace the tile's sources by the shim. A makefile of cocotb lists all sources
// in VERILOG_SOURCES, which make prints. If make fails or none of these sources belongs to the tile, the variables are
// PROJECT_SOURCES and SRC_DIR of Tiny Tapeout's template. A new SIM_BUILD prevents make from reusing an earlier build.
func (t *Test) variables(ctx context.Context) []string {
	build := "SIM_BUILD=" + filepath.Join(t.Folder, "sim_build")
	dir, listed := makeSources(ctx, t.Command)
	if sources := t.replaced(listed); sources != nil {
		t.OptionalSignals = namedInside(dir, instances(t.Bench.Tile.About.Top, sources))
		return []string{"VERILOG_SOURCES=" + strings.Join(sources, " "), build}
	}
	return []string{"SRC_DIR=" + t.Folder, "PROJECT_SOURCES=" + filepath.Base(t.path()), build}
}

// query is a target whose recipe, which make --dry-run prints, names the working folder and the sources.
const query = "utfbench-sources"

// makeSources returns the working folder of a make command, and the absolute paths of its sources. It returns nothing
// if the command is not make or has no sources.
func makeSources(ctx context.Context, command []string) (dir string, sources []string) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	rule := query + ": ; @echo " + query + ": $(CURDIR) " +
		"$(foreach s,$(VERILOG_SOURCES),$(or $(wildcard $s),$s))"
	// cocotb's makefile calls make again in the folder of -C, while makefiles expect the working folder in PWD.
	args := append(slices.Clone(command[1:]), "--dry-run", "PWD=$(CURDIR)", "--eval", rule, query)
	out, err := exec.CommandContext(ctx, command[0], args...).Output()
	if err != nil {
		return "", nil
	}
	for line := range strings.Lines(string(out)) {
		_, said, is := strings.Cut(line, query+": ")
		words := strings.Fields(said)
		if !is || len(words) < 2 {
			continue
		}
		for _, s := range words[1:] {
			if !filepath.IsAbs(s) {
				s = filepath.Join(words[0], s)
			}
			sources = append(sources, filepath.Clean(s))
		}
		return words[0], sources
	}
	return "", nil
}

// replaced returns sources with the shim in place of the tile's sources, or nil if none belongs to the tile.
func (t *Test) replaced(sources []string) (all []string) {
	own := map[string]bool{}
	paths := t.Bench.Tile.About.Paths()
	if rtl := t.Bench.Tile.RTL; rtl != nil {
		paths = append(paths, rtl.FilesRead...)
	}
	for _, path := range paths {
		own[real(path)] = true
	}
	for _, s := range sources {
		if !own[real(s)] {
			all = append(all, s)
		}
	}
	if len(all) == len(sources) {
		return nil
	}
	return append(all, t.path())
}

// real resolves symbolic links, so that paths can be compared.
func real(path string) string {
	whole, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if target, err := filepath.EvalSymlinks(whole); err == nil {
		return target
	}
	return whole
}
