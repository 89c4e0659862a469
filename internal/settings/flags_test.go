package settings

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// chipFlags are those of a command that reaches a chip, as a command line of these words sets them.
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

func command(f *pflag.FlagSet) *Command {
	target := pflag.NewFlagSet("target", pflag.ContinueOnError)
	target.String("transport", "mock", "")
	target.String("port", "", "")
	return &Command{Flags: f, All: []*pflag.FlagSet{f}, Target: target,
		Variables: Variables{"transport", "port", "profile"},
		Tells:     func(f *pflag.Flag) bool { return f.Name == "out" }}
}

// write makes a folder with such a bench.yaml the current one; no other file counts.
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
	if err := os.WriteFile(filepath.Join(dir, FileName), []byte(text), 0o600); err != nil {
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

// A flag counts before a variable, that before the profile, that before what the file says for all runs.
func TestTake(t *testing.T) {
	// the port is that of the board: the mock has none
	for _, c := range []struct {
		words    []string
		variable [2]string
		want     string // transport, port, count
		from     string // of count
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

// What a file of the current folder sets is told of, and what one sets that the user names is not.
func TestTakeTells(t *testing.T) {
	write(t, bench)
	told, err := command(chipFlags(t)).Take()
	if err != nil || !reflect.DeepEqual(told, []string{"--out=x.vec"}) {
		t.Errorf("%v, %v", told, err)
	}
	t.Setenv("BENCH_CONFIG", "./bench.yaml")
	f := chipFlags(t)
	if told, err := command(f).Take(); err != nil || told != nil || SetBy(f.Lookup("out")) != "file ./bench.yaml" {
		t.Errorf("%v, %v, %q", told, err, SetBy(f.Lookup("out")))
	}
}

// Commands that reach no chip take the history alone, and those without it look into no file.
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

// What a file has set goes back to its default, and what the command line has set stays.
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
	if err := Table(&text, f, c.Variables); err != nil {
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
}
