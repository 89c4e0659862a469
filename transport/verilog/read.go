package verilog

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// A reading is a design after preprocessing. This text is what is compiled, hashed and cached.
type reading struct {
	top     module
	text    string   // sources
	library string   // found files, whose modules are used if needed
	read    []string // all files that the preprocessor read
	found   []string // unlisted files in which the simulator found missing modules
	data    data
	dataDir string // relative to which data files are named
}

// whole returns all Verilog of the design.
func (r *reading) whole() string { return r.text + r.library }

// A reader reads a design with a tool.
type reader struct {
	tool  *tool
	c     *Config
	dir   string // temporary files
	calls int
}

// read preprocesses the sources, and finds the top module and the files of missing modules.
func (t *tool) read(ctx context.Context, c *Config) (*reading, error) {
	dir, remove, err := files.TempDir()
	if err != nil {
		return nil, err
	}
	defer remove()
	r := &reader{tool: t, c: c, dir: dir}
	d, err := r.preprocess(ctx, nil)
	if err != nil {
		return nil, err
	}
	if d.top, err = r.top(ctx, d); err != nil {
		return nil, err
	}
	c.future = futureCodes(d.whole())
	if d, err = r.complete(ctx, d); err != nil {
		return nil, err
	}
	d.data, d.dataDir, err = dataIn(d.whole(), c.Dirs)
	return d, err
}

// libraryBegins separates the sources from the library in a preprocessor's input.
const libraryBegins = "utfbench_library_begins"

// preprocess preprocesses the sources and the found files.
func (r *reader) preprocess(ctx context.Context, found []string) (*reading, error) {
	r.calls++
	list := filepath.Join(r.dir, fmt.Sprint("list", r.calls))
	mark := filepath.Join(r.dir, "mark.v")
	if err := os.WriteFile(mark, []byte("\n"+libraryBegins+"\n"), 0o600); err != nil {
		return nil, err
	}
	names := slices.Concat(r.c.Sources, []string{mark}, found)
	if r.tool.joins {
		var err error
		if names, err = r.apart(names); err != nil {
			return nil, err
		}
	}
	text, messages, err := r.tool.call(ctx, slices.Concat(r.tool.preprocess(r.c), r.tool.list(list), names)...)
	if err != nil {
		return nil, r.tool.refused(err, messages)
	}
	d := &reading{found: found}
	d.text, d.library, _ = strings.Cut(r.own().ReplaceAllString(text, ""), libraryBegins+"\n")
	if strings.TrimSpace(lineOfFile().ReplaceAllString(d.library, "")) == "" {
		d.library = ""
	}
	d.read, err = r.listed(list)
	return d, err
}

// own matches the line markers of the reader's own files, whose folder changes.
func (r *reader) own() *regexp.Regexp {
	return regexp.MustCompile("(?m)^`line \\d+ \"" + regexp.QuoteMeta(r.dir) + "/.*\n")
}

// apart inserts a file with a newline before each source, since Icarus concatenates files: otherwise one without a
// final newline would run into the next. A line marker in it names the next file, for messages.
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

// ofVerilator are Verilator's own files in its dependency lists.
var ofVerilator = []string{"verilator_bin", "verilator_bin_dbg", "verilated_std.sv", "verilated_std_waiver.vlt", "null"}

// top finds the top module. Without one, the tool reports a syntax error, if any.
func (r *reader) top(ctx context.Context, d *reading) (module, error) {
	all := modules(d.whole())
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

// A memo records where a simulator found the modules that a design lacks. It is valid while the files' contents are
// unchanged.
type memo struct {
	Found   []string `json:"found"`
	Library string   `json:"library_sha256"`
}

// complete adds the unlisted files that the simulator finds. Finding them takes an elaboration, which also reports
// errors by file name; a memo in the cache avoids repeating it.
func (r *reader) complete(ctx context.Context, d *reading) (*reading, error) {
	store, err := files.OpenCache(r.c.Cache, "verilog")
	if err != nil {
		return nil, err
	}
	key := r.key(d)
	if text, ok := store.LoadText(key); ok {
		var m memo
		if json.Unmarshal(text, &m) == nil {
			if with, err := r.with(ctx, d, m.Found); err == nil && sum(with.library) == m.Library {
				return with, nil
			}
		}
	}
	found, err := r.find(ctx, d)
	if err != nil {
		return nil, err
	}
	if d, err = r.with(ctx, d, found); err != nil {
		return nil, err
	}
	text, _ := json.Marshal(memo{found, sum(d.library)}) // never fails: only strings
	store.StoreText(key, text)
	return d, nil
}

// with returns the reading including the found files.
func (r *reader) with(ctx context.Context, d *reading, found []string) (*reading, error) {
	if len(found) == 0 {
		return d, nil
	}
	with, err := r.preprocess(ctx, found)
	if err == nil {
		with.top = d.top
	}
	return with, err
}

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// key hashes the inputs that determine the found files: the text, the tool, its flags, and the contents of folders.
func (r *reader) key(d *reading) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q\n", r.tool.name, r.tool.elaborate(r.c, d.top.name), d.text, d.library)
	for _, dir := range slices.Concat([]string{"."}, r.c.Includes) {
		entries, _ := os.ReadDir(dir) // an unreadable folder contributes nothing
		for _, e := range entries {
			if slices.Contains(libraryNames, filepath.Ext(e.Name())) && !e.IsDir() {
				fmt.Fprintf(h, "%q\n", filepath.Join(dir, e.Name()))
			}
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// libraryNames are the suffixes of files that define a module.
var libraryNames = []string{"", ".v", ".sv"}

// find elaborates the design and returns the files in which the tool found modules.
func (r *reader) find(ctx context.Context, d *reading) (found []string, err error) {
	r.calls++
	list := filepath.Join(r.dir, fmt.Sprint("list", r.calls))
	args := append(r.tool.elaborate(r.c, d.top.name), r.tool.list(list)...)
	args = append(args, r.c.Sources...)
	if _, messages, err := r.tool.call(ctx, args...); err != nil {
		return nil, r.tool.refused(err, messages)
	}
	all, err := r.listed(list)
	for _, name := range all {
		if slices.Contains(d.read, name) {
			continue
		}
		is, err := holdsItsModule(name)
		if err != nil {
			return nil, err
		}
		if is {
			found = append(found, name)
		}
	}
	return found, err
}

// named matches the name of anything that a file may be named after.
var named = printable.Regexp(
	`\b(?:macromodule|module|package|interface|primitive)\s+(?:automatic\s+|static\s+)?(\w+)`)

// holdsItsModule reports whether a file declares the module in its name, as files with found modules do. Other files
// are include files.
func holdsItsModule(path string) (bool, error) {
	text, err := files.Verilog.Read(path)
	if err != nil {
		return false, failure.Usage(err)
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for _, m := range named().FindAllStringSubmatch(uncommented(string(text)), -1) {
		if m[1] == name {
			return true, nil
		}
	}
	return false, nil
}

// listOfIcarus and listOfVerilator parse the output of tool.list's flags.
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
var sourceOfVerilator = printable.Regexp(`(?m)^S[ \d]+ (".*")$`)

// lintCode matches the warning codes that a source enables or disables.
var lintCode = printable.Regexp(`verilator\s+lint_(?:off|on)\s+(\w+)`)

// futureCodes returns the warning codes in a design, some of which may be unknown to an older Verilator.
func futureCodes(text string) (codes []string) {
	for _, m := range lintCode().FindAllStringSubmatch(text, -1) {
		codes = append(codes, m[1])
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}
