package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"utfbench/internal/files"
	"utfbench/internal/testkit"
	"utfbench/tile/gates/yosys"
)

// documented is a command with JSON output that a schema describes.
type documented struct {
	schema string
	args   string // DIR is a folder with recordings a to d and shmoos, NET one with netlists
	code   int
}

// documents lists commands whose JSON outputs differ, with the names of their schemas.
var documents = []documented{
	{"wiring", "wiring --json", exitPass},
	{"wiring", "wiring --json --fault uio3~uio4=and", exitWiring},
	{"wiring", "wiring --json --fault v5=stuck1", exitFail},
	{"doctor", "doctor --json", exitPass},
	{"doctor", "doctor --json --fault uio3=stuck0", exitWiring},
	{"doctor", "doctor --json -t rp2040:/dev/null", exitBench},
	{"diagnose", "diagnose --json DIR/a.rec", exitPass},
	{"diagnose", "diagnose --json DIR/b.rec", exitPass},
	{"diagnose", "diagnose --json DIR/b.rec DIR/c.rec", exitPass},
	{"diagnose", "diagnose --json DIR/b.rec --netlist NET/../../utf/tt09.v", exitPass},
	{"timing", "timing --json --run ^states/lengths/.*0 --fault ui5=setup:30ns", exitPass},
	{"coverage", "coverage --tile NET/tt_um_bench_turn.v --netlist NET/tt_um_bench_turn.v --random 50 --json -",
		exitPass},
	{"shmoo", "shmoo -x pulse=10ns..1us/3 -y settle=0..100ns/2 --fault fmax=10MHz --suite guide --run 300-200 --json -",
		exitPass},
	{"shmoo", "shmoo -x pulse=10ns..1us/3 --suite guide --run 300-200 --tag vdd=1.8 --json -", exitPass},
	{"sweep", "sweep --space ops --depth 1 --tag vdd=1.8 --json -", exitPass},
	{"sweep", "sweep --space ops --depth 1 --fault uo3=stuck1 --seed 1 --json -", exitFail},
	{"shuttle-show", "shuttle show DIR/a.pack --json", exitPass},
	{"coverage", "coverage --tile NET/turn --random 50 --mutants 9 --json -", exitPass},
	{"shuttle", "shuttle --pack DIR/a.pack -t netlist --random 100 --json -", exitWeak},
	{"run", "run --suite guide --run 300-200 --no-history --json -", exitWeak},
	{"run", "run --suite guide --run 30 --fault uo3=flip:1e-3 --seed 7 --count 5 --tag a=b --no-history --json -",
		exitFlaky},
	{"run", "run --at 20MHz --suite states --fault uo3=delay:60ns --no-history --json -", exitFail},
	{"run", "run --suite sequences --no-history --json -", exitPass},
	{"run", "capture --tile factory --clocks 9 --skip 2 --fault uo3=stuck1 --no-history --json -", exitFail},
	{"history", "history --json", exitPass},
	{"vectors", "vectors --json --suite sequences", exitPass},
	{"designs", "designs utf8 --json", exitPass},
}

// The JSON output of commands has exactly the fields in docs/schemas.
func TestDocuments(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("BENCH_DB", filepath.Join(dir, "h.db"))
	net := testkit.Must(filepath.Abs("../../tile/gates/testdata"))(t)
	words := func(line string) []string {
		return strings.Fields(strings.NewReplacer("DIR", dir, "NET", net).Replace(line))
	}
	if err := os.CopyFS(filepath.Join(dir, "shuttle", "projects", "tt_um_bench_turn"),
		os.DirFS("../../tile/gates/testdata")); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"shuttle pack DIR/shuttle --out DIR/a.pack",
		"run --suite guide --run 300-200 --record DIR/a.rec --tag vdd=1.8",
		"run --suite guide --run 300-200 --record DIR/b.rec --fault uo3=stuck1",
		"run --suite guide --run 300-200 --at 20MHz --record DIR/c.rec --fault uo3=stuck1",
		"shmoo -x pulse=10ns..1us/3 --suite guide --run 300-200 --fault fmax=10MHz --json DIR/b.json",
	} {
		if _, said := bench(t, words(line)...); strings.HasPrefix(line, "run") && !strings.Contains(said, "history") {
			t.Fatalf("%s: %s", line, said)
		}
	}
	schemas := map[string]*jsonschema.Resolved{}
	for _, d := range documents {
		_, err := yosys.Find()
		if err != nil && strings.Contains(d.args, "--mutants") || d.takesSeconds() && !testkit.Full() {
			continue
		}
		if schemas[d.schema] == nil {
			schemas[d.schema] = testkit.Schema(t, d.schema)
		}
		d.check(t, schemas[d.schema], words(d.args))
	}
}

// takesSeconds reports whether a command takes seconds, since it simulates mutants or the chip's netlist.
func (d *documented) takesSeconds() bool {
	return strings.Contains(d.args, "--mutants") || strings.Contains(d.args, "utf/tt09.v")
}

func (d *documented) check(t *testing.T, s *jsonschema.Resolved, args []string) {
	var out, errOut bytes.Buffer
	code := run(t.Context(), args, &out, &errOut)
	if code != d.code || out.Len() == 0 {
		t.Errorf("%s: exit code %d, want %d: %s", d.args, code, d.code, &errOut)
		return
	}
	whole := []string{out.String()}
	if streams[d.schema] {
		whole = slices.Collect(strings.Lines(out.String()))
	}
	for _, text := range whole {
		if err := testkit.CheckSchema(s, text); err != nil {
			t.Errorf("%s: %v\n%.2000s", d.args, err, text)
			return
		}
	}
}

// streams lists the outputs that have one object per line.
var streams = map[string]bool{"run": true, "shuttle": true, "history": true, "vectors": true, "designs": true}

// Each command with --json has a schema, which docs/formats.md names.
func TestEveryJSONHasASchema(t *testing.T) {
	formats := testkit.Must(os.ReadFile("../../docs/formats.md"))(t)
	each(newRoot(usualDesign(files.ProcessEnv())), func(cmd *cobra.Command) {
		path := strings.TrimPrefix(cmd.CommandPath(), "bench ")
		if cmd.Flags().Lookup("json") == nil {
			return
		}
		name := strings.ReplaceAll(path, " ", "-")
		if path == "capture" || path == "explore" {
			name = "run"
		}
		of := func(d documented) bool { return d.schema == name }
		if !slices.ContainsFunc(documents, of) {
			t.Errorf("bench %s --json is held against no schema", path)
		}
		in := func(text string) bool { return strings.Contains(string(formats), text) }
		if !in(path) || !in("(schemas/"+name+".schema.json)") {
			t.Errorf("docs/formats.md does not name the schema of bench %s --json", path)
		}
	})
}
