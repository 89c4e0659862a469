package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, path, text string, perm fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), perm); err != nil {
		t.Fatal(err)
	}
}

func create(t *testing.T, path string, mode Mode) *File {
	t.Helper()
	f, err := Create(path, mode)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Discard)
	return f
}

// refused checks that an error is one sentence that contains the given words.
func refused(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; want one with %q", words)
		return
	}
	for _, w := range append(words, "") {
		if !strings.Contains(err.Error(), w) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q; want one sentence with %q", err, w)
		}
	}
}

func TestFileAppearsWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	f, err := Create(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("half")
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there before Commit: %v", err)
	}
	f.WriteString(" and half")
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); string(b) != "half and half" {
		t.Errorf("%q, %v", b, err)
	}
	f.Discard()
	g, err := Create(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	g.WriteString("other")
	g.Discard()
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("%v, %v; want the one file", left, err)
	}
	if b, err := os.ReadFile(path); string(b) != "half and half" {
		t.Errorf("after Discard: %q, %v", b, err)
	}
}

// If two runs write the same output, the later one replaces the earlier as a whole, but a part is never overwritten.
func TestTwoRunsOnOneOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.html")
	first, second := create(t, path, 0), create(t, path, 0)
	first.WriteString("first")
	second.WriteString("second")
	if err := errors.Join(second.Commit(), first.Commit()); err != nil {
		t.Error(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "first" {
		t.Errorf("it holds %q", b)
	}
	create(t, path+".json", Part)
	_, err := Create(path+".json", Part)
	refused(t, err, path+".json.part exists, ")
	write(t, path+".part", "evidence", 0o600)
	_, err = Create(path, Part)
	refused(t, err, path+".part exists, ")
	if b, _ := os.ReadFile(path + ".part"); string(b) != "evidence" {
		t.Errorf("the part holds %q", b)
	}
}

// If an output's path is a link, its target is replaced, and the link is kept.
func TestLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	write(t, target, "old", 0o644)
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("no symbolic links: %v", err)
	}
	if err := Write(link, []byte("new"), 0); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(target); string(b) != "new" {
		t.Errorf("the target holds %q", b)
	}
}

func TestCreateRefuses(t *testing.T) {
	dir := t.TempDir()
	_, err := Create(dir, 0)
	refused(t, err, dir+" is a folder")
	_, err = Create(filepath.Join(dir, "no", "a"), 0)
	refused(t, err, "cannot be written: ")
}

func TestDevice(t *testing.T) {
	if err := Write(os.DevNull, []byte("x"), 0); err != nil {
		t.Error(err)
	}
}

// The unfinished output of a killed run is removed after a day.
func TestHiddenLeftovers(t *testing.T) {
	dir := t.TempDir()
	old, recent := filepath.Join(dir, ".a.html.0000abcd.part"), filepath.Join(dir, ".a.html.0000abce.part")
	write(t, old, "half", 0o600)
	write(t, recent, "half", 0o600)
	before := time.Now().Add(-leftover - time.Hour)
	if err := errors.Join(os.Chtimes(old, before, before), Write(filepath.Join(dir, "a.html"), nil, 0)); err != nil {
		t.Fatal(err)
	}
	for path, kept := range map[string]bool{old: false, recent: true} {
		if _, err := os.Stat(path); (err == nil) != kept {
			t.Errorf("%s: %v", path, err)
		}
	}
}
