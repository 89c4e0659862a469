package station

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/tile/utf"
)

// A design with another name is not compared with the UTF chip. The error names the folder of the design's info.yaml.
func TestCheckModule(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "info.yaml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	target := NewTarget("verilog")
	err := target.CheckModule("tt_um_pwm", filepath.Join(dir, "src", "project.v"))
	if err == nil || !strings.HasPrefix(err.Error(), "the design is tt_um_pwm, not "+utf.TT09.Project()+", ") ||
		!strings.Contains(err.Error(), ": --tile "+filepath.ToSlash(dir)+" tests it") {
		t.Error(err)
	}
	if err := target.CheckModule("tt_um_pwm"); err == nil || !strings.Contains(err.Error(), "--tile FOLDER") {
		t.Error(err)
	}
	if err := target.CheckModule(utf.TT09.Project()); err != nil {
		t.Error(err)
	}
	target.Insist = true
	if err := target.CheckModule("tt_um_pwm"); err != nil {
		t.Error(err)
	}
}

// The gates of a project are compared only with a design of the project's name.
func TestCheckModuleOfProject(t *testing.T) {
	target := NewTarget("netlist")
	target.Tile = gates.DescribedTile{About: &project.Project{Top: "tt_um_pwm"}}
	if err := target.CheckModule("tt_um_pwm"); err != nil {
		t.Error(err)
	}
	if err := target.CheckModule("tt_um_dff_mem"); err == nil || !strings.Contains(err.Error(),
		"the design is tt_um_dff_mem, not tt_um_pwm, which --tile names") {
		t.Error(err)
	}
}
