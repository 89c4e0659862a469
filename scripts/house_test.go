package scripts

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// storeys are the groups of packages from the top: a package imports from its own group and from those below. What
// stands in one line does not know each other. docs/architecture.md draws them.
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

// joins are the imports upwards, each for a reason.
var joins = []struct{ pkg, to string }{
	{"model/wired", "fault"},                 // puts the model at the end of wires
	{"transport/mock", "fault"},              // so it is with the mock,
	{"transport/mock", "tile"},               // whose chip is the reference of a tile
	{"transport/netlist", "tile/gates"},      // the chip is the design of a tile
	{"transport/rp2040/demoboard", "boards"}, // which design is where on the shuttle
	{"transport/rp2040/boardtest", "boards"}, // the same, on a board for tests
	{"transport/rp2040/boardtest", "model"},  // with the chip on it
	{"transport/rp2040/boardtest", "fault"},  // and the factory test
	{"transport/rp2040/boardtest", "tile"},   //
	{"internal/testkit", "golden"},           // what tests of several packages use
	{"internal/testkit", "model"},            //
	{"internal/testkit", "tile/utf/dialect"}, //
	{"internal/testkit", "transport"},        //
}

// No package imports what stands above it.
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

// storey is where a package's group stands; -1 for packages of others.
func storey(pkg string) int {
	return slices.IndexFunc(storeys, func(groups []string) bool { return slices.Contains(groups, group(pkg)) })
}

// group is the first folder of a package of this module.
func group(pkg string) string {
	path, _ := strings.CutPrefix(pkg, "utfbench/")
	g, _, _ := strings.Cut(path, "/")
	return g
}
