package verilog

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"utfbench/internal/confine"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// A tool is a simulator and its commands.
type tool struct {
	name, title  string // name for flags, title for users
	command, pkg string // pkg is the Debian package
	version      []string
	twoState     bool
	joins        bool // whether its preprocessor concatenates files
	preprocess   func(c *Config) []string
	check        func(c *Config) []string            // checks the sources
	list         func(file string) []string          // makes the tool list the files that it reads
	listed       func(file string) ([]string, error) // parses the list
	build        func(c *Config, b *plan) []string   // builds in b.dir
	run          func(entry string) []string
	limits       confine.Limits
}

// tools lists the simulators in order of preference: Icarus starts at once and supports X.
var tools = []*tool{icarus, verilator}

var (
	icarus = &tool{
		name: "icarus", title: "Icarus", command: "iverilog", pkg: "iverilog", version: []string{"-V"}, joins: true,
		preprocess: func(c *Config) []string { return append([]string{"-E", "-o", "/dev/stdout"}, icarusFlags(c)...) },
		check:      func(c *Config) []string { return append([]string{"-t", "null"}, icarusFlags(c)...) },
		list:       func(file string) []string { return []string{"-M", file} },
		listed:     listOfIcarus,
		build:      icarusBuild,
		run:        func(entry string) []string { return []string{"vvp", "-n", entry} },
		limits:     confine.Limits{Processor: 3 * time.Minute, Wall: 10 * time.Minute, Memory: 4 << 30},
	}
	verilator = &tool{
		name: "verilator", title: "Verilator", command: "verilator", pkg: "verilator", version: []string{"--version"},
		twoState:   true,
		preprocess: func(c *Config) []string { return append([]string{"-E"}, verilatorFlags(c)...) },
		check: func(c *Config) []string {
			return append([]string{"--lint-only", "--timing"}, verilatorFlags(c)...)
		},
		list:   func(file string) []string { return []string{"--MMD", "--Mdir", file} },
		listed: listOfVerilator,
		build:  verilatorBuild,
		run:    func(entry string) []string { return []string{entry} },
		limits: confine.Limits{Processor: 20 * time.Minute, Wall: time.Hour, Memory: 4 << 30},
	}
)

// Simulators lists the values of Config.Simulator.
func Simulators() []string { return []string{"auto", tools[0].name, tools[1].name} }

// InstalledCommands returns the commands of the installed simulators.
func InstalledCommands() (commands []string) {
	for _, t := range tools {
		if _, err := exec.LookPath(t.command); err == nil {
			commands = append(commands, t.command)
		}
	}
	return commands
}

func icarusFlags(c *Config) []string {
	flags := append(slices.Clone(icarusDialect), each("-D", c.Defines)...)
	return append(flags, each("-I", c.Includes)...)
}

var icarusDialect = []string{"-g2012", "-Wno-timescale"}

// icarusBuild uses a command file, because there is no flag for the time scale.
func icarusBuild(_ *Config, b *plan) []string {
	args := append([]string{"-s", "utfbench_tile", "-o", b.path("sim"), "-f", b.path("options")}, icarusDialect...)
	args = append(args, each("-D", b.macros)...)
	return append(args, b.path(designFile), b.path("tile.v"))
}

// verilatorDialect returns the flags of every command, including flags that allow a newer Verilator's warning codes.
func verilatorDialect(c *Config) []string {
	return append([]string{"-Wno-fatal", "-Wno-lint", "-Wno-style"}, each("-Wfuture-", c.future)...)
}

func verilatorFlags(c *Config) []string {
	flags := append(verilatorDialect(c), each("-D", c.Defines)...)
	return append(flags, each("-I", c.Includes)...)
}

func verilatorBuild(c *Config, b *plan) []string {
	args := []string{"--timing", "-O3", noBitTrees, "-j", "0", "--timescale", timescale, "--Mdir", b.path("obj"),
		"-o", "../sim", "-MAKEFLAGS", "OPT_FAST=-O2 OPT_SLOW=-O1",
		"--cc", "--exe", "--build", "--top-module", "utfbench_pins", "--prefix", "Vutfbench_pins"}
	args = append(args, verilatorDialect(c)...)
	args = append(args, each("-D", b.macros)...)
	return append(args, b.path(designFile), b.path("pins.v"), b.path("harness.cpp"))
}

// noBitTrees disables an optimisation that computes wrong values up to Verilator 5.020 (its issue 4832, and 4059, 3824
// before it). In 5.006 the netlist of tile/gates/testdata/still had a wrong bit, which would make a good chip FAIL.
const noBitTrees = "-fno-const-bit-op-tree"

func each(flag string, values []string) (args []string) {
	for _, v := range values {
		args = append(args, flag+v)
	}
	return args
}

func findTool(name string) (*tool, error) {
	if !slices.Contains(append(Simulators(), ""), name) {
		return nil, failure.Usagef("unknown simulator %q: allowed are %s", name, strings.Join(Simulators(), ", "))
	}
	for _, t := range tools {
		if name != t.name && name != "auto" && name != "" {
			continue
		}
		if _, err := exec.LookPath(t.command); err == nil {
			return t, nil
		} else if name == t.name {
			return nil, fmt.Errorf("the simulator %s is not installed: it is the Debian package %s", t.name, t.pkg)
		}
	}
	return nil, errors.New("no simulator is installed: Icarus is the Debian package iverilog, Verilator is verilator")
}

func (t *tool) call(ctx context.Context, args ...string) (out, messages string, err error) {
	return t.callIn(ctx, "", args...)
}

// callIn is like call, but runs the tool in a folder, or in the current one for "".
func (t *tool) callIn(ctx context.Context, dir string, args ...string) (out, messages string, err error) {
	cmd := exec.Command(t.command, args...)
	cmd.Dir = dir
	return confine.Run(ctx, t.name, cmd, t.limits)
}

// refused converts a failed tool's messages to an error of one sentence.
func (t *tool) refused(err error, messages string) error {
	return t.limits.ExplainError(t.name, err, messages, t.reason)
}

// reason returns the reason in a tool's messages, with a hint if the cure is known.
func (t *tool) reason(messages string) string {
	first := firstMessage(messages)
	switch {
	case missingCell().MatchString(first):
		return first + "; that is a cell of a process design kit: -t netlist:FILE simulates a netlist without one"
	case t.twoState && strings.Contains(first, "Unsupported: "):
		return first + "; --simulator icarus may take it"
	}
	return first
}

// missingCell matches both simulators' messages about an unknown cell of a kit.
var missingCell = printable.LazyRegexp(
	`(?:Unknown module type: |module reference: ')(?:sky130_|sg13g2_|gf180mcu_)`)

// message matches FILE:LINE: and a message; Verilator adds a column and a prefix.
var message = printable.LazyRegexp(`(?m)^(%Error(?:-\w+)?: )?([^\s:%][^:\n]*:\d+)(?::\d+)?: (error: )?(.+)$`)

// firstMessage returns the first error with a location. Failing that, it returns the first located message that is
// neither a warning nor a notice, or else the first line.
func firstMessage(messages string) string {
	all := message().FindAllStringSubmatch(messages, -1)
	for _, m := range all {
		if m[1] != "" || m[3] != "" || m[4] == "syntax error" { // an error of Icarus
			return m[2] + ": " + m[4]
		}
	}
	for _, m := range all {
		if !slices.ContainsFunc([]string{"warning:", "sorry:", "..."}, func(w string) bool {
			return strings.HasPrefix(m[4], w)
		}) {
			return m[2] + ": " + m[4]
		}
	}
	for line := range strings.Lines(messages) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return "it gives no reason"
}
