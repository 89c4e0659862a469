package document

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// A Build is set by the linker for a release; otherwise both fields are empty.
type Build struct{ Release, Commit string }

// Version returns the release, or else the commit.
func (b Build) Version() string {
	if b.Release != "" {
		return b.Release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return cmp.Or(commitOf(info), info.Main.Version)
}

// commitOf returns a build's commit, marked if modified, or "".
func commitOf(info *debug.BuildInfo) string {
	commit, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + dirty
}

// Line describes the program, its commit, the Go version and the machine.
func (b Build) Line(program string) string {
	from := ""
	if b.Release != "" {
		from = "commit " + cmp.Or(b.Commit, "unknown") + ", "
	}
	return fmt.Sprintf("%s %s, %s%s, %s/%s", program, b.Version(), from, runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
}
