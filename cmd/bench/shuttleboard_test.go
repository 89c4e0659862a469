//go:build unix

package main

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"utfbench/boards"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/tile/gates/sim"
	"utfbench/tile/pack"
	"utfbench/transport/rp2040/boardtest"
)

// A survey of a demo board selects each design with the mux, and judges it by its gates. The netlists are this
// project's, under the names of tt09 designs. One of the chip's netlists has a wrong cell.
func TestShuttleOnABoard(t *testing.T) {
	testkit.SkipUnlessFull(t)
	t.Parallel()
	good := ownPack(t, "same", "same")
	wrong := ownPack(t, "nand2_1 _147_ ( .A(ui_in[2]), .B(ui_in[3]), .Y(_70_) )",
		"and2_1 _147_ ( .A(ui_in[2]), .B(ui_in[3]), .X(_70_) )")
	code, said := surveyed(t, good, wrong, 0, 1, "300")
	for _, want := range []string{"tt_um_wokwi_413919752282163201  FAIL ", "tt_um_wokwi_413919972072132609  WEAK ",
		" uo7 and level 0 of uo4 never compared: ", "tt_um_wokwi_413923702485727233  WEAK "} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
	if code != exitFail {
		t.Errorf("exit code %d\n%s", code, said)
	}
}

// A fabricated tile is not compared with another design that --design selects.
func TestDesignOfAnotherTile(t *testing.T) {
	b := boardtest.Start(t, demo(t, "tt-demo-rp2350"))
	code, said := bench(t, "run", "-t", "rp2040:"+b.TTY, "--tile", ownPack(t, "same", "same")+
		":tt_um_wokwi_413919752282163201", "--design", "897", "--no-history")
	const want = "is tt_um_rebeccargb_hardware_utf8 by the shuttle index, and the tile is tt_um_wokwi_41391975"
	if code != exitUsage || !strings.Contains(said, want) {
		t.Errorf("exit code %d\n%s", code, said)
	}
	b.Check(t)
}

// A survey of a chip with all designs of a shuttle reports no FAIL. BENCH_PACK is a pack of the designs; each part of
// the test takes every 16th. BENCH_ROM is the shuttle's name, by default tt09.
func TestWholeShuttleOnABoard(t *testing.T) {
	file := os.Getenv("BENCH_PACK")
	if file == "" {
		t.Skip("BENCH_PACK names no pack of a shuttle")
	}
	for part := range 16 {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			code, said := surveyed(t, file, file, part, 16, "2000")
			t.Log(said)
			if code != exitPass && code != exitWeak {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

// surveyed surveys a board whose chip has every stride-th design of the pack chip, compared with the pack judge.
func surveyed(t *testing.T, judge, chip string, first, stride int, steps string) (code int, said string) {
	t.Helper()
	config, only := surveyable(t, chip, first, stride)
	b := boardtest.Start(t, config)
	code, said = bench(t, "shuttle", "--pack", judge, "-t", "rp2040:"+b.TTY, "--seed", "1", "--random",
		steps, "--only", only)
	b.Check(t)
	want := "rp2040:" + b.TTY + ": the chip is parked, and the SDK's tt is available\n"
	if !strings.HasSuffix(said, want) {
		t.Errorf("it does not end in %q:\n%s", want, said)
	}
	return code, said
}

// surveyable configures a board with every stride-th design of a pack, from first on, and returns a pattern for them.
func surveyable(t *testing.T, chip string, first, stride int) (config boardtest.Config, only string) {
	t.Helper()
	index := boards.Shuttles()
	numbers := map[string]int{}
	shuttle := cmp.Or(os.Getenv("BENCH_ROM"), "tt09")
	for _, d := range index.Shuttle(shuttle).Designs() {
		numbers[d.Name] = d.Number
	}
	p := testkit.Must(pack.Open(chip))(t)
	defer p.Close()
	config, names := demo(t, "tt-demo-rp2350"), []string(nil)
	config.Mux.ROM, config.Mux.Number = romOf(shuttle), 1023 // no shuttle has a design at this number
	config.SDK.Designs, config.Designs = nil, map[int]fault.AsynchronousChip{}
	for i := first; i < len(p.Designs); i += stride {
		d := &p.Designs[i]
		gates, choices := testkit.Must(p.Tile(d))(t), &sim.RandomChoices{Seed: uint64(i), SameLanes: true}
		config.Designs[numbers[d.Name]] = gates.Design.NewPoweredChip(choices)
		names = append(names, d.Name)
	}
	return config, "^(" + strings.Join(names, "|") + ")$"
}

// directed is a design that drives uio0 while uio7 is high. An RP2350 drives uio7 from its other bank.
const directed = `module tt_um_bench_turn(VPWR, VGND, clk, ena, rst_n, ui_in, uio_in, uio_oe, uio_out, uo_out);
  inout VPWR, VGND;
  input clk, ena, rst_n;
  input [7:0] ui_in, uio_in;
  output [7:0] uio_oe, uio_out, uo_out;
  wire low;
  assign uio_oe[7:1] = {7{low}};
  assign uio_out = ui_in;
  assign uo_out = uio_in;
  sky130_fd_sc_hd__buf_1 b (.A(uio_in[7]), .X(uio_oe[0]));
  sky130_fd_sc_hd__conb_1 c (.LO(low));
endmodule
`

// ownPack writes a pack of this project's netlists, with from replaced by to, under the names of tt09 designs.
func ownPack(t *testing.T, from, to string) (file string) {
	t.Helper()
	dir := t.TempDir()
	for original, name := range map[string]string{
		"turn.v":             "tt_um_wokwi_413919752282163201",
		"tt_um_bench_turn.v": "tt_um_wokwi_413919972072132609",
		"":                   "tt_um_wokwi_413923702485727233",
	} {
		text := []byte(directed)
		if original != "" {
			var err error
			if text, err = os.ReadFile("../../tile/gates/testdata/" + original); err != nil {
				t.Fatal(err)
			}
		}
		netlist := strings.ReplaceAll(strings.ReplaceAll(string(text), "tt_um_bench_turn", name), from, to)
		project := filepath.Join(dir, "projects", name)
		if err := errors.Join(os.MkdirAll(project, 0o777),
			os.WriteFile(filepath.Join(project, "info.yaml"), []byte("project:\n  top_module: "+name+
				"\n  source_files: [project.v]\n"), 0o666),
			os.WriteFile(filepath.Join(project, name+".v"), []byte(netlist), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	file = filepath.Join(dir, "a.pack")
	if code, said := bench(t, "shuttle", "pack", dir, "--out", file); code != exitPass {
		t.Fatalf("exit code %d: %s", code, said)
	}
	return file
}
