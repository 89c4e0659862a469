package native

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"utfbench/internal/files"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
)

// half is a reporter that returns an error at the end of a run.
type half struct{ report.Reporter }

func (half) End(report.Outcome) error { return errors.New("half") }

// If the reporter returns an error at the end, kept leaves no file.
func TestKeptWhole(t *testing.T) {
	var all files.Set
	path := filepath.Join(t.TempDir(), "page.html")
	f := testkit.Must(all.Create("--html", path, 0))(t)
	err := kept{half{}, f}.End(report.Outcome{})
	all.Discard()
	if _, missing := os.Stat(path); err == nil || !errors.Is(missing, os.ErrNotExist) {
		t.Errorf("%v, the file: %v", err, missing)
	}
}
