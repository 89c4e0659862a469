package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// chipFlags returns the flags of a command that uses a chip, set by the words of a command line.
func chipFlags(t *testing.T, words ...string) *pflag.FlagSet {
	t.Helper()
	f := pflag.NewFlagSet("run", pflag.ContinueOnError)
	f.String("transport", "mock", "")
	f.String("port", "", "")
	f.String("out", "", "")
	f.Int("count", 1, "")
	f.StringArray("tag", nil, "")
	f.String("tile", "", "")
	if err := f.Parse(words); err != nil {
		t.Fatal(err)
	}
	return f
}

var env = files.ProcessEnv()

var settings = Settings{Flags: []string{"transport", "port", "count", "tag"}, EnvironmentOnly: []string{"tile"},
	TargetFlags: []string{"transport", "port"}, Refuse: func(flag, value string) error {
		if flag == "transport" && strings.HasPrefix(value, "verilog") {
			return failure.Usagef("%s runs a program", value)
		}
		return nil
	}}

// write changes to a folder with this bench.yaml, and hides the user's own file.
func write(t *testing.T, text string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"BENCH_TILE", "BENCH_TRANSPORT", "BENCH_PORT"} {
		t.Setenv(name, "")
	}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, dir)
	}
	if err := os.WriteFile(filepath.Join(dir, settingsName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const bench = "transport: rp2040\nport: /dev/a\ncount: 0x3\ntag: [vdd=1.8, \"note=a b\"]\n"

// The command line overrides a variable, which overrides the file.
func TestTake(t *testing.T) {
	// The file's port applies only to its board, not to the mock.
	for _, c := range []struct {
		words    []string
		variable [2]string
		want     string // transport, port, count
		summary  string
	}{
		{nil, [2]string{}, "rp2040 /dev/a 3", "bench.yaml sets --transport=rp2040 --port=/dev/a --count=0x3 " +
			`--tag=vdd=1.8 --tag="note=a b"`},
		{[]string{"--count", "2", "--tag", "c=d"}, [2]string{}, "rp2040 /dev/a 2", "bench.yaml sets " +
			"--transport=rp2040 --port=/dev/a"},
		{[]string{"--tag", "c=d"}, [2]string{"BENCH_PORT", "/dev/b"}, "rp2040 /dev/b 3", "bench.yaml sets " +
			"--transport=rp2040 --count=0x3"},
		{[]string{"--tag", "c=d"}, [2]string{"BENCH_TRANSPORT", "mock"}, "mock  3", "bench.yaml sets --count=0x3"},
		{[]string{"--transport", "mock:tt08", "--tag", "c=d", "--count", "1"}, [2]string{}, "mock:tt08  1", ""},
	} {
		write(t, bench)
		if c.variable[0] != "" {
			t.Setenv(c.variable[0], c.variable[1])
		}
		f := chipFlags(t, c.words...)
		summary, err := settings.Apply(f, env)
		if err != nil {
			t.Fatal(c, err)
		}
		var got []string
		for _, name := range []string{"transport", "port", "count"} {
			got = append(got, f.Lookup(name).Value.String())
		}
		if got := strings.Join(got, " "); got != c.want || summary != c.summary {
			t.Errorf("%v: %s; %s", c, got, summary)
		}
	}
}

// For a command that uses no chip Apply reads no file, and only sets its EnvironmentOnly flags.
func TestTakeWithoutChip(t *testing.T) {
	write(t, "no: [")
	t.Setenv("BENCH_PORT", "/dev/a")
	t.Setenv("BENCH_TILE", "tile")
	f := pflag.NewFlagSet("tile", pflag.ContinueOnError)
	port, tile := f.String("port", "", ""), f.String("tile", "", "")
	if summary, err := settings.Apply(f, env); err != nil || summary != "" || *port != "" || *tile != "tile" {
		t.Errorf("port %q, tile %q: %v %s", *port, *tile, err, summary)
	}
}

func TestTakeRefuses(t *testing.T) {
	const noValue = " has to be a text of one line that is not empty, a number, or a list of such texts"
	for text, says := range map[string]string{
		"count: x\n":                      "bench.yaml:1: count: ",
		"count: [1, 2]\n":                 "bench.yaml:1: count: has to be one text or number, and no list",
		"port: x\ncuont: 3\n":             `bench.yaml:2: "cuont" is no flag that a file may set (did you mean count?)`,
		"out: x\n":                        `bench.yaml:1: "out" is no flag that a file may set: it may set transport`,
		"tile: x\n":                       `bench.yaml:1: "tile" is no flag that a file may set`,
		"transport: verilog:x.v\n":        "bench.yaml:1: transport: verilog:x.v runs a program",
		"port: 1\n---\nport: 2\n":         "bench.yaml:1: a bench.yaml holds one YAML document",
		"- port\n":                        "bench.yaml:1: a bench.yaml has to be a mapping",
		"port: 1\ntag: [\n":               "not YAML: ",
		"port: 1\nport: 2\n":              "bench.yaml:2: not YAML: ",
		"port: 1\ntag:\n":                 "bench.yaml:2: tag" + noValue,
		"port: ''\n":                      "bench.yaml:1: port" + noValue,
		"port: true\n":                    "bench.yaml:1: port" + noValue,
		"tag: []\n":                       "bench.yaml:1: tag" + noValue,
		"tag: [true]\n":                   "bench.yaml:1: tag" + noValue,
		"port: {b: c}\n":                  "bench.yaml:1: port" + noValue,
		"port: \"x\\ny\"\n":               "bench.yaml:1: port" + noValue,
		"port: \"\\e[31m\"\n":             "bench.yaml:1: port" + noValue,
		"port: &x 1\ntag: *x\n":           "bench.yaml:1: port" + noValue,
		"[a]: 1\n":                        "bench.yaml:1: ",
		"tag: " + strings.Repeat("[", 99): "bench.yaml:1: more than 64 brackets are open",
	} {
		write(t, text)
		if _, err := settings.Apply(chipFlags(t), env); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v; want %s", text, err, says)
		}
	}
	write(t, bench)
	t.Setenv("BENCH_TRANSPORT", "mock")
	variable := settings
	variable.Flags = append(variable.Flags, "out")
	f := chipFlags(t)
	f.Lookup("transport").Value = &ParsedText{Parse: func(string) error { return failure.Usagef("no") }}
	if _, err := variable.Apply(f, env); err == nil || err.Error() != "the variable BENCH_TRANSPORT: no" {
		t.Error(err)
	}
}

// An empty file sets nothing.
func TestTakeNothing(t *testing.T) {
	for _, text := range []string{"", "\n", "# transport: rp2040\n", "---\n"} {
		write(t, text)
		if summary, err := settings.Apply(chipFlags(t), env); err != nil || summary != "" {
			t.Errorf("%q: %v, %s", text, err, summary)
		}
	}
}

// A message names the origin of a flag that the user did not type.
func TestOrigins(t *testing.T) {
	write(t, bench)
	f := chipFlags(t, "--count", "7")
	if _, err := settings.Apply(f, env); err != nil {
		t.Fatal(err)
	}
	const message = "port /dev/a: no such port (--port, --count)"
	if got := ExplainOrigins(message, f); got != message+" (--port comes from bench.yaml)" {
		t.Error(got)
	}
}

// FuzzSettings checks that any file is either parsed or rejected with its line, and that all texts are printable.
func FuzzSettings(f *testing.F) {
	f.Add(bench)
	f.Add("tag: {a: {b: [c]}}")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := settings.parse("b.yaml", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "b.yaml:") {
				t.Error(err)
			}
			return
		}
		for _, one := range all {
			if len(one.texts) == 0 || one.line < 1 || strings.Contains(strings.Join(one.texts, ""), "\n") {
				t.Errorf("%+v", one)
			}
		}
	})
}
