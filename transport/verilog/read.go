package verilog

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// A reading is a preprocessed design. Its text is compiled, hashed and cached.
type reading struct {
	top     module
	text    string   // sources
	read    []string // all files that the preprocessor read
	data    data
	dataDir string // folder to which the names of data files are relative
}

// A reader reads a design with a tool.
type reader struct {
	tool *tool
	c    *Config
	dir  string // temporary files
}

// read preprocesses the sources, and finds the top module and the data files.
func (t *tool) read(ctx context.Context, c *Config) (*reading, error) {
	dir, remove, err := files.TempDir()
	if err != nil {
		return nil, err
	}
	defer remove()
	r := &reader{tool: t, c: c, dir: dir}
	d, err := r.preprocess(ctx)
	if err != nil {
		return nil, err
	}
	if d.top, err = r.top(ctx, d); err != nil {
		return nil, err
	}
	c.future = futureCodes(d.text)
	d.data, d.dataDir, err = dataIn(d.text, c.WorkingDirs)
	return d, err
}

func (r *reader) preprocess(ctx context.Context) (d *reading, err error) {
	list, names := filepath.Join(r.dir, "list"), r.c.Sources
	if r.tool.joins {
		if names, err = r.apart(names); err != nil {
			return nil, err
		}
	}
	text, messages, err := r.tool.call(ctx, slices.Concat(r.tool.preprocess(r.c), r.tool.list(list), names)...)
	if err != nil {
		return nil, r.tool.refused(err, messages)
	}
	d = &reading{text: r.own().ReplaceAllString(text, "")}
	d.read, err = r.listed(list)
	return d, err
}

// own returns a pattern for the line markers of the reader's own files, whose folder differs each time.
func (r *reader) own() *regexp.Regexp {
	return regexp.MustCompile("(?m)^`line \\d+ \"" + regexp.QuoteMeta(r.dir) + "/.*\n")
}

// apart inserts a file with a newline before each source. Icarus concatenates files, so a source without a final
// newline would run into the next one. A line marker in the inserted file names the next source, for messages.
func (r *reader) apart(names []string) (all []string, err error) {
	for i, name := range names {
		line := "\n"
		if !strings.ContainsAny(name, "\"\\\n") && filepath.Dir(name) != r.dir {
			line = fmt.Sprintf("\n`line 1 \"%s\" 0\n", name)
		}
		file := filepath.Join(r.dir, fmt.Sprintf("line%d.v", i))
		if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
			return nil, err
		}
		all = append(all, file, name)
	}
	return all, nil
}

// listed returns the files in a tool's dependency list, except the reader's and the tool's own.
func (r *reader) listed(list string) (all []string, err error) {
	names, err := r.tool.listed(list)
	for _, name := range names {
		own := filepath.Dir(name) == r.dir || slices.Contains(ofVerilator, filepath.Base(name))
		if !own && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all, err
}

// ofVerilator lists Verilator's own files in its dependency lists.
var ofVerilator = []string{"verilator_bin", "verilator_bin_dbg", "verilated_std.sv", "verilated_std_waiver.vlt", "null"}

// top finds the top module. Without a top module, it lets the tool report a syntax error, if any.
func (r *reader) top(ctx context.Context, d *reading) (module, error) {
	all := modules(d.text)
	top, ok, err := findTop(all, r.c.Top)
	if ok || err != nil {
		return top, err
	}
	if len(all) > 0 {
		if _, messages, err := r.tool.call(ctx, append(r.tool.check(r.c), r.c.Sources...)...); err != nil {
			return top, r.tool.refused(err, messages)
		}
	}
	return top, noTop(all, r.c.Top)
}

// listOfIcarus and listOfVerilator parse the lists that the flags of tool.list produce.
func listOfIcarus(list string) ([]string, error) {
	text, err := os.ReadFile(list)
	return strings.Split(strings.TrimSpace(string(text)), "\n"), err
}

func listOfVerilator(list string) (names []string, err error) {
	all, err := filepath.Glob(filepath.Join(list, "*__verFiles.dat"))
	if err != nil || len(all) != 1 {
		return nil, fmt.Errorf("verilator has not listed the files that it read: is it older than 5.0?")
	}
	text, err := os.ReadFile(all[0])
	for _, m := range sourceOfVerilator().FindAllStringSubmatch(string(text), -1) {
		name, err := strconv.Unquote(m[1])
		if err != nil {
			return nil, fmt.Errorf("verilator lists the file %s, which is no name", m[1])
		}
		names = append(names, name)
	}
	return names, err
}

// sourceOfVerilator matches names of files read, in lines with sizes and times.
var sourceOfVerilator = printable.LazyRegexp(`(?m)^S[ \d]+ (".*")$`)

// lintCode matches the warning codes that a source enables or disables.
var lintCode = printable.LazyRegexp(`verilator\s+lint_(?:off|on)\s+(\w+)`)

// futureCodes returns the warning codes in a design, some of which may be unknown to an older Verilator.
func futureCodes(text string) (codes []string) {
	for _, m := range lintCode().FindAllStringSubmatch(text, -1) {
		codes = append(codes, m[1])
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}
