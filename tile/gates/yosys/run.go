package yosys

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"utfbench/internal/confine"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
)

// A Design is RTL as described by its author.
type Design struct {
	Top        string
	Sources    []string
	Defines    []string // NAME or NAME=VALUE
	Includes   []string // folders
	ProjectDir string   // the project's folder, which contains the files that the sources read
	DataDir    string   // folder for relative names of data files; "" is the first source's
	CacheDir   string   // folder for elaborated designs; "" is the user's cache folder
}

// An Elaboration is an elaborated design.
type Elaboration struct {
	Circuit   *sim.Circuit
	Version   string   // of Yosys
	Digest    string   // of Yosys' version and everything read, in hex
	FilesRead []string // files read, as named by the user

	Undriven []project.Finding // undeclared names that nothing drives
}

// limits are Yosys' limits. The largest CPU of the shuttles takes 40 seconds.
var limits = confine.Limits{Processor: 5 * time.Minute, Wall: 10 * time.Minute, Memory: 4 << 30}

// script elaborates a design to simple cells. It drops initial values before any optimisation uses them, since silicon
// has none; it keeps only those of memories that nothing writes, which are logic. Without -simple-dffe, opt_dff turns
// enables into don't-cares.
//
//go:embed script.ys
var script string

// Find returns the path of Yosys: from PATH, or from the OSS CAD Suite in YOSYSHQ_ROOT.
func Find() (string, error) {
	if path, err := exec.LookPath("yosys"); err == nil {
		return path, nil
	}
	if root := os.Getenv("YOSYSHQ_ROOT"); root != "" {
		if path, err := exec.LookPath(filepath.Join(root, "bin", "yosys")); err == nil {
			return path, nil
		}
	}
	return "", errors.New("yosys is not installed; it makes the gates of a tile's RTL: apt-get install yosys, or " +
		"take OSS CAD Suite")
}

// A run is the processing of one design with Yosys.
type run struct {
	Design
	path, version string   // of Yosys
	dir           string   // for temporary files
	end           func()   // removes dir
	where         string   // working folder of the elaboration
	text          string   // the preprocessed sources
	read          []string // files of that text
	data          []string // files read during elaboration
	digest        string   // of Yosys' version and everything read, in hex
}

// Elaborate makes the circuit of a design, which takes seconds, or reads it from the cache.
func Elaborate(ctx context.Context, d Design) (*Elaboration, error) {
	r, err := begin(ctx, d)
	if err != nil {
		return nil, err
	}
	defer r.end()
	entry, err := r.made(ctx)
	if err != nil {
		entry, err = r.translated(ctx, err)
	}
	if err != nil {
		return nil, err
	}
	netlist, err := jsonFile.Read(filepath.Join(entry, netlistFile))
	if err != nil {
		return nil, err
	}
	undriven, err := r.undriven(entry, netlist)
	if err != nil {
		return nil, err
	}
	c, err := ParseJSON(netlist, d.Top)
	if err != nil {
		return nil, failure.Usage(r.inUsersWords(err))
	}
	for i := range c.Parts {
		c.Parts[i].File = r.users(c.Parts[i].File)
	}
	read := append(r.read, r.data...)
	for i := range read {
		read[i] = r.users(read[i])
	}
	return &Elaboration{c, r.version, r.digest, read, undriven}, nil
}

// Copy returns a design as the text of one module with this name, which keeps the author's initial values.
func Copy(ctx context.Context, d Design, name string) (text string, err error) {
	r, err := begin(ctx, d)
	if err != nil {
		return "", err
	}
	defer r.end()
	if m := kitName().FindString(r.text); m != "" {
		return "", failure.Usagef("it contains the kit's cell %s, whose Verilog is not available", m)
	}
	_, err = r.call(ctx, r.dir, []string{"hierarchy -check -top " + d.Top, "proc", "flatten", "opt_clean",
		"memory_collect", "rename " + d.Top + " " + name}, "-b", "verilog -noattr", "-o", r.own("copy.v"))
	if err != nil {
		return "", err
	}
	copied, err := os.ReadFile(r.own("copy.v"))
	return string(copied), err
}

// begin preprocesses a design. The caller must call end.
func begin(ctx context.Context, d Design) (_ *run, err error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	r := &run{Design: d}
	if r.path, err = Find(); err != nil {
		return nil, err
	}
	if r.dir, r.end, err = files.TempDir(); err != nil {
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
	if err = r.checkArrays(); err != nil {
		return nil, err
	}
	return r, r.write("design.v", r.text+kitModules(r.text)+"\n`default_nettype wire\n")
}

func (r *run) own(name string) string { return filepath.Join(r.dir, name) }

// check rejects sources that Yosys cannot read, and malformed defines.
func (d *Design) check() error {
	if len(d.Sources) == 0 {
		return failure.Usagef("no Verilog file is given")
	}
	for _, s := range d.Sources {
		switch {
		case isVHDL(s):
			return errVHDL(s)
		case strings.ContainsAny(s, "\"\\\n"):
			return failure.Usagef("%q: the name of a source has to be without quotation marks and backslashes", s)
		}
	}
	for _, define := range d.Defines {
		if !defined().MatchString(define) {
			return failure.Usagef("the define %q has to be NAME or NAME=VALUE", define)
		}
	}
	return nil
}

func isVHDL(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".vhd" || ext == ".vhdl"
}

func errVHDL(path string) error {
	return failure.Usagef("%s is VHDL, which Yosys does not read: give --tile the netlist that was fabricated, NAME.v "+
		"with info.yaml beside it, as the shuttle's repository has them", path)
}

var defined = printable.LazyRegexp(`^[A-Za-z_][A-Za-z0-9_$]*(=[^\n]*)?$`)

// invoke runs Yosys in a folder, without plugins. Yosys has no start-up files.
func (r *run) invoke(ctx context.Context, dir string, args ...string) (out, messages string, err error) {
	cmd := exec.Command(r.path, args...)
	cmd.Dir = dir
	return confine.Run(ctx, "Yosys", cmd, limits)
}

func (r *run) ask(ctx context.Context) (string, error) {
	out, _, err := r.invoke(ctx, r.dir, "-V")
	if err != nil {
		return "", fmt.Errorf("the version of %s: %w", r.path, err)
	}
	return strings.TrimSpace(out), nil
}

func (r *run) write(name, text string) error {
	return os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600)
}

// call makes Yosys read only the preprocessed text, and run commands. Modules get only their instances' parameters, and
// no C function is called. It returns Yosys' messages.
func (r *run) call(ctx context.Context, dir string, commands []string, args ...string) (messages string, err error) {
	if err := r.write("script.ys", strings.Join(commands, "\n")+"\n"); err != nil {
		return "", err
	}
	args = append([]string{"-q", "-Q", "-T", "-f", "verilog -sv -nopp -nodpi -defer", "-s", r.own("script.ys")},
		args...)
	if _, messages, err = r.invoke(ctx, dir, append(args, r.own("design.v"))...); err != nil {
		return "", limits.ExplainError("Yosys", err, messages, r.reason)
	}
	return messages, nil
}

// workdir returns the folder in which the design is elaborated.
func (r *run) workdir() (string, error) {
	if r.DataDir != "" {
		return filepath.Abs(r.DataDir)
	}
	return filepath.Abs(filepath.Dir(r.Sources[0]))
}
