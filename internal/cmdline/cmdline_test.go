package cmdline

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"pgregory.net/rapid"
)

func TestLine(t *testing.T) {
	for want, words := range map[string][]string{
		"bench":                             nil,
		"bench run --count 3":               {"run", "--count", "3"},
		"bench run '^a b$'":                 {"run", "^a b$"},
		`bench run 'it'\''s'`:               {"run", "it's"},
		"bench run ''":                      {"run", ""},
		"bench run '=ls' --tag=a":           {"run", "=ls", "--tag=a"}, // to zsh =ls is a path
		"bench run '~/a' '$HOME' 'a\nb' /a": {"run", "~/a", "$HOME", "a\nb", "/a"},
	} {
		if got := Line(words...); got != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
}

// A shell takes a line apart into the very words.
func TestShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching("[ -~\n]{0,6}"), 1, 5).Draw(t, "words")
		out, err := exec.Command(sh, "-c", "bench() { printf '%s\\0' \"$@\"; }\n"+Line(words...)).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, words) {
			t.Fatalf("%q came as %q", words, got)
		}
	})
}

func chipFlags() *pflag.FlagSet {
	f := pflag.NewFlagSet("target", pflag.ContinueOnError)
	f.StringP("transport", "t", "mock", "")
	f.String("port", "", "")
	f.StringArray("define", nil, "")
	f.Bool("insist", false, "")
	f.String("waves", "", "")
	return f
}

func chip() *Target {
	return &Target{Flags: chipFlags(), Kinds: Kinds{"port": "rp2040", "define": "verilog", "insist": "gpio or rp2040"},
		Aside: []string{"waves"}}
}

// Words name what the transport has a use for, and bring another command to the same target.
func TestWords(t *testing.T) {
	for given, want := range map[string]string{
		"":                              "-t mock",
		"-t rp2040 --port a --define b": "-t rp2040 --port a",
		"-t gpio --insist --port a":     "-t gpio --insist",
		"-t gpio:x --insist=false":      "-t gpio:x --insist=false",
		"-t verilog:a --define b=1":     "-t verilog:a --define b=1",
		"-t verilog:a --define b --define c --waves w": "-t verilog:a --define b --define c",
	} {
		f := chipFlags()
		if err := f.Parse(strings.Fields(given)); err != nil {
			t.Fatal(err)
		}
		words := chip().Words(f)
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%s: %s; want %s", given, got, want)
		}
		to := chipFlags()
		same, err := chip().Bring(words, to)
		if again := chip().Words(to); err != nil || !same || !slices.Equal(again, words) {
			t.Errorf("%s: brought %q, %v, %v", given, again, same, err)
		}
	}
}

func TestBring(t *testing.T) {
	const kept = "-t rp2040 --port a --waves precious"
	for _, c := range []struct {
		words, given, want string // want are the words of the target then
		same               bool
	}{
		{kept, "", "-t rp2040 --port a", true},
		{kept, "--port b", "-t rp2040 --port b", false},
		{kept, "--insist", "-t rp2040 --insist --port a", true}, // no other chip
		{kept, "-t mock", "-t mock", false},
	} {
		f := chipFlags()
		if err := f.Parse(strings.Fields(c.given)); err != nil {
			t.Fatal(err)
		}
		same, err := chip().Bring(strings.Fields(c.words), f)
		if got := strings.Join(chip().Words(f), " "); err != nil || same != c.same || got != c.want {
			t.Errorf("%+v: %s, %v, %v", c, got, same, err)
		}
		if waves := f.Lookup("waves").Value.String(); waves != "" {
			t.Errorf("%+v: %s would be written", c, waves)
		}
	}
	if _, err := chip().Bring([]string{"--out", "precious"}, chipFlags()); err == nil ||
		!strings.Contains(err.Error(), "does not know: give -t") {
		t.Errorf("no flag of a target: %v", err)
	}
}

func TestUnused(t *testing.T) {
	f := chipFlags()
	if err := f.Parse([]string{"--insist"}); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"gpio", "rp2040"} {
		if err := chip().Kinds.Unused(f, kind); err != nil {
			t.Error(err)
		}
	}
	if err := chip().Kinds.Unused(f, "mock"); err == nil || err.Error() !=
		"--insist is for the transport gpio or rp2040, and this one is mock: choose with --transport" {
		t.Error(err)
	}
}
