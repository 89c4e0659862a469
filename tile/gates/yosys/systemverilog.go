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

// beyondYosys matches constructs of SystemVerilog that Yosys' Verilog front end does not read, or not completely.
var beyondYosys = printable.LazyRegexp(`^\s*(interface|class|program|covergroup|bind)\b|` +
	`\b(modport|foreach|inside|randomize|union|virtual|nettype|break|continue|return)\b|('\{|\w+::\w+'\()`)

// systemVerilog matches a syntax error that valid SystemVerilog may cause.
var systemVerilog = printable.LazyRegexp(`\.sv:\d+: syntax error|syntax error, unexpected user_type`)

// beyond returns the first construct in the sources that matches beyondYosys, with its place, or "".
func (r *run) beyond() string {
	for _, path := range r.read {
		text, err := files.Verilog.Read(path)
		if err != nil {
			continue // Yosys reports it
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

// translated elaborates the design again after sv2v has translated it to Verilog, if the sources contain a construct
// that Yosys cannot read, or Yosys reported a syntax error that SystemVerilog may have caused, for which it needs sv2v.
func (r *run) translated(ctx context.Context, why error) (entry string, err error) {
	if failure.KindOf(why) != failure.User {
		return "", why
	}
	what := r.beyond()
	switch {
	case what != "":
		what += " is SystemVerilog beyond Yosys"
	case systemVerilog().MatchString(why.Error()):
		what = "if a simulator reads this line, it is SystemVerilog beyond Yosys"
	default:
		return "", why
	}
	path, err := exec.LookPath("sv2v")
	if err != nil {
		return "", failure.Usagef("%w; %s: install sv2v, which the bench runs then, or give --tile the netlist that "+
			"was fabricated", why, what)
	}
	if err := r.write("design.sv", r.text); err != nil {
		return "", err
	}
	text, messages, err := confine.Run(ctx, "sv2v", exec.Command(path, r.own("design.sv")), limits)
	if err == nil {
		r.text = text
		err = r.write("design.v", text+kitModules(text)+"\n`default_nettype wire\n")
	}
	if err != nil {
		return "", failure.Usagef("%w; %s, and sv2v refuses it: %s", why, what, strings.TrimSpace(messages))
	}
	return r.made(ctx)
}
