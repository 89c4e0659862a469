package verilog

import (
	"context"
	"strings"
	"testing"
	"time"

	"utfbench/internal/confine"
	"utfbench/internal/failure"
)

func limited(t *testing.T, limits confine.Limits) {
	t.Helper()
	for _, tool := range tools {
		before := tool.limits
		tool.limits = limits
		t.Cleanup(func() { tool.limits = before })
	}
}

// macroBomb returns a short text that a preprocessor expands to 10^10 words.
func macroBomb() string {
	text := "`define A x x x x x x x x x x\n"
	for c := 'B'; c <= 'J'; c++ {
		text += "`define " + string(c) + strings.Repeat(" `"+string(c-1), 10) + "\n"
	}
	return text + "`J\n"
}

// A compiler that exceeds its limit of time or memory is stopped. Verilator itself rejects both designs.
func TestCompilerLimits(t *testing.T) {
	many := header + rest + "genvar i; generate for (i = 0; i < 5000000; i = i + 1) begin: g wire a; assign a = clk; " +
		"end endgenerate\nendmodule\n"
	for _, c := range []struct {
		name, text string
		limits     confine.Limits
		want       string // with Icarus
	}{
		{"time", many, confine.Limits{Processor: time.Second, Wall: time.Minute, Memory: 4 << 30},
			"exceeded the limit of 1s of processor time"},
		{"memory", many, confine.Limits{Processor: time.Minute, Wall: time.Minute, Memory: 200 << 20},
			"exceeded the limit of 200 MiB of memory"},
		{"macros", macroBomb() + header + rest + "endmodule\n",
			confine.Limits{Processor: time.Second, Wall: time.Minute, Memory: 4 << 30}, "icarus"},
		{"wall", many, confine.Limits{Processor: time.Minute, Wall: time.Second, Memory: 4 << 30},
			"icarus did not finish the design within 1s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			simulated(t, func(t *testing.T, simulator string) {
				limited(t, c.limits)
				begun := time.Now()
				tr, err := Open(context.Background(), design(t, simulator, c.text))
				if err == nil {
					tr.Close()
					t.Fatal("the design was opened")
				}
				if strings.Contains(err.Error(), "the system killed it") {
					t.Skip("this machine has not the memory that the limits allow: ", err)
				}
				if failure.KindOf(err) != failure.User || simulator == "icarus" && !strings.Contains(err.Error(),
					c.want) {
					t.Errorf("error %v\nwant a mistake of the user with %q", err, c.want)
				}
				if took := time.Since(begun); took > 50*time.Second {
					t.Errorf("it took %s", took)
				}
			})
		})
	}
}
