// Package build says what a program was built from.
package build

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// A Build is what the linker was told of a release; both are "" for any other build.
type Build struct{ Release, Commit string }

// Version names the build: a release, else the commit that it was made from.
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

// commitOf is the commit that a build was made from, with a mark where there were changes; "" when the build does not
// say.
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

// Line says what was built from what, with which Go, for which machine.
func (b Build) Line(program string) string {
	from := ""
	if b.Release != "" {
		from = "commit " + cmp.Or(b.Commit, "unknown") + ", "
	}
	return fmt.Sprintf("%s %s, %s%s, %s/%s", program, b.Version(), from, runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
}
