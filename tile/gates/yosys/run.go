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
}

// An Elaborated design is what Yosys has made of one.
type Elaborated struct {
	Circuit *circuit.Circuit
	Version string   // of Yosys
	Digest  string   // of Yosys' version and of all that was read, in hex
	Read    []string // the files that were read
}

// most limits Yosys. The largest CPU of the shuttles takes 40 seconds.
var most = confine.Limits{Processor: 5 * time.Minute, Wall: 10 * time.Minute, Memory: 4 << 30}

// script elaborates a design to simple cells. Initial values are dropped before anything is optimised by them: silicon
// has none. What a memory without a write port holds is logic, and stays.
//
//go:embed script.ys
var script string

// Find returns the path of Yosys: on PATH, or in OSS CAD Suite, whose environment has its folder in YOSYSHQ_ROOT.
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
	path string // of Yosys
	dir  string // for what is written meanwhile
}

// Elaborate makes the circuit of a design. It takes seconds.
func Elaborate(ctx context.Context, d Design) (*Elaborated, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	path, err := Find()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "utfbench-yosys-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	r := &run{d, path, dir}
	version, err := r.version(ctx)
	if err != nil {
		return nil, err
	}
	text, err := r.preprocess(ctx)
	if err != nil {
		return nil, err
	}
	read, err := r.allowed(filesOf(text))
	if err != nil {
		return nil, err
	}
	netlist, data, err := r.elaborate(ctx, text)
	if err != nil {
		return nil, err
	}
	digest, err := r.digest(version, text, data)
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
	return &Elaborated{c, version, digest, append(read, data...)}, nil
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

// call runs Yosys in a folder. No plugin is loaded, and nothing is read from a start-up file: Yosys has none.
func (r *run) call(ctx context.Context, dir string, args ...string) (out, messages string, err error) {
	cmd := exec.Command(r.path, args...)
	cmd.Dir = dir
	return confine.Run(ctx, "Yosys", cmd, most)
}

// version returns what Yosys says of itself.
func (r *run) version(ctx context.Context) (string, error) {
	out, _, err := r.call(ctx, r.dir, "-V")
	if err != nil {
		return "", fmt.Errorf("the version of %s: %w", r.path, err)
	}
	return strings.TrimSpace(out), nil
}

// write writes a file of the run's own.
func (r *run) write(name, text string) error {
	return os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600)
}

// elaborate has Yosys elaborate the preprocessed text and nothing else: a module with those parameters alone that its
// instances have, and no function of C, which Yosys would call. Data are the files that the design reads as it
// is elaborated.
func (r *run) elaborate(ctx context.Context, text string) (netlist []byte, data []string, err error) {
	if err := errors.Join(r.write("design.v", text+kitModules(text)),
		r.write("script.ys", "hierarchy -check -top "+r.Top+"\n"+script)); err != nil {
		return nil, nil, err
	}
	own := func(name string) string { return filepath.Join(r.dir, name) }
	where, err := r.workdir()
	if err != nil {
		return nil, nil, err
	}
	_, messages, err := r.call(ctx, where, "-q", "-Q", "-T", "-E", own("read"), "-f", "verilog -sv -nopp -nodpi -defer",
		"-s", own("script.ys"), "-b", "json", "-o", own("netlist.json"), own("design.v"))
	if err != nil {
		return nil, nil, most.Refused("Yosys", err, messages, r.reason)
	}
	if data, err = r.dataFiles(own("read"), where); err != nil {
		return nil, nil, err
	}
	f, err := os.Open(own("netlist.json"))
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	netlist, err = io.ReadAll(io.LimitReader(f, mostJSON+1))
	return netlist, data, err
}

// workdir is the folder in which the design is elaborated.
func (r *run) workdir() (string, error) {
	if r.Data != "" {
		return filepath.Abs(r.Data)
	}
	return filepath.Abs(filepath.Dir(r.Sources[0]))
}

// dataFiles returns those files of Yosys' list of what it has read that are neither its own nor the run's.
func (r *run) dataFiles(list, where string) ([]string, error) {
	text, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	_, names, _ := strings.Cut(string(text), ": ")
	var all []string
	for _, name := range strings.Fields(strings.ReplaceAll(names, `\ `, "\x00")) {
		name = strings.ReplaceAll(name, "\x00", " ")
		if !filepath.IsAbs(name) {
			name = filepath.Join(where, name)
		}
		if filepath.Dir(name) != r.dir && !strings.Contains(name, "/share/yosys/") {
			all = append(all, name)
		}
	}
	return r.allowed(all)
}

// digest is of all that the circuit is made of, wherever its files are.
func (r *run) digest(version, text string, data []string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q\n", version, script, r.Top, marker.ReplaceAllString(text, ""))
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
