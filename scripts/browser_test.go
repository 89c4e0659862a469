package scripts

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
)

// core lists the packages that test a chip in a page. They start no process and do not use NATS.
var core = []string{"utfbench/web", "utfbench/station", "utfbench/runs/plan",
	"utfbench/runs/report", "utfbench/runs/explain",
	"utfbench/cause/diagnose", "utfbench/transport/rp2040/demoboard", "utfbench/tile/gates"}

// The packages of core build for browsers, and depend on neither os/exec nor NATS.
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
	testkit.SkipUnlessFull(t)
	build := exec.Command("go", append([]string{"build"}, core...)...)
	build.Env = browser
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// pageLimits are the limits of bench.wasm in MB, uncompressed and compressed by gzip. They may only be lowered.
var pageLimits = [2]float64{13.2, 3.4}

// parts lists parts of the page, each followed by the prefixes of its packages. The first part that matches applies.
var parts = [][]string{{"gates, coverage and cells", "utfbench_tile_gates", "utfbench_internal_sat",
	"utfbench_cause_cells"},
	{"search of causes", "utfbench_cause"}, {"demo board", "utfbench_transport_rp2040", "go.bug.st"},
	{"reports, recordings, plans", "utfbench_runs"},
	{"the rest of the bench", "utfbench", "main"}, {"YAML", "github.com_goccy"},
	{"regular expressions", "regexp"}, {"JSON", "encoding_json", "reflect"},
	{"compression, zip, PNG", "compress", "archive", "image"}, {"the rest of Go and its runtime", ""}}

// The page stays within its limits. With -v, the test lists the sizes of its parts.
func TestPageSize(t *testing.T) {
	testkit.SkipUnlessFull(t) // it builds for a browser
	path := filepath.Join(t.TempDir(), "bench.wasm")
	for i, flags := range []string{"-s -w", ""} { // stripped as in scripts/web, and with function names
		build := exec.Command("go", "build", "-trimpath", "-ldflags", flags, "-o", path, "../web/wasm")
		build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		program := testkit.Must(os.ReadFile(path))(t)
		if i == 1 {
			listParts(t, program)
			break
		}
		var packed bytes.Buffer
		w := testkit.Must(gzip.NewWriterLevel(&packed, gzip.BestCompression))(t)
		_, err := w.Write(program)
		size := [2]float64{float64(len(program)) / 1e6, 0}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		size[1] = float64(packed.Len()) / 1e6
		t.Logf("%.2f MB, compressed %.2f MB", size[0], size[1])
		if size[0] > pageLimits[0] || size[1] > pageLimits[1] || size[0] < 1 {
			t.Errorf("the limits are %.2f and %.2f MB", pageLimits[0], pageLimits[1])
		}
	}
}

// wasm is the unread rest of a module. number reads a LEB128 number; bytes reads such a number and that many bytes.
type wasm []byte

func (w *wasm) number() int {
	n, size := binary.Uvarint(*w)
	*w = (*w)[max(size, 1):]
	return int(n)
}

func (w *wasm) bytes() wasm {
	n := w.number()
	b := (*w)[:n]
	*w = (*w)[n:]
	return b
}

// listParts logs the sizes of the code and data sections, and the size of the code of each of parts.
func listParts(t *testing.T, module wasm) {
	const custom, code, data = 0, 10, 11
	var sizes []int
	var names [][]byte
	for module = module[8:]; len(module) > 0; {
		kind := module[0]
		module = module[1:]
		section := module.bytes()
		switch kind {
		case code, data:
			t.Logf("%.2f MB %s", float64(len(section))/1e6, map[byte]string{code: "code", data: "data"}[kind])
			for n := section.number(); kind == code && n > 0; n-- {
				sizes = append(sizes, len(section.bytes()))
			}
		case custom:
			if string(section.bytes()) != "name" {
				continue
			}
			section = section[1:] // the name section contains the functions' names
			section = section.bytes()
			for range section.number() {
				section.number()
				names = append(names, section.bytes())
			}
		}
	}
	if len(names) < len(sizes) || len(sizes) < 1000 {
		t.Fatalf("%d functions have %d names", len(sizes), len(names))
	}
	sum := make([]int, len(parts))
	for i, name := range names[len(names)-len(sizes):] { // imported functions come first
		sum[slices.IndexFunc(parts, func(of []string) bool {
			return slices.ContainsFunc(of[1:], func(p string) bool { return bytes.HasPrefix(name, []byte(p)) })
		})] += sizes[i]
	}
	for i, of := range parts {
		t.Logf("  %.2f MB %s", float64(sum[i])/1e6, of[0])
	}
}
