package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
)

// recordedAs writes a recording with a start but no executions.
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

func aTarget() (*target, *cobra.Command) {
	to, cmd := new(target), new(cobra.Command)
	to.flags(cmd, usualDesign(files.ProcessEnv()))
	return to, cmd
}

// takeRecorded does not select Verilog to run from a recording from elsewhere unless the user has named it.
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
		_, err := to.takeRecorded(cmd, c.run, start)
		if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), "("+c.refused+")") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
