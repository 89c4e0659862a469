package tile_test

import (
	"os/exec"
	"strings"
	"testing"
)

// knows lists the packages that may depend on the UTF chip's model: the chip's own packages, the packages that open
// targets by name, the page, the program, and packages that only tests import.
var knows = []string{"utfbench/model", "utfbench/tile/utf", "utfbench/station", "utfbench/lab/", "utfbench/web",
	"utfbench/cmd/", "utfbench/internal/testkit", "utfbench/transport/rp2040/boardtest"}

// No package outside knows depends on the chip's model, even indirectly.
func TestNothingElseKnowsTheChip(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}{{range .Deps}} {{.}}{{end}}", "utfbench/...").Output()
	if err != nil {
		t.Skip("needs the go command: ", err)
	}
	checked := 0
	for line := range strings.Lines(string(out)) {
		deps := strings.Fields(line)
		if may(deps[0]) {
			continue
		}
		checked++
		for _, dep := range deps[1:] {
			if strings.HasPrefix(dep, "utfbench/model") || strings.HasPrefix(dep, "utfbench/tile/utf") {
				t.Errorf("%s depends on %s", deps[0], dep)
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d packages were looked at", checked)
	}
}

func may(pkg string) bool {
	for _, k := range knows {
		if strings.HasPrefix(pkg, k) {
			return true
		}
	}
	return false
}
