package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Commit makes all files of a set appear; without Commit, Discard removes all.
func TestSet(t *testing.T) {
	for _, commit := range []bool{true, false} {
		dir := t.TempDir()
		var s Set
		for _, name := range []string{"a", "b"} {
			f, err := s.Create("--"+name, filepath.Join(dir, name), 0)
			if err != nil {
				t.Fatal(err)
			}
			f.WriteString(name)
		}
		if _, err := s.Create("--c", filepath.Join(dir, "no", "c"), 0); err == nil ||
			!strings.HasPrefix(err.Error(), "--c: ") {
			t.Error(err)
		}
		want := 0
		if commit {
			want = 2
			if err := s.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		s.Discard()
		if left, err := os.ReadDir(dir); err != nil || len(left) != want {
			t.Errorf("commit %v: %v, %v", commit, left, err)
		}
	}
}
