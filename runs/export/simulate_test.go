package export

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/project"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func need(t *testing.T, commands ...string) {
	t.Helper()
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			t.Skipf("needs %s (Debian package %s)", c, c)
		}
	}
}

const chip = "../../transport/verilog/testdata/chip"

// For the UTF chip's own Verilog, with and without mistakes in its logic, testbench and driver return the same verdicts
// and the same differing steps.
func TestTestbenchAgrees(t *testing.T) {
	need(t, "iverilog")
	slips, between := testkit.DesignMutants(t, chip), testkit.Pick(320, 31)
	jobs := every(testkit.AllJobs[driver.Job](t), testkit.SampleSize(54, 18, 1))
	t.Run("unmodified", func(t *testing.T) {
		if failed := compare(t, utf.TT09, jobs, testkit.DesignMutant{}.Sources(t, chip, t.TempDir())); failed != 0 {
			t.Errorf("%d vectors FAIL", failed)
		}
	})
	asked, seen := 0, 0
	for i := between / 2; i < len(slips) && asked < 20; i += between {
		s := slips[i]
		asked++
		t.Run(s.Name, func(t *testing.T) {
			if failed := compare(t, utf.TT09, jobs, s.Sources(t, chip, t.TempDir())); failed > 0 {
				seen++
			}
		})
	}
	t.Logf("%d vectors; of %d slips they see %d", len(jobs), asked, seen)
	if asked < testkit.Pick(2, 20) || seen < asked/2 {
		t.Errorf("of %d slips %d are seen", asked, seen)
	}
}

func every(jobs []driver.Job, n int) (some []driver.Job) {
	for i := 0; i < len(jobs); i += n {
		some = append(some, jobs[i])
	}
	return some
}

// turnSlips lists mutations of a tile with a bidirectional bus, with their expected verdicts.
var turnSlips = []struct{ file, from, to, verdict string }{
	{"project.v", "", "", "PASS"},
	{"project.v", "count + 1", "count + 3", "FAIL"},
	{"project.v", "drive <= read & ~write", "drive <= read", "FAIL"},
	{"project.v", "drive <= read & ~write", "drive <= drive ? 1'b1 : read & ~write", "FAIL"},
	{"project.v", "count <= 0;", "", "ERROR"}, // count is x, so the reference predicts no level
	{"memory.v", "bytes[address] <= in", "bytes[address] <= in ^ 8'h20", "FAIL"},
}

// The testbench agrees with the driver on a tile that is given by its Verilog alone: its state decides the direction of
// uio, it has memory without a reset, and the bench releases turning lines once the tile has differed.
func TestTestbenchOfATurningTileAgrees(t *testing.T) {
	need(t, "iverilog", "yosys")
	p := testkit.Must(project.Open("../../tile/gates/testdata/turn"))(t)
	x := testkit.Must(yosys.Open(t.Context(), p, nil))(t)
	jobs := byChance(t, x, 12, 60)
	for _, s := range turnSlips {
		dir := t.TempDir()
		var sources []string
		for _, path := range x.About.Paths() {
			if filepath.Base(path) == s.file {
				text, err := os.ReadFile(path)
				if err != nil || !strings.Contains(string(text), s.from) {
					t.Fatalf("%s has no %q: %v", path, s.from, err)
				}
				path = filepath.Join(dir, s.file)
				write(t, path, strings.Replace(string(text), s.from, s.to, 1))
			}
			sources = append(sources, path)
		}
		t.Run(s.from+" became "+s.to, func(t *testing.T) {
			said, last := simulated(t, x, jobs, sources)
			agrees(t, said, judged(t, x, jobs, sources))
			if !strings.HasPrefix(last, s.verdict+" ") {
				t.Errorf("it ends with %q; want %s", last, s.verdict)
			}
		})
	}
}

// The testbench supports a block that reads a line of uio which it drives.
func TestTestbenchOfABlockThatReadsItsOutput(t *testing.T) {
	need(t, "iverilog", "yosys")
	dir := t.TempDir()
	source := filepath.Join(dir, "src", "project.v")
	if err := os.Mkdir(filepath.Dir(source), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, source, `module tt_um_reads (input [7:0] ui_in, uio_in, output reg [7:0] uo_out, uio_out,
  output [7:0] uio_oe, input ena, clk, rst_n);
  reg [7:0] count;
  always @(posedge clk) count <= rst_n ? count + ui_in : 8'h00;
  always @* begin uo_out = uio_in; uio_out = count; end
  assign uio_oe = 8'hFF;
endmodule`)
	write(t, filepath.Join(dir, "info.yaml"), "project:\n  top_module: tt_um_reads\n  source_files: [project.v]\n")
	p := testkit.Must(project.Open(dir))(t)
	x := testkit.Must(yosys.Open(t.Context(), p, nil))(t)
	if _, last := simulated(t, x, byChance(t, x, 2, 60), []string{source}); last != "PASS 2 vectors" {
		t.Errorf("it ends with %q", last)
	}
}

// The testbench, like the driver, reports that it compares too little, whatever the design shows on the other lines.
func TestTestbenchOfFewComparisons(t *testing.T) {
	need(t, "iverilog")
	chip := filepath.Join(t.TempDir(), "played.v")
	write(t, chip, `module played (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe,
  input ena, clk, rst_n);
  assign uo_out = ui_in[7] ? 8'h40 : 8'h0F, uio_out = 0, uio_oe = 0;
endmodule`)
	unknown := transport.Sample{OutX: 0xFF, IOX: 0xFF}
	for _, c := range []struct {
		shows transport.Sample // the sample at the last step
		last  string
	}{
		{transport.Sample{Out: 0x0F, IOX: 0xFF}, "WEAK 1 vectors: level 1 of uo4-uo7 and level 0 of uo0-uo3 " +
			"never compared: a chip with stuck outputs there passes too"},
		{transport.Sample{Out: 0x0F, OutX: 0xF8, IOX: 0xFF}, "WEAK 1 vectors: uo3-uo7 and level 0 of uo0-uo2 " +
			"never compared: a chip with stuck outputs there passes too"},
		{unknown, "WEAK 0 vectors: no output was compared"},
		{transport.Sample{Out: 0x40, IOX: 0xFF}, "FAIL 1 of 1 vectors"},
	} {
		of := &played{samples: []transport.Sample{unknown, unknown, c.shows}}
		out := run(t, of, driver.Iterations([]driver.Job{job("own/a")}, 1), []string{chip})
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if last := lines[len(lines)-1]; last != c.last {
			t.Errorf("it ends with %q; want %q", last, c.last)
		}
	}
}

// byChance returns vectors of random steps that the lint of the tile accepts.
func byChance(t *testing.T, of tile.Tile, vectors, steps int) (jobs []driver.Job) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 5))
	for i := range vectors {
		all := testkit.Must(tile.RandomSteps(of, rng, steps))(t)
		jobs = append(jobs, driver.Job{Vector: &golden.Vector{Name: fmt.Sprintf("chance/%d", i),
			Sequence: golden.Sequence{Steps: all}}})
	}
	return jobs
}

// compare compares the testbench's verdicts with the driver's, and returns the number of vectors that are FAIL.
func compare(t *testing.T, of tile.Tile, jobs []driver.Job, sources []string) (failed int) {
	t.Helper()
	want := judged(t, of, jobs, sources)
	said, last := simulated(t, of, jobs, sources)
	agrees(t, said, want)
	for _, v := range want {
		if strings.HasPrefix(v, "FAIL") {
			failed++
		}
	}
	end := fmt.Sprintf("PASS %d vectors", len(want))
	if failed > 0 {
		end = fmt.Sprintf("FAIL %d of %d vectors", failed, len(want))
	}
	if !strings.HasPrefix(last, end) {
		t.Errorf("it ends with %q; want %q", last, end)
	}
	return failed
}

func agrees(t *testing.T, said, want map[string]string) {
	t.Helper()
	if len(said) != len(want) {
		t.Errorf("the testbench speaks of %d vectors, the driver of %d", len(said), len(want))
	}
	for name, verdict := range want {
		if said[name] != verdict {
			t.Errorf("%s: the testbench says %q, and the driver %q", name, said[name], verdict)
		}
	}
}

// judged returns the driver's verdicts with transport/verilog: PASS, FAIL with the step and the lines that differ
// there, or ERROR. It omits vectors that were not judged because of an ERROR or another revision.
func judged(t *testing.T, of tile.Tile, jobs []driver.Job, sources []string) map[string]string {
	t.Helper()
	tr, err := verilog.Open(t.Context(), verilog.Config{Sources: sources, Simulator: "icarus", CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	verdicts := map[string]string{}
	r := driver.Runner{Tile: of, Transport: tr, Report: func(r *driver.Result) {
		switch r.Verdict {
		case driver.Skipped, driver.Aborted:
		case driver.Fail:
			verdicts[r.Vector.Name] = fmt.Sprint("FAIL step ", r.FirstMismatch.Index+1, " ",
				r.FirstMismatch.Got.Differ(r.FirstMismatch.Want).Names())
		default:
			verdicts[r.Vector.Name] = r.Verdict.String()
		}
	}}
	if _, err = r.Run(t.Context(), jobs); err != nil {
		t.Fatal(err)
	}
	return verdicts
}

// patterns of lines in a testbench's output
var (
	verdictLine = regexp.MustCompile(`^(PASS|FAIL|ERROR) (\S+?)(?:: step (\d+):(.*))?$`)
	lineWords   = regexp.MustCompile(` (uio\d|uo\d) is (?:[01xz], not [01]|driven by bench and tile);`)
)

// simulated returns the testbench's verdicts, in the format of judged, and its last line. It checks the exit code.
func simulated(t *testing.T, of tile.Tile, jobs []driver.Job, sources []string) (verdicts map[string]string,
	last string) {
	t.Helper()
	out := run(t, of, driver.Iterations(jobs, 1), sources)
	verdicts = map[string]string{}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	last = lines[len(lines)-1]
	for _, line := range lines[:len(lines)-1] {
		m := verdictLine.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("the testbench says %q", line)
		}
		verdict := m[1]
		if verdict == "FAIL" {
			var names []string
			for _, w := range lineWords.FindAllStringSubmatch(m[4], -1) {
				names = append(names, w[1])
			}
			verdict = fmt.Sprint("FAIL step ", m[3], " ", names)
		}
		verdicts[m[2]] = verdict
	}
	return verdicts, last
}

// run writes the testbench, compiles it with the design and runs it.
func run(t *testing.T, of tile.Tile, jobs iter.Seq2[int, driver.Job], sources []string) string {
	t.Helper()
	dir := t.TempDir()
	file, tb := filepath.Join(dir, "tb.v"), filepath.Join(dir, "tb")
	var text strings.Builder
	b := Testbench{Tile: of}
	if err := b.Write(t.Context(), &text, jobs); err != nil {
		t.Fatal(err)
	}
	write(t, file, text.String())
	args := append([]string{"-g2012", "-o", tb, file}, sources...)
	if out, err := exec.Command("iverilog", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, out)
	}
	out, err := exec.Command("vvp", "-n", tb, "+all").CombinedOutput()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if passed := strings.HasPrefix(lines[len(lines)-1], "PASS "); passed != (err == nil) {
		t.Errorf("it ends with %q and %v", lines[len(lines)-1], err)
	}
	return string(out)
}
