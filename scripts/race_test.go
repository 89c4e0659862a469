package scripts

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The tests that scripts/test names for the race detector exist; a renamed one would be skipped silently.
func TestConcurrentTestsAreThere(t *testing.T) {
	script, err := os.ReadFile("test")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^starters='\^Test\((\S+)\)\$'$`).FindSubmatch(script)
	packages := regexp.MustCompile(`(?m)^computing="(.+)"$`).FindSubmatch(script)
	if names == nil || packages == nil {
		t.Fatal("scripts/test says no more which tests these are")
	}
	tests := regexp.MustCompile(`\nfunc Test(` + string(names[1]) + `)\(`)
	var all strings.Builder
	for pkg := range strings.FieldsSeq(string(packages[1])) {
		files, err := filepath.Glob(filepath.Join("..", pkg, "*_test.go"))
		if err != nil || files == nil {
			t.Errorf("there is no package %s", pkg)
		}
		before := all.Len()
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
		if !tests.MatchString(all.String()[before:]) {
			t.Errorf("none of these tests is in %s", pkg)
		}
	}
	for name := range strings.SplitSeq(string(names[1]), "|") {
		if !strings.Contains(all.String(), "\nfunc Test"+name+"(") {
			t.Errorf("there is no Test%s in %s", name, packages[1])
		}
	}
}
