package cli

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// chipFlags returns the flags of a command that reaches a chip, set by a command line.
func chipFlags(t *testing.T, words ...string) *pflag.FlagSet {
	t.Helper()
	f := pflag.NewFlagSet("run", pflag.ContinueOnError)
	f.String("transport", "mock", "")
	f.String("port", "", "")
	f.String("out", "", "")
	f.Int("count", 1, "")
	f.StringArray("tag", nil, "")
	f.String("db", "", "")
	f.String("profile", "", "")
	if err := f.Parse(words); err != nil {
		t.Fatal(err)
	}
	return f
}

func command(f *pflag.FlagSet) *Settings {
	return &Settings{Flags: f, All: []*pflag.FlagSet{f}, Target: []string{"transport", "port"},
		Variables: Variables{"transport", "port", "profile"},
		Runs:      func(*pflag.Flag) bool { return false }}
}

// write makes a folder with this bench.yaml the current one, and hides other files.
func write(t *testing.T, text string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"BENCH_CONFIG", "BENCH_PROFILE", "BENCH_TRANSPORT", "BENCH_PORT"} {
		t.Setenv(name, "")
	}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, dir)
	}
	if err := os.WriteFile(filepath.Join(dir, SettingsName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const bench = `transport: rp2040
port: /dev/a
count: 3
out: x.vec
tag: [vdd=1.8]
profiles:
  hot: {count: 9}
  model: {transport: mock}
`

// The command line overrides a variable, which overrides the profile, which overrides the rest of the file.
func TestTake(t *testing.T) {
	// The port belongs to the board: the mock has none.
	for _, c := range []struct {
		words    []string
		variable [2]string
		want     string // transport, port, count
		from     string // origin of count
	}{
		{nil, [2]string{}, "rp2040 /dev/a 3", "file bench.yaml"},
		{[]string{"--count", "2"}, [2]string{}, "rp2040 /dev/a 2", ""},
		{[]string{"--profile", "hot"}, [2]string{}, "rp2040 /dev/a 9", "profile hot of bench.yaml"},
		{nil, [2]string{"BENCH_PROFILE", "hot"}, "rp2040 /dev/a 9", "profile hot of bench.yaml"},
		{nil, [2]string{"BENCH_PORT", "/dev/b"}, "rp2040 /dev/b 3", "file bench.yaml"},
		{nil, [2]string{"BENCH_TRANSPORT", "mock"}, "mock  3", "file bench.yaml"},
		{[]string{"--transport", "mock:tt08"}, [2]string{}, "mock:tt08  3", "file bench.yaml"},
		{[]string{"--profile", "model"}, [2]string{}, "mock  3", "file bench.yaml"},
		{nil, [2]string{"BENCH_CONFIG", "none"}, "mock  1", ""},
	} {
		write(t, bench)
		if c.variable[0] != "" {
			t.Setenv(c.variable[0], c.variable[1])
		}
		f := chipFlags(t, c.words...)
		taken := command(f)
		if _, err := taken.Take(); err != nil {
			t.Fatal(c, err)
		}
		if err := taken.Variables.Take(f); err != nil {
			t.Fatal(c, err)
		}
		var got []string
		for _, name := range []string{"transport", "port", "count"} {
			got = append(got, f.Lookup(name).Value.String())
		}
		if got := strings.Join(got, " "); got != c.want || SetBy(f.Lookup("count")) != c.from {
			t.Errorf("%v: %s, count by %q", c, got, SetBy(f.Lookup("count")))
		}
	}
}

// taken describes the settings that a command takes; --out decides which program runs.
func taken(t *testing.T, c *Settings) (all []string, err error) {
	t.Helper()
	c.Runs = func(f *pflag.Flag) bool { return f.Name == "out" }
	from, err := c.Take()
	for _, f := range from {
		for _, flag := range f.Flags {
			all = append(all, Words(flag)...)
		}
	}
	return all, err
}

// A setting that decides which program runs applies only if the user trusts the file with this content, or names it.
func TestTrust(t *testing.T) {
	write(t, bench)
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("LocalAppData", t.TempDir())
	want := []string{"--count=3", "--out=x.vec", "--port=/dev/a", "--tag=vdd=1.8", "--transport=rp2040"}
	wantTrusted := func(when string, trusted, changed bool) {
		t.Helper()
		got, err := taken(t, command(chipFlags(t)))
		u, is := errors.AsType[*Untrusted](err)
		switch {
		case trusted && (err != nil || !reflect.DeepEqual(got, want)):
			t.Errorf("%s: %v, %v; want %v", when, got, err, want)
		case !trusted && (!is || u.Changed != changed || !reflect.DeepEqual(u.Sets, []string{"out: x.vec"})):
			t.Errorf("%s: error %v; want one of out: x.vec, changed: %v", when, err, changed)
		}
	}
	list := func() *Trust {
		t.Helper()
		list, err := ReadTrust()
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	wantTrusted("at first", false, false)
	if _, err := list().Add(SettingsName); err != nil {
		t.Fatal(err)
	}
	wantTrusted("trusted", true, false)
	if err := os.WriteFile(SettingsName, []byte(bench+"# more\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantTrusted("edited", false, true)
	if _, err := list().Add("./bench.yaml"); err != nil {
		t.Fatal(err)
	}
	wantTrusted("trusted again", true, false)
	if err := os.WriteFile(SettingsName, []byte(bench+"# again\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BENCH_CONFIG", "./bench.yaml")
	wantTrusted("named", true, false)
	t.Setenv("BENCH_CONFIG", "")
	if got, err := taken(t, command(chipFlags(t, "--out", "mine.vec"))); err != nil || len(got) != len(want)-1 {
		t.Errorf("what decides it was typed: %v, %v", got, err)
	}
}

// A profile named by the user is reported even if it sets no flag of the command.
func TestTakeProfile(t *testing.T) {
	write(t, "count: 3\nprofiles:\n  cold: {port: /dev/b}\n")
	from, err := command(chipFlags(t, "--profile", "cold", "--port", "/dev/c")).Take()
	if err != nil || len(from) != 2 || from[0].From != "profile cold of bench.yaml" || len(from[0].Flags) != 0 {
		t.Errorf("%v, %v", from, err)
	}
}

// Commands that reach no chip take only the history, and those without a history read no file.
func TestTakeWithoutChip(t *testing.T) {
	write(t, "db: a.db\nport: /dev/a\n")
	f := pflag.NewFlagSet("history", pflag.ContinueOnError)
	f.String("db", "", "")
	f.String("port", "", "")
	f.String("profile", "", "")
	c := command(f)
	c.All = []*pflag.FlagSet{f, chipFlags(t)}
	if _, err := c.Take(); err != nil || SetBy(f.Lookup("db")) == "" || SetBy(f.Lookup("port")) != "" {
		t.Errorf("%v, db by %q, port by %q", err, SetBy(f.Lookup("db")), SetBy(f.Lookup("port")))
	}
	write(t, "no: [")
	if _, err := command(pflag.NewFlagSet("man", pflag.ContinueOnError)).Take(); err != nil {
		t.Error(err)
	}
}

func TestTakeRefuses(t *testing.T) {
	for _, c := range []struct{ text, profile, says string }{
		{"count: x\n", "", "bench.yaml:1: count: "},
		{"cuont: 3\n", "", `bench.yaml:1: unknown key "cuont" (did you mean count?)`},
		{"profile: hot\n", "", `unknown key "profile"`},
		{bench, "cold", "BENCH_PROFILE cold: bench.yaml has no such profile: it has hot, model"},
	} {
		write(t, c.text)
		t.Setenv("BENCH_PROFILE", c.profile)
		if _, err := command(chipFlags(t)).Take(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	t.Setenv("BENCH_CONFIG", "none")
	if _, err := command(chipFlags(t, "--profile", "hot")).Take(); err == nil ||
		!strings.HasPrefix(err.Error(), "--profile hot: there is no bench.yaml, ") {
		t.Error(err)
	}
}

// Unset resets what a file has set, and keeps what the command line has set.
func TestUnset(t *testing.T) {
	write(t, bench)
	f := chipFlags(t, "--count", "7")
	if _, err := command(f).Take(); err != nil {
		t.Fatal(err)
	}
	f.VisitAll(func(f *pflag.Flag) {
		if err := Unset(f); err != nil || SetBy(f) != "" {
			t.Errorf("%s: %v, %q", f.Name, err, SetBy(f))
		}
		if is := f.Value.String(); is != f.DefValue && f.Name != "count" || f.Name == "count" && is != "7" {
			t.Errorf("%s is %s", f.Name, is)
		}
	})
}

func TestVariables(t *testing.T) {
	v := Variables{"port", "count"}
	t.Setenv("BENCH_PORT", "p")
	t.Setenv("BENCH_COUNT", "x")
	t.Setenv("BENCH_OUT", "o")
	if name, value := v.Of("port"); name != "BENCH_PORT" || value != "p" {
		t.Error(name, value)
	}
	if name, value := v.Of("out"); name != "" || value != "" {
		t.Error(name, value)
	}
	if got := strings.Join(v.Names(), " "); got != "BENCH_PORT BENCH_COUNT" {
		t.Error(got)
	}
	if err := v.Take(chipFlags(t)); err == nil || !strings.HasPrefix(err.Error(), "the variable BENCH_COUNT: ") {
		t.Error(err)
	}
	if err := v.Take(chipFlags(t, "--count", "2")); err != nil {
		t.Error(err)
	}
}

func TestTable(t *testing.T) {
	write(t, "count: 3\n")
	t.Setenv("BENCH_PORT", "a\x1bb")
	f := chipFlags(t, "--out", "x")
	c := command(f)
	if _, err := c.Take(); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := SettingsTable(&text, f, c.Variables, true); err != nil {
		t.Fatal(err)
	}
	const want = `flag       value   from
count      3       file bench.yaml
db         -       default
out        x       flag
port       a\x1bb  environment, BENCH_PORT
profile    -       default
tag        -       default
transport  mock    default
`
	if text.String() != want {
		t.Errorf("%s", text.String())
	}
	text.Reset()
	err := SettingsTable(&text, f, c.Variables, false)
	if err != nil || strings.Contains(text.String(), "  default\n") ||
		!strings.HasSuffix(text.String(), "\n4 flags are at their default: --all lists them\n") {
		t.Errorf("%v, %s", err, &text)
	}
}
