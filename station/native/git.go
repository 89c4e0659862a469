package native

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"

	"utfbench/tile/project"
)

// isCommit reports whether the sources, their folders and info.yaml match a commit, and which commit is checked out.
// The error is project.ErrNoHistory or comes from ctx.
func isCommit(ctx context.Context, p *project.Project, commit string) (same bool, head string, err error) {
	head, err = git(ctx, p, "rev-parse", "--short=10", "HEAD")
	if err == nil {
		_, err = git(ctx, p, "rev-parse", "--verify", "--quiet", commit+"^{commit}")
	}
	if ctx.Err() != nil {
		return false, "", ctx.Err()
	}
	if err != nil {
		return false, head, project.ErrNoHistory
	}
	_, err = git(ctx, p, append([]string{"diff", "--quiet", commit, "--", "info.yaml", "src"},
		within(p, p.Paths())...)...)
	var exited *exec.ExitError
	switch {
	case err == nil:
		return true, head, nil
	case errors.As(err, &exited) && exited.ExitCode() == 1:
		return false, head, nil
	}
	return false, head, project.ErrNoHistory
}

// within returns paths relative to the project's folder, for git.
func within(p *project.Project, paths []string) (all []string) {
	for _, path := range paths {
		if rel, err := filepath.Rel(p.Dir, path); err == nil {
			all = append(all, rel)
		}
	}
	return all
}

// git runs git in the project's folder and returns its output.
func git(ctx context.Context, p *project.Project, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", p.Dir}, args...)...)
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	return strings.TrimSpace(out.String()), err
}
