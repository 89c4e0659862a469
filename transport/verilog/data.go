package verilog

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// data lists the files that a design reads during simulation, such as a ROM's contents.
type data struct {
	files   []datum
	unknown []string // tasks that read a file of unknown name
}

// A datum is a file, with its name in the design.
type datum struct {
	name, path, sum string
	memory          bool // whether it is read by $readmemh or $readmemb
}

// absent replaces the digest of a missing file.
const absent = "none"

var (
	readsFile = printable.LazyRegexp(`(\$readmem[hb]|\$fopen)\s*\(\s*` +
		`("(?:[^"\\\n]|\\.)*"|[^,;()]*(?:\([^()]*\))?[^,;()]*)\s*(?:,\s*("(?:[^"\\\n]|\\.)*"|[^,;)]*))?`)
	literal   = printable.LazyRegexp(`"((?:[^"\\\n]|\\.)+)"`)
	plainName = printable.LazyRegexp(`^[A-Za-z_][\w$]*$`)
)

// dataIn returns the files that a design reads, and the first of the folders that contains all of them. It returns an
// error if no folder contains all memory files, as Yosys does.
func dataIn(text string, dirs []string) (d data, dir string, err error) {
	if len(dirs) == 0 {
		dirs = []string{""}
	}
	for i := len(dirs) - 1; i >= 0; i-- {
		of, err := dataOf(text, dirs[i])
		if err != nil {
			return d, "", err
		}
		if i == len(dirs)-1 || len(of.missing()) <= len(d.missing()) {
			d, dir = of, dirs[i]
		}
	}
	if missing := d.missing(); len(missing) > 0 {
		return d, "", failure.Usagef("the design reads %s, which is in none of the folders %s: put it there, or "+
			"give workdir in bench-tile.yaml", missing[0], folders(dirs))
	}
	return d, dir, nil
}

func folders(dirs []string) string {
	var names []string
	for _, dir := range dirs {
		names = append(names, cmp.Or(dir, "."))
	}
	return strings.Join(names, ", ")
}

// missing returns the names of memory files that do not exist.
func (d *data) missing() (names []string) {
	for _, f := range d.files {
		if f.sum == absent && f.memory {
			names = append(names, f.name)
		}
	}
	return names
}

// dataOf returns the files that a preprocessed design reads, relative to its working folder. If a name is a parameter,
// all existing files named in the design's strings are included; any other expression counts as unknown.
func dataOf(text, dir string) (d data, err error) {
	text = lineOfFile().ReplaceAllString(uncommented(text), "")
	for _, m := range readsFile().FindAllStringSubmatch(text, -1) {
		task, name, mode := m[1], strings.TrimSpace(m[2]), strings.TrimSpace(m[3])
		switch {
		case task == "$fopen" && !strings.HasPrefix(mode, `"r`):
			continue // the task opens the file for writing, or in an unknown mode
		case name != "" && name[0] == '"':
			err = d.add(name[1:len(name)-1], dir, task != "$fopen")
		case plainName().MatchString(name):
			err = d.addAny(fmt.Sprintf("%s(%s)", task, name), text, dir)
		default:
			d.unknown = append(d.unknown, fmt.Sprintf("%s(%s)", task, name))
		}
		if err != nil {
			return d, err
		}
	}
	slices.SortFunc(d.files, func(a, b datum) int { return strings.Compare(a.name, b.name) })
	d.files = slices.Compact(d.files)
	slices.Sort(d.unknown)
	d.unknown = slices.Compact(d.unknown)
	return d, nil
}

func (d *data) paths() (all []string) {
	for _, f := range d.files {
		all = append(all, f.path)
	}
	return all
}

func (d *data) add(name, dir string, memory bool) (err error) {
	f := datum{name: name, path: name, memory: memory}
	if !filepath.IsAbs(name) {
		f.path = filepath.Join(dir, name)
	}
	f.sum, err = sumOfFile(f.path)
	d.files = append(d.files, f)
	return err
}

// addAny adds the existing files named in strings of the design.
func (d *data) addAny(task, text, dir string) error {
	had := len(d.files)
	for _, m := range literal().FindAllStringSubmatch(text, -1) {
		path := m[1]
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := d.add(m[1], dir, false); err != nil {
			return err
		}
	}
	if len(d.files) == had {
		d.unknown = append(d.unknown, task)
	}
	return nil
}

func sumOfFile(path string) (string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return absent, nil
	}
	if err != nil {
		return "", failure.Usage(err)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", failure.Usage(err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", failure.Usage(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
