package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mistaken lists command lines with a mistake that leads to a message about flags.
const mistaken = `
report 99
report
report nofile
bundle 99
bundle 99 --out nowhere/x.zip
diagnose 98 99
diagnose a b --netlist x
minimise nosuch
minimise 99 --timeout 0s
run --again 99
run --again 99 --timeout 0s
diff 98 99
vectors show nosuch
vectors show nosuch --file nofile
history prune
history prune --keep -1
export
export 99 --verilog nowhere/x.v
coverage 99 --netlist x
coverage --netlist a
run -t mock -t foo
run -t mock -t mock
run -t mock -t replay:99
run -t foo
run -t replay:99
run -t replay
run -t mock:tt99
run -t verilog
run -t verilog:nofile.v
run -t rp2040:/dev/nosuch
run --define x
run --settle 1s
run --count 0
run --timeout -1s
run --random 3 --file nofile
run --suite nosuch
run --run [
run --file nofile
run --tag x
run --fault nosuch
run --fault uo3=stuck1 --fault uo3=stuck0
run --sample 1ns
run --lead 1ns
run --at 1
run --at 1MHz --sample 900us
run --html nowhere/x.html
run --junit nowhere/x.xml
loop
run --board nosuch
run --board rpi
run --revision tt99
run --nosuch
run nosuch
run -t gpio --settle 100h
park -t gpio --reboot
park -t rp2040:/dev/nosuch
doctor -t foo
wiring -t replay:99
shmoo -x foo
shmoo --count 0
timing --count 0
board show nosuch
designs --shuttle nosuch
tile --tile nosuch
step -t foo
import nofile
import nofile --edge x
cocotb -- make
cocotb
sweep --space nosuch
sweep --max-failures -1
sweep --resume nowhere/x
`

var flagWord = regexp.MustCompile(`(?:^|[ ("])(--?[a-z]+(?:-[a-z]+)*)`)

// complaint returns the part of a message that names the fault. The remedy follows a colon or semicolon, or begins with
// "give", and may name other flags.
func complaint(message string) string {
	first := regexp.MustCompile(`[:;] `).Split(message, 2)[0]
	if strings.HasPrefix(first, "give ") {
		return ""
	}
	return first
}

// A message does not blame a flag that the user did not type.
func TestNoFlagThatWasNotTyped(t *testing.T) {
	t.Chdir(t.TempDir())
	for line := range strings.Lines(strings.TrimSpace(mistaken)) {
		args := strings.Fields(line)
		code, said := benchOnce(args...)
		said = strings.TrimSpace(said)
		said = strings.TrimPrefix(said[strings.LastIndex(said, "\n")+1:], "bench: ")
		if code != exitUsage && code != exitBench {
			t.Errorf("%s ends with %d: %s", args, code, said)
		}
		for _, m := range flagWord.FindAllStringSubmatch(complaint(said), -1) {
			if !slices.Contains(args, m[1]) {
				t.Errorf("bench %s complains of %s: %s", strings.Join(args, " "), m[1], said)
			}
		}
	}
}

// A message names the variable or bench.yaml if a value comes from there.
func TestWhereAFlagComesFrom(t *testing.T) {
	t.Setenv("BENCH_REVISION", "tt99")
	const from = ` (--revision comes from the variable BENCH_REVISION)`
	for _, c := range []struct{ args, want string }{
		{"run", `bench: --revision "tt99": allowed are tt09, tt08` + from},
		{"run --revision tt98", `bench: --revision "tt98": allowed are tt09, tt08`},
	} {
		if _, said := benchOnce(strings.Fields(c.args)...); strings.TrimSpace(said) != c.want {
			t.Errorf("%s: %s; want %s", c.args, said, c.want)
		}
	}
}
