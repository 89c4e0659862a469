package scripts

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// limits holds the limits of the tree's figures without lab/ and cmd/benchlab. A change that reduces a figure lowers
// its limit; only a new part, such as a transport, may raise one. Comments and blank lines count; generated files and
// data do not.
var limits = map[string]int{
	"lines of Go, JavaScript and Python": 64840,
	"lines of tests":                     44140,
	"packages":                           45,
	"longest chain of imports":           8,
	"lines of cmd/bench":                 3700,
	"words of docs/*.md":                 17400,
	"lines of README.md":                 120,
}

// ofTheLab holds the limits for lab/ and cmd/benchlab.
var ofTheLab = map[string]int{"lines of the lab": 3000, "lines of the lab's tests": 1020, "words of docs/lab.md": 900}

// forTests lists the packages that only tests import.
var forTests = []string{"internal/testkit", "lab/labtest", "transport/rp2040/boardtest"}

// apart lists the folders to which ofTheLab applies instead of limits.
var apart = []string{"lab", "cmd/benchlab"}

func below(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return path == f || strings.HasPrefix(path, f+"/") })
}

func TestLimits(t *testing.T) {
	got := map[string]int{}
	for _, path := range tracked(t) {
		text, err := os.ReadFile(filepath.Join("..", path))
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		lines := bytes.Count(text, []byte("\n"))
		if path == "docs/lab.md" {
			got["words of docs/lab.md"] = len(bytes.Fields(text))
			continue
		}
		if below(path, apart) {
			if strings.HasSuffix(path, "_test.go") || below(path, forTests) {
				got["lines of the lab's tests"] += lines
			} else {
				got["lines of the lab"] += lines
			}
			continue
		}
		switch code := slices.Contains([]string{".go", ".js", ".mjs", ".py"}, filepath.Ext(path)); {
		case path == "README.md":
			got["lines of README.md"] = lines
		case filepath.Dir(path) == "docs" && filepath.Ext(path) == ".md":
			got["words of docs/*.md"] += len(bytes.Fields(text))
		case !code:
		case strings.HasSuffix(path, "_test.go") || strings.Contains("/"+path, "/testdata/") || below(path, forTests):
			got["lines of tests"] += lines
		default:
			got["lines of Go, JavaScript and Python"] += lines
			if strings.HasPrefix(path, "cmd/bench/") {
				got["lines of cmd/bench"] += lines
			}
		}
	}
	packages := packagesOf(t)
	got["packages"] = len(packages)
	for name := range packages {
		got["longest chain of imports"] = max(got["longest chain of imports"], chain(packages, name))
	}
	maps.Copy(limits, ofTheLab)
	for figure, limit := range limits {
		switch {
		case got[figure] > limit:
			t.Errorf("%s: %d, and the limit is %d", figure, got[figure], limit)
		case got[figure] == 0:
			t.Errorf("%s: nothing was counted", figure)
		case got[figure] < limit-limit/100:
			t.Logf("%s: %d: lower the limit of %d", figure, got[figure], limit)
		}
	}
}

func tracked(t *testing.T) []string {
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Skip("needs a checkout: ", err)
	}
	return strings.Fields(string(out))
}

// packagesOf maps each package outside apart to the packages that it imports, except in its tests.
func packagesOf(t *testing.T) map[string][]string {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "utfbench/...").Output()
	if err != nil {
		t.Skip("needs the go command: ", err)
	}
	all := map[string][]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		if path := strings.TrimPrefix(p.ImportPath, "utfbench/"); !below(path, apart) {
			all[p.ImportPath] = p.Imports
		}
	}
}

// chain returns the number of packages in the longest chain of imports that begins with a package.
func chain(packages map[string][]string, from string) int {
	lengths := map[string]int{}
	var longest func(name string) int
	longest = func(name string) int {
		imports, ours := packages[name]
		if !ours {
			return 0
		}
		if lengths[name] == 0 {
			most := 0
			for _, to := range imports {
				most = max(most, longest(to))
			}
			lengths[name] = most + 1
		}
		return lengths[name]
	}
	return longest(from)
}

// A package is in forTests if and only if no program links it.
func TestSupportStandsApart(t *testing.T) {
	var linked []string
	for program, system := range map[string]string{"utfbench/cmd/...": "GOOS=linux", "utfbench/web/wasm": "GOOS=js"} {
		list := exec.Command("go", "list", "-tags", "page", "-deps", program)
		list.Env = append(os.Environ(), system)
		if system == "GOOS=js" {
			list.Env = append(list.Env, "GOARCH=wasm")
		}
		out, err := list.Output()
		if err != nil {
			t.Skip("needs the go command: ", err)
		}
		linked = append(linked, strings.Fields(string(out))...)
	}
	if len(linked) < 100 {
		t.Fatalf("only %d packages are linked", len(linked))
	}
	for _, pkg := range forTests {
		if slices.Contains(linked, "utfbench/"+pkg) {
			t.Errorf("a program links %s, which is for tests", pkg)
		}
	}
	for name := range packagesOf(t) {
		path := strings.TrimPrefix(name, "utfbench/")
		if !slices.Contains(linked, name) && !slices.Contains(forTests, path) && !below(path, []string{"scripts"}) {
			t.Errorf("no program links %s: it is for tests, so put it into forTests", path)
		}
	}
}
