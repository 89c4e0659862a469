package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"utfbench/golden"
	"utfbench/internal/printable"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
)

// recordedAs writes a recording without executions that begins with this.
func recordedAs(t *testing.T, run report.Run, suites ...*golden.Suite) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.rec")
	f := testkit.Must(os.Create(path))(t)
	defer f.Close()
	if err := report.NewWriter(f, suites...).Start(run); err != nil {
		t.Fatal(err)
	}
	return path
}

// A recording that does not say how its chip is reached never leads to another chip.
func TestNoTarget(t *testing.T) {
	c := testkit.Must(runFinder{design: usualDesign()}.recording(recordedAs(t,
		report.Run{Identity: report.Identity{Revision: "tt09"}})))(t)
	defer c.Close()
	if said := c.Command("run"); said != "bench run -t TRANSPORT" {
		t.Errorf("its command is %q", said)
	}
	to, cmd := aTarget()
	if same, err := to.bring(cmd, "a.rec", &c.Recording.Start); same || err == nil ||
		!strings.Contains(err.Error(), "give -t") {
		t.Errorf("an older bench's: %v %v", same, err)
	}
	if code, said := bench(t, "run", "-t", "TRANSPORT"); code != exitUsage {
		t.Errorf("exit code %d, %s", code, said)
	}
}

// aTarget returns a target with a command that has its flags.
func aTarget() (*target, *cobra.Command) {
	to, cmd := new(target), new(cobra.Command)
	to.flags(cmd, usualDesign())
	return to, cmd
}

// A recording from elsewhere names a target, and no file to write.
func TestTargetOfAStranger(t *testing.T) {
	start := &report.Start{Identity: report.Identity{Chip: report.Chip{Kind: "verilog"}},
		Target: []string{"-t", "verilog:a.v"}}
	to, cmd := aTarget()
	if same, err := to.bring(cmd, "7", start); !same || err != nil {
		t.Fatal(same, err)
	}
	if got := printable.Command(to.Words()...); got != "bench -t verilog:a.v" {
		t.Errorf("the target is %s", got)
	}
	start.Target = []string{"--out", "precious"}
	if _, err := to.bring(cmd, "a.rec", start); err == nil || !strings.Contains(err.Error(), "does not know: give -t") {
		t.Errorf("no flag of a target: %v", err)
	}
}

// A recording from elsewhere runs no Verilog that the user has not named.
func TestTargetThatRuns(t *testing.T) {
	for _, c := range []struct{ run, target, given, refused string }{
		{"a.rec", "-t verilog:a.v", "", "--transport=verilog:a.v"},
		{"b.rec", "-t verilog:a.v --simulator icarus", "", "--simulator=icarus --transport=verilog:a.v"},
		{"a.rec", "-t verilog:a.v", "-t verilog:a.v", ""},
		{"7", "-t verilog:a.v", "", ""},
		{"last", "-t verilog:a.v", "", ""},
		{"a.rec", "-t rp2040:x", "", ""},
	} {
		to, cmd := aTarget()
		if err := cmd.ParseFlags(strings.Fields(c.given)); err != nil {
			t.Fatal(err)
		}
		start := &report.Start{Target: strings.Fields(c.target)}
		start.Kind = "k"
		_, err := to.bring(cmd, c.run, start)
		if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), "("+c.refused+")") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
