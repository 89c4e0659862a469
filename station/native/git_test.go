package native

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/tile/project"
)

// The sources match a commit as long as they are unchanged, whatever else has changed.
func TestIs(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"info.yaml": "project:\n  top_module: tt_um_x\n  source_files: [a.v]\n",
		"src/a.v": "module tt_um_x; endmodule\n"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := isCommit(t.Context(), p, "0123456789"); !errors.Is(err, project.ErrNoHistory) {
		t.Errorf("no repository: %v", err)
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "made")
	made := git("rev-parse", "HEAD")[:10]
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("later\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	git("add", ".")
	git("commit", "-qm", "later")
	if same, head, err := isCommit(t.Context(), p, made); !same || err != nil || head == made || len(head) != 10 {
		t.Errorf("another file changed: %v, %s, %v", same, head, err)
	}
	if _, _, err := isCommit(t.Context(), p, "0123456789"); !errors.Is(err, project.ErrNoHistory) {
		t.Errorf("no such commit: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "src", "a.v"), []byte("module tt_um_x; wire w; endmodule\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if same, _, err := isCommit(t.Context(), p, made); same || err != nil {
		t.Errorf("a source changed: %v, %v", same, err)
	}
}
