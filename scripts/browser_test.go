package scripts

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"utfbench/internal/testkit"
)

// core are the packages with which a page tests a chip. They start no processes and do not use NATS.
var core = []string{"utfbench/web/session", "utfbench/station", "utfbench/runs/plan",
	"utfbench/runs/report", "utfbench/runs/explain",
	"utfbench/cause/diagnose", "utfbench/cause/wiring", "utfbench/transport/rp2040/demoboard", "utfbench/tile/gates"}

// The core builds for browsers.
func TestCoreIsForABrowser(t *testing.T) {
	browser := append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	list := exec.Command("go", append([]string{"list", "-deps"}, core...)...)
	list.Env = browser
	out, err := list.Output()
	if err != nil {
		t.Skip("needs the go command: ", err)
	}
	for _, pkg := range strings.Fields(string(out)) {
		if pkg == "os/exec" || strings.Contains(pkg, "nats") {
			t.Errorf("the core depends on %s", pkg)
		}
	}
	testkit.Long(t)
	build := exec.Command("go", append([]string{"build"}, core...)...)
	build.Env = browser
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
