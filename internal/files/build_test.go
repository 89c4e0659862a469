package files

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
	if got := (Build{"1.2.3", "0123abcd"}).Description("bench"); !strings.HasPrefix(got,
		"bench 1.2.3, commit 0123abcd, go") {
		t.Errorf("of a release: %q", got)
	}
	if got := (Build{"1.2.3", ""}).Description("bench"); !strings.Contains(got, "commit unknown") {
		t.Errorf("of a release by hand: %q", got)
	}
}

func TestCommitOf(t *testing.T) {
	setting := func(s ...debug.BuildSetting) *debug.BuildInfo { return &debug.BuildInfo{Settings: s} }
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef"}
	for want, info := range map[string]*debug.BuildInfo{"": setting(), "0123456789ab": setting(revision),
		"0123456789ab+changes": setting(revision, debug.BuildSetting{Key: "vcs.modified", Value: "true"})} {
		if got := commitOf(info); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}
