package yosys

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"utfbench/internal/confine"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// beyondYosys matches constructs of SystemVerilog that Yosys's own Verilog front end reads in part or not at all.
var beyondYosys = printable.Regexp(`^\s*(interface|class|program|covergroup|bind)\b|` +
	`\b(modport|foreach|inside|randomize|union|virtual|nettype)\b|('\{|\w+::\w+'\()`)

// beyond returns the first such construct in the sources, with its place; "" without one.
func (r *run) beyond() string {
	for _, path := range r.read {
		text, err := files.Verilog.Read(path)
		if err != nil {
			continue // which Yosys says
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			code, _, _ := strings.Cut(line, "//")
			if m := beyondYosys().FindStringSubmatch(code); m != nil {
				return fmt.Sprintf("%s:%d: %s", r.users(path), n, m[1]+m[2]+m[3])
			}
		}
	}
	return ""
}

// translated elaborates the design once more, after sv2v has translated it to Verilog. Without sv2v it adds to the
// error of Yosys the construct that Yosys cannot read.
func (r *run) translated(ctx context.Context, why error) (entry string, err error) {
	construct := r.beyond()
	if failure.KindOf(why) != failure.User || construct == "" {
		return "", why
	}
	path, err := exec.LookPath("sv2v")
	if err != nil {
		return "", failure.Usagef("%w; %s is SystemVerilog beyond Yosys: install sv2v, which the bench runs then, or "+
			"give --tile the netlist that was fabricated", why, construct)
	}
	if err := r.write("design.sv", r.text); err != nil {
		return "", err
	}
	text, messages, err := confine.Run(ctx, "sv2v", exec.Command(path, r.own("design.sv")), most)
	if err == nil {
		r.text = text
		err = r.write("design.v", text+kitModules(text)+"\n`default_nettype wire\n")
	}
	if err != nil {
		return "", failure.Usagef("%w; %s is SystemVerilog beyond Yosys, and sv2v refuses it: %s", why, construct,
			strings.TrimSpace(messages))
	}
	return r.made(ctx)
}
