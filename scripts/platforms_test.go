package scripts

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/internal/testkit"
)

// platforms lists the users' platforms, except the platform of the tests.
var platforms = []string{"linux/arm", "darwin/arm64", "windows/amd64"}

// The program type-checks on every platform. A release build would take minutes per platform.
func TestPlatforms(t *testing.T) {
	testkit.SkipUnlessFull(t)
	for _, platform := range platforms {
		t.Run(platform, func(t *testing.T) {
			t.Parallel()
			goos, goarch, _ := strings.Cut(platform, "/")
			c := checker{checked: map[string]*types.Package{"unsafe": types.Unsafe},
				sizes: types.SizesFor("gc", goarch)}
			cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap", "utfbench/cmd/bench")
			cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0", "GOARM=6")
			out, err := cmd.Output()
			if err != nil {
				t.Skip("needs the go command: ", err)
			}
			for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
				var p listed
				if err := dec.Decode(&p); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				for _, err := range c.check(&p) {
					t.Error(err)
				}
			}
			if len(c.checked) < 100 {
				t.Errorf("%d packages are not the program", len(c.checked))
			}
		})
	}
}

// listed is a package in the output of go list.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
}

// A checker type-checks packages in the order of their imports, like the compiler, but generates no code.
type checker struct {
	checked map[string]*types.Package
	sizes   types.Sizes
}

// check returns the type errors of a package. It skips the function bodies of other modules.
func (c *checker) check(p *listed) (wrong []error) {
	own := strings.HasPrefix(p.ImportPath, "utfbench/")
	if p.ImportPath == "unsafe" {
		return nil
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return []error{err}
		}
		files = append(files, f)
	}
	config := types.Config{IgnoreFuncBodies: !own, Sizes: c.sizes, Importer: importer{c, p}, FakeImportC: true,
		Error: func(err error) {
			if own {
				wrong = append(wrong, err)
			}
		}}
	c.checked[p.ImportPath], _ = config.Check(p.ImportPath, set, files, nil) // Error receives all errors
	return wrong
}

// An importer resolves imports to packages checked earlier.
type importer struct {
	of *checker
	by *listed
}

func (i importer) Import(path string) (*types.Package, error) {
	if real, mapped := i.by.ImportMap[path]; mapped {
		path = real
	}
	if p := i.of.checked[path]; p != nil {
		return p, nil
	}
	return nil, errors.New(path + " was not listed before")
}
