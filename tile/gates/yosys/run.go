package yosys

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"utfbench/internal/confine"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/tile/gates/circuit"
)

// A Design is RTL as its author describes it.
type Design struct {
	Top      string
	Sources  []string
	Defines  []string // NAME or NAME=VALUE
	Includes []string // folders
	Home     string   // the project's folder, in which the files are that the sources read
	Data     string   // the folder to which the names of data files are relative; "" is that of the first source
	Cache    string   // the folder of what was elaborated; "" is the user's cache folder
}

// An Elaborated design is what Yosys has made of one.
type Elaborated struct {
	Circuit *circuit.Circuit
	Version string   // of Yosys
	Digest  string   // of Yosys' version and of all that was read, in hex
	Read    []string // the files that were read, as the user knows them
}

// most limits Yosys. The largest CPU of the shuttles takes 40 seconds.
var most = confine.Limits{Processor: 5 * time.Minute, Wall: 10 * time.Minute, Memory: 4 << 30}

// script elaborates a design to simple cells. Initial values are dropped before anything is optimised by them: silicon
// has none. What a memory without a write port holds is logic, and stays.
//
//go:embed script.ys
var script string

// Find returns the path of Yosys: on PATH, or in OSS CAD Suite, with its folder in YOSYSHQ_ROOT.
func Find() (string, error) {
	if path, err := exec.LookPath("yosys"); err == nil {
		return path, nil
	}
	if root := os.Getenv("YOSYSHQ_ROOT"); root != "" {
		if path, err := exec.LookPath(filepath.Join(root, "bin", "yosys")); err == nil {
			return path, nil
		}
	}
	return "", errors.New("yosys is not installed, and makes the gates of a tile's RTL: apt-get install yosys, or " +
		"take OSS CAD Suite")
}

// A run is a call of Yosys for one design.
type run struct {
	Design
	path, version string   // of Yosys
	dir           string   // for what is written meanwhile
	where         string   // the folder in which the design is elaborated
	text          string   // the sources, preprocessed
	read          []string // the files of which that is
}

// Elaborate makes the circuit of a design, which takes seconds, or finds it made in the cache.
func Elaborate(ctx context.Context, d Design) (*Elaborated, error) {
	r, err := begin(ctx, d)
	if err != nil {
		return nil, err
	}
	defer r.end()
	entry, err := r.made(ctx)
	if err != nil {
		return nil, err
	}
	netlist, err := readNetlist(filepath.Join(entry, netlistFile))
	if err != nil {
		return nil, err
	}
	data, err := r.dataFiles()
	if err != nil {
		return nil, err
	}
	digest, err := r.digest(data)
	if err != nil {
		return nil, err
	}
	c, err := Read(netlist, d.Top)
	if err != nil {
		return nil, failure.Usage(r.inUsersWords(err))
	}
	for i := range c.Parts {
		c.Parts[i].File = r.users(c.Parts[i].File)
	}
	read := append(r.read, data...)
	for i := range read {
		read[i] = r.users(read[i])
	}
	return &Elaborated{c, r.version, digest, read}, nil
}

// Copy returns a design as the text of one module with a chosen name, which replaces the design in a simulation. It
// keeps the author's initial values.
func Copy(ctx context.Context, d Design, name string) (text string, err error) {
	r, err := begin(ctx, d)
	if err != nil {
		return "", err
	}
	defer r.end()
	if m := kitName.FindString(r.text); m != "" {
		return "", failure.Usagef("it has the cell %s of a kit inside, of which there is no text", m)
	}
	err = r.call(ctx, r.dir, []string{"hierarchy -check -top " + d.Top, "proc", "flatten", "opt_clean",
		"memory_collect", "rename " + d.Top + " " + name}, "-b", "verilog -noattr", "-o", r.own("copy.v"))
	if err != nil {
		return "", err
	}
	copied, err := os.ReadFile(r.own("copy.v"))
	return string(copied), err
}

// begin has Yosys preprocess a design. End the run.
func begin(ctx context.Context, d Design) (_ *run, err error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	r := &run{Design: d}
	if r.path, err = Find(); err != nil {
		return nil, err
	}
	if r.dir, err = os.MkdirTemp("", "utfbench-yosys-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			r.end()
		}
	}()
	if r.where, err = r.workdir(); err != nil {
		return nil, err
	}
	if r.version, err = r.ask(ctx); err != nil {
		return nil, err
	}
	if r.text, err = r.preprocess(ctx); err != nil {
		return nil, err
	}
	if r.read, err = r.allowed(filesOf(r.text)); err != nil {
		return nil, err
	}
	return r, r.write("design.v", r.text+kitModules(r.text))
}

// end removes temporary files.
func (r *run) end() { os.RemoveAll(r.dir) }

// own returns the path of one of the run's own files.
func (r *run) own(name string) string { return filepath.Join(r.dir, name) }

// Files: the JSON of write_json, and Yosys' list of files read.
const (
	netlistFile = "netlist.json"
	readFile    = "read"
)

// readsData reports whether the design reads files while it is elaborated.
func (r *run) readsData() bool { return strings.Contains(r.text, "$readmem") }

// made returns a folder with the netlist of the elaborated design. The cache has it by the preprocessed text, unless
// the design reads data while it is elaborated.
func (r *run) made(ctx context.Context) (dir string, err error) {
	make := func(dir string) error {
		return r.call(ctx, r.where, []string{"hierarchy -check -top " + r.Top, script},
			"-E", r.own(readFile), "-b", "json", "-o", filepath.Join(dir, netlistFile))
	}
	if r.readsData() {
		return r.dir, make(r.dir)
	}
	kept, err := files.OpenCache(r.Cache, "gates")
	if err != nil {
		return "", err
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", r.version, script, r.Top, r.text))
	return kept.Entry(fmt.Sprintf("%x", key[:16]), make)
}

// readNetlist reads the JSON of Yosys, up to a byte more than is allowed.
func readNetlist(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostJSON+1))
}

// check refuses what Yosys does not read.
func (d *Design) check() error {
	if len(d.Sources) == 0 {
		return failure.Usagef("no Verilog file is given")
	}
	for _, s := range d.Sources {
		switch ext := strings.ToLower(filepath.Ext(s)); {
		case ext == ".vhd" || ext == ".vhdl":
			return failure.Usagef("%s is VHDL, which Yosys does not read: give --tile the netlist that was "+
				"fabricated, NAME.v with info.yaml beside it, as the shuttle's repository has them", s)
		case strings.ContainsAny(s, "\"\\\n"):
			return failure.Usagef("%q: the name of a source has to be without quotation marks and backslashes", s)
		}
	}
	for _, define := range d.Defines {
		if !defined.MatchString(define) {
			return failure.Usagef("the define %q has to be NAME or NAME=VALUE", define)
		}
	}
	return nil
}

var defined = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*(=[^\n]*)?$`)

// invoke runs Yosys in a folder. No plugin is loaded, and nothing is read from a start-up file: Yosys has none.
func (r *run) invoke(ctx context.Context, dir string, args ...string) (out, messages string, err error) {
	cmd := exec.Command(r.path, args...)
	cmd.Dir = dir
	return confine.Run(ctx, "Yosys", cmd, most)
}

// ask returns what Yosys says of its version.
func (r *run) ask(ctx context.Context) (string, error) {
	out, _, err := r.invoke(ctx, r.dir, "-V")
	if err != nil {
		return "", fmt.Errorf("the version of %s: %w", r.path, err)
	}
	return strings.TrimSpace(out), nil
}

// write writes a file of the run's own.
func (r *run) write(name, text string) error {
	return os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600)
}

// call makes Yosys read only the preprocessed text and run commands: modules get only their instances' parameters, and
// no C function is called.
func (r *run) call(ctx context.Context, dir string, commands []string, args ...string) error {
	if err := r.write("script.ys", strings.Join(commands, "\n")+"\n"); err != nil {
		return err
	}
	args = append([]string{"-q", "-Q", "-T", "-f", "verilog -sv -nopp -nodpi -defer", "-s", r.own("script.ys")},
		args...)
	if _, messages, err := r.invoke(ctx, dir, append(args, r.own("design.v"))...); err != nil {
		return most.Refused("Yosys", err, messages, r.reason)
	}
	return nil
}

// workdir returns the folder in which the design is elaborated.
func (r *run) workdir() (string, error) {
	if r.Data != "" {
		return filepath.Abs(r.Data)
	}
	return filepath.Abs(filepath.Dir(r.Sources[0]))
}

// dataFiles returns the files that Yosys read, except its own and the run's.
func (r *run) dataFiles() ([]string, error) {
	if !r.readsData() {
		return nil, nil
	}
	text, err := os.ReadFile(r.own(readFile))
	if err != nil {
		return nil, err
	}
	_, names, _ := strings.Cut(string(text), ": ")
	var all []string
	for _, name := range strings.Fields(strings.ReplaceAll(names, `\ `, "\x00")) {
		name = strings.ReplaceAll(name, "\x00", " ")
		if !filepath.IsAbs(name) {
			name = filepath.Join(r.where, name)
		}
		if filepath.Dir(name) != r.dir && !strings.Contains(name, "/share/yosys/") {
			all = append(all, name)
		}
	}
	return r.allowed(all)
}

// digest hashes all inputs of the circuit, independent of paths.
func (r *run) digest(data []string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q\n", r.version, script, r.Top, marker.ReplaceAllString(r.text, ""))
	for _, path := range data {
		f, err := os.Open(path)
		if err != nil {
			return "", failure.Usage(err)
		}
		fmt.Fprintf(h, "%q\n", filepath.Base(path))
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return "", failure.Usage(err)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
