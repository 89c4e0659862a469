package scripts

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every file that CONTRIBUTING.md tells contributors to edit exists. NAME stands for a new file.
func TestContributingNamesFiles(t *testing.T) {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	folder, found := "", 0
	for _, m := range regexp.MustCompile("`([a-z./][A-Za-z_./-]*)`").FindAllStringSubmatch(string(text), -1) {
		path := m[1]
		if !strings.Contains(path, "/") && regexp.MustCompile(`\.(go|txt|md)$`).MatchString(path) {
			path = folder + path // relative to the previous path, as in `transport/mock/wires.go`, `end.go`
		}
		if !strings.Contains(path, "/") || strings.Contains(path, "NAME") || strings.HasPrefix(path, "dist/") {
			continue
		}
		if _, err := os.Stat(filepath.Join("..", path)); err != nil {
			t.Errorf("CONTRIBUTING.md names %s: %v", path, err)
		}
		folder, found = path[:strings.LastIndex(path, "/")+1], found+1
	}
	if found < 30 {
		t.Errorf("only %d files were found in it", found)
	}
}
