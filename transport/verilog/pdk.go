package verilog

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// # Cells of a process design kit
//
// A kit has one of two layouts: a file for all cells of a library, with another for its primitives (open_pdks:
// libs.ref/LIBRARY/verilog), or a folder for each cell, with files that include each other (the repositories of
// sky130's libraries). In both cases only the cells that the netlist names are used, with their parts. Thus no folder
// has to be specified, and other cells cost no time.

// kitDefines selects cells without delays, as pure functions. A cell's delay precedes an instance's name, which is
// illegal for a module, and Verilator needs primitives as modules.
func kitDefines(t *tool, powered bool) []string {
	delay := "UNIT_DELAY="
	if !t.twoState {
		delay += "#1"
	}
	defines := []string{"FUNCTIONAL", delay}
	if powered {
		defines = append(defines, "USE_POWER_PINS")
	}
	return defines
}

// kitCells returns the text of the kit's cells that a preprocessed design uses, or "" without a kit.
func (t *tool) kitCells(ctx context.Context, c *Config, design string) (string, error) {
	if c.PDK == "" {
		return "", nil
	}
	used := instancesIn(design)
	k := &kit{dir: c.PDK, has: elementsIn(design)}
	if err := k.walk(); err != nil {
		return "", err
	}
	powered := slices.ContainsFunc(used, instance.powered)
	for {
		missing := k.missing(used)
		text, err := k.take(missing)
		if err != nil {
			return "", err
		}
		if text == "" {
			return k.finish(t, used, missing)
		}
		if text, err = t.preprocessText(ctx, text, append(kitDefines(t, powered), c.Defines...)); err != nil {
			return "", err
		}
		k.add(text)
	}
}

// preprocessText preprocesses text without a file.
func (t *tool) preprocessText(ctx context.Context, text string, defines []string) (string, error) {
	dir, err := os.MkdirTemp("", "utfbench-cells-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "cells.v")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return "", err
	}
	out, messages, err := t.call(ctx, append(t.preprocess(&Config{Defines: defines}), file)...)
	if err != nil {
		return "", t.refused(err, messages)
	}
	return lineOfFile().ReplaceAllString(out, ""), nil
}

// A kit is a folder with cells.
type kit struct {
	dir   string
	files []string          // all its Verilog files
	has   map[string]string // definitions of the design and of cells, by name
	taken []string          // names taken from it, in order
	read  map[string]bool   // files taken completely
	where map[string]string // files by the names that they declare; nil until needed
}

// notModels occur in the names of files with ports only.
var notModels = []string{"blackbox", ".symbol", ".tb.", "stub"}

func (k *kit) walk() error {
	k.read = map[string]bool{}
	err := filepath.WalkDir(k.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		other := slices.ContainsFunc(notModels, func(part string) bool { return strings.Contains(name, part) })
		if d.Type().IsRegular() && filepath.Ext(name) == ".v" && !other {
			k.files = append(k.files, path)
		}
		return nil
	})
	if err == nil && len(k.files) == 0 {
		err = fmt.Errorf("%s has no Verilog file: --pdk is the folder of a process design kit, such as "+
			"$PDK_ROOT/sky130A, or of one of its libraries", k.dir)
	}
	if err != nil {
		return failure.Usage(err)
	}
	return nil
}

// missing returns undefined names that may be cells, used directly or by other cells.
func (k *kit) missing(used []instance) (names []string) {
	seen := map[string]bool{}
	var look func(all []instance)
	look = func(all []instance) {
		for _, i := range all {
			if seen[i.of] {
				continue
			}
			seen[i.of] = true
			text, there := k.has[i.of]
			switch {
			case !there && !slices.Contains(gates, i.of):
				names = append(names, i.of)
			case there && slices.Contains(k.taken, i.of):
				look(instancesIn(text))
			}
		}
	}
	look(used)
	return names
}

// take returns the text of the files with these names, including their includes, or "".
func (k *kit) take(names []string) (text string, err error) {
	for _, name := range names {
		path, err := k.find(name)
		if err != nil {
			return "", err
		}
		if path == "" || k.read[path] {
			continue
		}
		k.read[path] = true
		more, err := included(path, nil)
		if err != nil {
			return "", err
		}
		text += more + "\n"
	}
	return text, nil
}

// find returns the file that contains a module or primitive: the one with its name, or else the first that declares it.
func (k *kit) find(name string) (string, error) {
	for _, path := range k.files {
		if filepath.Base(path) == name+".v" {
			return path, nil
		}
	}
	if k.where == nil {
		k.where = map[string]string{}
		for _, path := range k.files {
			data, err := files.Verilog.Read(path)
			if err != nil {
				return "", failure.Usage(err)
			}
			for _, m := range declaration().FindAllStringSubmatch(string(data), -1) {
				if k.where[m[1]] == "" {
					k.where[m[1]] = path
				}
			}
		}
	}
	return k.where[name], nil
}

var declaration = printable.Regexp(`(?m)^[ \t]*(?:module|primitive)\s+([A-Za-z_][\w$]*)`)

var include = printable.Regexp("(?m)^[ \\t]*`include\\s+\"([^\"\\n]+)\"")

// included returns a file's text with its includes from the same folder. A chain includes a file once, so cycles end.
func included(path string, chain []string) (string, error) {
	if slices.Contains(chain, path) {
		return "", nil
	}
	data, err := files.Verilog.Read(path)
	if err != nil {
		return "", failure.Usage(err)
	}
	text, from := string(data), 0
	var b strings.Builder
	for _, at := range include().FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[from:at[0]])
		from = at[1]
		other := filepath.Join(filepath.Dir(path), text[at[2]:at[3]])
		if _, err := os.Stat(other); err != nil {
			continue // it may be for other macros; the error names missing cells later
		}
		more, err := included(other, append(chain, path))
		if err != nil {
			return "", err
		}
		b.WriteString(more)
	}
	return b.String() + text[from:], nil
}

// add records the definitions in a preprocessed text.
func (k *kit) add(text string) {
	for name, body := range elementsIn(text) {
		if _, there := k.has[name]; !there {
			if strings.HasPrefix(body, "module") {
				body = untimed(body)
			}
			k.has[name] = body
			k.taken = append(k.taken, name)
		}
	}
	slices.Sort(k.taken)
}

// finish joins the definitions in use. A missing name is a power-only cell, or an error.
func (k *kit) finish(t *tool, used []instance, missing []string) (string, error) {
	var b strings.Builder
	b.WriteString("`timescale 1ns / 1ps\n")
	for _, i := range used {
		if !slices.Contains(missing, i.of) || i.pins == nil {
			continue
		}
		stub, ok := i.stub()
		if !ok {
			return "", failure.Usagef("the netlist has a cell %s, which is neither in the sources nor in %s: is it "+
				"the kit of this shuttle?", i.of, k.dir)
		}
		b.WriteString(stub)
	}
	written := map[string]bool{}
	var write func(all []instance) error
	write = func(all []instance) error {
		for _, i := range all {
			text := k.has[i.of]
			if written[i.of] || !slices.Contains(k.taken, i.of) {
				continue
			}
			written[i.of] = true
			if t.twoState && strings.HasPrefix(text, "primitive") {
				return failure.Usagef("the cell %s is a primitive of Verilog, which Verilator does not support: "+
					"--simulator icarus does, and -t netlist:FILE needs no simulator", i.of)
			}
			b.WriteString(text + "\n")
			if err := write(instancesIn(k.has[i.of])); err != nil {
				return err
			}
		}
		return nil
	}
	err := write(used)
	return b.String(), err
}
