package project

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrNoHistory is a project of which nobody can tell which commit it is: it is in no Git repository, or git is not
// installed, or the repository has not that commit.
var ErrNoHistory = errors.New("which commit these sources are cannot be told")

// Is says whether the sources, their folders and info.yaml are those of a commit, whatever else has changed since, and
// which commit is checked out. The error is ErrNoHistory, or ctx's.
func (p *Project) Is(ctx context.Context, commit string) (same bool, head string, err error) {
	head, err = p.git(ctx, "rev-parse", "--short=10", "HEAD")
	if err == nil {
		_, err = p.git(ctx, "rev-parse", "--verify", "--quiet", commit+"^{commit}")
	}
	if ctx.Err() != nil {
		return false, "", ctx.Err()
	}
	if err != nil {
		return false, head, ErrNoHistory
	}
	_, err = p.git(ctx, append([]string{"diff", "--quiet", commit, "--", "info.yaml", "src"},
		p.within(p.Paths())...)...)
	var exited *exec.ExitError
	switch {
	case err == nil:
		return true, head, nil
	case errors.As(err, &exited) && exited.ExitCode() == 1:
		return false, head, nil
	}
	return false, head, ErrNoHistory
}

// within are paths as git wants them: from the project's folder.
func (p *Project) within(paths []string) (all []string) {
	for _, path := range paths {
		if rel, err := filepath.Rel(p.Dir, path); err == nil {
			all = append(all, rel)
		}
	}
	return all
}

// git asks the repository that the project's folder is in.
func (p *Project) git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", p.Dir}, args...)...)
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	return strings.TrimSpace(out.String()), err
}
