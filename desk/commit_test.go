package desk

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/boards/shuttles"
	"utfbench/internal/failure"
	"utfbench/tile/project"
)

// The sources have to be those of the commit that the shuttle carries, by the index or by what the author says, unless
// the user insists. What nobody can tell is a note.
func TestFabricated(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	index, err := shuttles.Load()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e"},
			args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write := func(text string) {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, "src"), 0o700),
			os.WriteFile(filepath.Join(dir, "src", "a.v"), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("module m; endmodule\n")
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "made")
	made := git("rev-parse", "HEAD")[:10]
	own := func(top, commit string) *project.Project {
		return &project.Project{Dir: dir, Top: top, Commits: map[string]string{"tt09": commit},
			Sources: []project.Source{{Path: filepath.Join(dir, "src", "a.v")}}}
	}
	ask := func(x *project.Project, insist bool) (string, error) {
		return (&Target{Insist: insist}).fabricated(t.Context(), x, index, "tt09")
	}
	if note, err := ask(own("tt_um_x", made), false); err != nil || note != "the sources are those of commit "+made+
		", of which tt09 was made" {
		t.Errorf("the same: %q, %v", note, err)
	}
	if note, err := ask(own("tt_um_nobody", ""), false); err != nil || !strings.Contains(note, "is not known") {
		t.Errorf("a design of no shuttle: %q, %v", note, err)
	}
	if note, err := ask(own("tt_um_factory_test", ""), false); err != nil ||
		!strings.Contains(note, "tt09 carries commit ") || !strings.Contains(note, "cannot be told") {
		t.Errorf("a commit of another repository: %q, %v", note, err)
	}
	write("module m; wire w; endmodule\n")
	if _, err := ask(own("tt_um_x", made), false); failure.KindOf(err) != failure.User ||
		!strings.HasSuffix(err.Error(), "git checkout "+made+", or --insist") {
		t.Errorf("edited: %v", err)
	}
	if note, err := ask(own("tt_um_x", made), true); err != nil || !strings.Contains(note, "--insist takes them") {
		t.Errorf("insisted: %q, %v", note, err)
	}
}
