package scripts

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxColumns is the maximum length of a line, counting a tab as four columns.
const maxColumns = 120

// Lines of Go have at most maxColumns columns, except in multi-line strings.
func TestColumns(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator))); {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || name == ".git"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		for _, n := range tooLong(string(text)) {
			t.Errorf("%s:%d: the line has more than %d columns", path, n, maxColumns)
		}
		return err
	})
	if err != nil || files < 200 {
		t.Errorf("%d files were looked at: %v", files, err)
	}
}

// tooLong returns the numbers, from 1, of the lines that are too long. It ignores lines entirely within a raw string.
func tooLong(text string) (numbers []int) {
	inside := false
	for i, line := range strings.Split(text, "\n") {
		within := inside
		if strings.Count(line, "`")%2 == 1 {
			inside = !inside
		}
		if within && inside {
			continue
		}
		if len([]rune(strings.ReplaceAll(line, "\t", "    "))) > maxColumns {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

func TestTooLong(t *testing.T) {
	full := strings.Repeat("é", maxColumns)
	for text, want := range map[string]int{
		full:                         0,
		full + "x":                   1,
		"\t" + full[:2*117]:          1,
		"a := `\n" + full + "x\n`":   0,
		"a := `b`\n" + full + "x\n`": 1,
	} {
		if got := tooLong(text); len(got) != want {
			t.Errorf("%q: lines %v; want %d of them", text, got, want)
		}
	}
}
