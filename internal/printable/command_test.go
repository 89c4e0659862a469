package printable

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCommand(t *testing.T) {
	for want, words := range map[string][]string{
		"bench":                             nil,
		"bench run --count 3":               {"run", "--count", "3"},
		"bench run '^a b$'":                 {"run", "^a b$"},
		`bench run 'it'\''s'`:               {"run", "it's"},
		"bench run ''":                      {"run", ""},
		"bench run '=ls' --tag=a":           {"run", "=ls", "--tag=a"}, // zsh expands =ls to a path
		"bench run '~/a' '$HOME' 'a\nb' /a": {"run", "~/a", "$HOME", "a\nb", "/a"},
	} {
		if got := Command(words...); got != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
}

// A shell splits the line of Command into the original words.
func TestShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching("[ -~\n]{0,6}"), 1, 5).Draw(t, "words")
		out, err := exec.Command(sh, "-c", "bench() { printf '%s\\0' \"$@\"; }\n"+Command(words...)).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, words) {
			t.Fatalf("%q came as %q", words, got)
		}
	})
}
