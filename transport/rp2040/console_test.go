//go:build unix

package rp2040

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"utfbench/boards"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
	"utfbench/transport/rp2040/boardtest"
)

const (
	utf8Chip = "tt_um_rebeccargb_hardware_utf8"
	romText  = "shuttle=tt09\nrepo=TinyTapeout/tinytapeout-09\ncommit=abcd1234\n"
)

// dial connects to a board. If the board is silent, as on a busy machine, it tries once more with a long timeout.
func dial(t testing.TB, p *python) (*Console, context.Context) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(cancel)
	patience := cmp.Or(p.patience, 40*DefaultPatience)
	c, err := Dial(ctx, p.port, "micropython", patience)
	if errors.Is(err, errNoMicroPython) || errors.Is(err, errQuiet) {
		p.connect(t)
		c, err = Dial(ctx, p.port, "micropython", 2*patience)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c, ctx
}

// shuttleOn returns the Config of the named board with its shuttle's chip, and the shuttle's mux.
func shuttleOn(t *testing.T, name string, sdk *boardtest.SDK) (boardtest.Config, Mux) {
	t.Helper()
	b := testkit.Must(boards.Open(name))(t)
	n := testkit.Must(b.MuxPinNumbers())(t)
	mux := Mux{n[0], n[1], n[2], n[3]}
	return boardtest.Config{Pins: pinsOf(name), SDK: sdk,
			Mux: &boardtest.Mux{NRst: mux.NRst, Inc: mux.Inc, Ena: mux.Ena, Select: mux.Select,
				ROM: romText, Number: 897}},
		mux
}

// generations lists the generations of the SDK, each on a suitable board.
var generations = []struct{ version, machine, board, carrier string }{
	{"1.2.2", "Raspberry Pi Pico with RP2040", "tt-demo-tt06", "TT06+"},
	{"2.0.4", "Raspberry Pi Pico with RP2040", "tt-demo-tt04", "TT04/TT05"},
	{"3.0.6", "TinyTapeout RP2350B Core with RP2350", "tt-demo-rp2350", "TTDBv3"},
}

// After its start, each generation of the SDK describes itself, and the bench can select a design without its help.
func TestMicroPythonSaysWhatItIs(t *testing.T) {
	for _, g := range generations {
		t.Run(g.version+" "+g.board, func(t *testing.T) {
			t.Parallel()
			config, mux := shuttleOn(t, g.board, &boardtest.SDK{Version: g.version, Designs: map[string]int{
				utf8Chip: 897, "tt_um_factory_test": 1}})
			config.Machine = g.machine
			p := startPython(t, config)
			c, ctx := dial(t, p)
			got := testkit.Must(c.ReadFacts(ctx))(t)
			want := &SDK{Version: g.version, Carrier: g.carrier, ROM: ROM{"tt09", "TinyTapeout/tinytapeout-09",
				"abcd1234"}, Read: true, Clock: 10}
			if d := gocmp.Diff(want, got.SDK, cmpopts.IgnoreFields(SDK{}, "PCB", "Present", "Kind")); d != "" ||
				got.Hertz != 133_000_000 || !got.Started {
				t.Errorf("facts %+v, (-want +got):\n%s", got, d)
			}
			if err := c.Select(ctx, mux, p.pins, 897); err != nil || p.Design() != 897 {
				t.Errorf("Select: %v, and design %d is selected; want 897", err, p.Design())
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			p.Check(t)
		})
	}
}

// ReadFacts returns errMemory if the memory is too full for the queries. Pins, SDK and selected design do not change.
func TestFactsInAFullMemory(t *testing.T) {
	config, _ := shuttleOn(t, "tt-demo-tt06", &boardtest.SDK{Version: "2.0.4", Designs: map[string]int{utf8Chip: 897,
		"tt_um_factory_test": 1}})
	config.FreeMemory, config.LargestBlock = 4_000, 2_000
	p := startPython(t, config)
	c, ctx := dial(t, p)
	if _, err := c.ReadFacts(ctx); !errors.Is(err, errMemory) || p.Design() != 1 {
		t.Errorf("facts: %v; the design is %d", err, p.Design())
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	p.Check(t)
}

// A Ctrl-C in any phase of the SDK's start leaves a broken SDK, which a new run of main.py repairs.
func TestMicroPythonAfterARuinedStart(t *testing.T) {
	for part, want := range map[string]*SDK{"imports": nil, "index": nil,
		"ROM": {Version: "3.0.6", ROM: ROM{Shuttle: "unknown"}}} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			config, _ := shuttleOn(t, "tt-demo-rp2350", &boardtest.SDK{Version: "3.0.6", Interrupted: part})
			config.Machine = "TinyTapeout RP2350B Core with RP2350"
			p := startPython(t, config)
			c, ctx := dial(t, p)
			defer c.Close()
			f, err := c.ReadFacts(ctx)
			if err != nil || f.Started != (want != nil) || want != nil && (f.SDK.ROM != want.ROM || f.SDK.Read) {
				t.Errorf("facts: %+v with %+v, %v; want %+v", f, f.SDK, err, want)
			}
			if err := c.Reboot(ctx); err != nil {
				t.Fatal(err)
			}
			if f, err := c.ReadFacts(ctx); err != nil || !f.Started || f.SDK.Shuttle != "tt09" || !f.SDK.Read {
				t.Errorf("after main.py: %+v, %v", f, err)
			}
			p.Check(t)
		})
	}
}

// While the SDK's PWM clock runs, clk does not follow the bench; after StopClock it does.
func TestPWMHasTheClock(t *testing.T) {
	t.Parallel()
	config, _ := shuttleOn(t, "tt-demo-tt06", &boardtest.SDK{Version: "2.0.4", Designs: map[string]int{utf8Chip: 897},
		Clocks: map[string]int{utf8Chip: 1000}})
	p := startPython(t, config)
	c, ctx := dial(t, p)
	defer c.Close()
	if _, err := c.link.run(ctx, "tt.shuttle.get('"+utf8Chip+"').enable()"); err != nil {
		t.Fatal(err)
	}
	const pulse = "import machine\nmachine.mem32[0xD0000014] = 1\nmachine.mem32[0xD0000018] = 1"
	for _, want := range []int{0, 1} {
		if _, err := c.link.run(ctx, pulse); err != nil {
			t.Fatal(err)
		}
		if _, err := c.link.run(ctx, "machine.Pin(9).value()"); err != nil || p.Edges() != want {
			t.Errorf("%d edges reached the chip, %v; want %d", p.Edges(), err, want)
		}
		if _, err := c.StopClock(ctx); err != nil {
			t.Fatal(err)
		}
		if _, err := c.link.run(ctx, "machine.Pin(0, machine.Pin.OUT, value=0)"); err != nil {
			t.Fatal(err)
		}
	}
}

// Without the SDK the bench selects by pulses on the mux and reads the ROM, even through TT04's mux or swapped lines.
func TestMicroPythonSelectsByTheMux(t *testing.T) {
	for _, name := range []string{"tt-demo-tt04", "tt-demo-tt07"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config, mux := shuttleOn(t, name, nil)
			p := startPython(t, config)
			c, ctx := dial(t, p)
			if f, err := c.ReadFacts(ctx); err != nil || f.SDK != nil {
				t.Fatalf("facts: %+v, %v; want no SDK", f, err)
			}
			read := testkit.Must(c.ReadROM(ctx, mux, p.pins))(t)
			if rom := ParseROM(read); rom == nil || *rom != (ROM{"tt09", "TinyTapeout/tinytapeout-09", "abcd1234"}) {
				t.Errorf("ROM: %+v", rom)
			}
			if err := c.Select(ctx, mux, p.pins, 897); err != nil || p.Design() != 897 {
				t.Errorf("Select(897): %v, and design %d is selected", err, p.Design())
			}
			p.Check(t)
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestMicroPythonWithoutAROM(t *testing.T) {
	t.Parallel()
	config, mux := shuttleOn(t, "tt-demo-tt06", nil)
	config.Mux.ROM = ""
	c, ctx := dial(t, startPython(t, config))
	defer c.Close()
	if read, err := c.ReadROM(ctx, mux, tt06); err != nil || ParseROM(read) != nil {
		t.Errorf("ROM: %q, %v; want none", read, err)
	}
}

func TestMicroPythonFindsSwitches(t *testing.T) {
	t.Parallel()
	p := startPython(t, boardtest.Config{Switches: 0x24, Shorts: 0x80, Pmod: boardtest.Pmod{Low: 0x01, Moving: 0x10},
		Wires: []string{"ui1~ui3=or"}})
	c, ctx := dial(t, p)
	defer c.Close()
	held, err := c.FindHeldInputs(ctx, tt06)
	held.Loose = slices.DeleteFunc(held.Loose, func(bit int) bool { return bit == 4 }) // bit 4 may be high or low
	want := HeldInputs{[]int{2, 5, 7}, []int{7}, []int{0}, []int{4}, [][2]int{{1, 3}}}
	if d := gocmp.Diff(want, held); d != "" || err != nil {
		t.Errorf("held (-want +got), %v:\n%s", err, d)
	}
	if err := c.ReleasePins(ctx); err != nil || p.Drives("ui0") || p.Drives("clk") {
		t.Errorf("Release: %v; ui0 driven %v, clk driven %v", err, p.Drives("ui0"), p.Drives("clk"))
	}
}

// Start and Close preserve the selected design, the frequency and the prompt's names. Afterwards clk is not driven.
func TestMicroPythonIsLeftAsItWas(t *testing.T) {
	t.Parallel()
	config, mux := shuttleOn(t, "tt-demo-tt06", nil)
	p := startPython(t, config)
	c, ctx := dial(t, p)
	if err := c.Select(ctx, mux, p.pins, 897); err != nil {
		t.Fatal(err)
	}
	tr := testkit.Must(c.Start(ctx, Config{Pins: p.pins}))(t)
	steps := testkit.Stimulus(1, 50)
	got := make([]transport.Sample, len(steps))
	if _, err := tr.Apply(ctx, steps, got); err != nil || !gocmp.Equal(got, testkit.ModelSamples(model.TT09, steps)) {
		t.Errorf("Apply: %v, with samples %+v", err, got)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if p.Drives("clk") || p.Lines() != transport.ParkStep || p.Design() != 897 {
		t.Errorf("after Close: clk driven %v, lines %+v, design %d; want no, parked, 897", p.Drives("clk"),
			p.Lines(), p.Design())
	}
	p.connect(t)
	l := newLink(p.port)
	defer l.close()
	l.send([]byte("print(6 * 7, '_steps' in globals(), 'ptr32' in globals(), 'bench_loader' in " +
		"globals(), machine.freq())\r"))
	const want = "42 False False False 125000000"
	if said, err := l.until(context.Background(), replPatience, want); err != nil {
		t.Errorf("the prompt says %q, %v; want %s", said, err, want)
	}
}

func TestParseROM(t *testing.T) {
	got := ParseROM([]byte("\x78\x00" + romText + "noise\r\n=\n"))
	if *got != (ROM{"tt09", "TinyTapeout/tinytapeout-09", "abcd1234"}) {
		t.Errorf("%+v", got)
	}
}

// ReadFacts returns a clear error for an invalid answer or a traceback from a board.
func TestQuestionsToABoardThatMisbehaves(t *testing.T) {
	for _, c := range []struct{ name, answer, text, want string }{
		{"no answer", "hello\r\n", "", "gave no answer to facts"},
		{"not JSON", answerOf("{'a"), "", "is invalid"},
		{"a damaged answer", strings.Replace(answerOf(`{"id": "1"}`), "1", "3", 1), "", "damaged on the way"},
		{"a traceback", "", "Traceback (most recent call last):\r\nRuntimeError: Cannot set GPIO map\r\n",
			"Cannot set GPIO map"},
	} {
		inBubble(t, c.name, func(t *testing.T) {
			f := &fake{answer: c.answer, answerError: c.text}
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			console := testkit.Must(Dial(ctx, f.start(t), "fake", DefaultPatience))(t)
			defer console.Close()
			if _, err := console.ReadFacts(ctx); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Facts: %v; want an error with %q", err, c.want)
			}
		})
	}
}

// answerOf formats an answer as say() in loader.py does.
func answerOf(text string) string {
	return fmt.Sprintf("log\r\nbench-answer:%08x %s\r\n", crc32.ChecksumIEEE([]byte(text)), text)
}
