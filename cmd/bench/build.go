package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// release is the version of a released binary, and commit what it was built from: -ldflags "-X main.release=1.0.0 -X
// main.commit=...".
var release, commit = "", ""

// version names this build: a release, else the commit that it was made from.
func version() string {
	if release != "" {
		return release
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

// versionLine says what was built from what, with which Go, for which machine.
func versionLine() string {
	from := ""
	if release != "" {
		from = "commit " + cmp.Or(commit, "unknown") + ", "
	}
	return fmt.Sprintf("bench %s, %s%s, %s/%s", version(), from, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
