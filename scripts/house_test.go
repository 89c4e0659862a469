package scripts

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// storeys are the groups of packages, top-down: a package imports only from its own and lower groups. Groups on one
// line do not import each other. docs/architecture.md shows them.
var storeys = [][]string{
	{"cmd"},
	{"lab", "web"},
	{"station", "sweep"},
	{"runs"},
	{"cause"},
	{"driver"},
	{"tile"},
	{"fault", "golden", "model"},
	{"boards"},
	{"transport"},
	{"internal"},
}

// joins are the permitted upward imports, with reasons.
var joins = []struct{ pkg, to string }{
	{"model/wired", "fault"},                 // attaches the model to wires
	{"transport/mock", "fault"},              // likewise the mock,
	{"transport/mock", "tile"},               // whose chip is a tile's reference
	{"transport/netlist", "tile/gates"},      // the chip is a tile's design
	{"transport/rp2040/demoboard", "boards"}, // numbers of designs on the shuttle
	{"transport/rp2040/boardtest", "boards"}, // the same on a simulated board
	{"transport/rp2040/boardtest", "model"},  // its chip
	{"transport/rp2040/boardtest", "fault"},  // its factory test
	{"transport/rp2040/boardtest", "tile"},   //
	{"internal/testkit", "golden"},           // shared test helpers
	{"internal/testkit", "model"},            //
	{"internal/testkit", "tile/utf/dialect"}, //
	{"internal/testkit", "transport"},        //
}

// No package imports one above it, except for joins.
func TestStoreys(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}{{range .Imports}} {{.}}{{end}}",
		"utfbench/...").Output()
	if err != nil {
		t.Skip("needs the go command: ", err)
	}
	met := map[int]bool{}
	for line := range strings.Lines(string(out)) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), " ")
		at := storey(pkg)
		if at < 0 {
			if pkg != "utfbench/scripts" && pkg != "utfbench/scripts/initramfs" {
				t.Errorf("%s stands in no group", pkg)
			}
			continue
		}
		for _, to := range strings.Fields(imports) {
			below := storey(to)
			if below < 0 || below > at || group(to) == group(pkg) {
				continue
			}
			join := slices.IndexFunc(joins, func(j struct{ pkg, to string }) bool {
				return pkg == "utfbench/"+j.pkg && strings.HasPrefix(to, "utfbench/"+j.to)
			})
			if join < 0 {
				t.Errorf("%s imports %s, which is not below it", pkg, to)
			}
			met[join] = true
		}
	}
	for i, j := range joins {
		if !met[i] {
			t.Errorf("%s imports %s no more: take it out of the list", j.pkg, j.to)
		}
	}
}

// storey returns the index of a package's group, or -1 for other modules.
func storey(pkg string) int {
	return slices.IndexFunc(storeys, func(groups []string) bool { return slices.Contains(groups, group(pkg)) })
}

// group returns the first folder of a package of this module.
func group(pkg string) string {
	path, _ := strings.CutPrefix(pkg, "utfbench/")
	g, _, _ := strings.Cut(path, "/")
	return g
}
