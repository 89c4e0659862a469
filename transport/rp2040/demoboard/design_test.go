package demoboard

import (
	"strings"
	"testing"

	"utfbench/boards"
	"utfbench/transport/rp2040"
)

// of returns a board without the SDK, whose chip's ROM names the given shuttle.
func of(says string, o Options) *Board {
	o.Project = "tt_um_rebeccargb_hardware_utf8"
	return &Board{Port: "port", Facts: &rp2040.Facts{}, Wiring: &boards.Board{Name: "a board"},
		ROM: &rp2040.ROM{Shuttle: says}, options: o}
}

func load(t *testing.T) *boards.Index {
	t.Helper()
	return boards.Shuttles()
}

// look finds each design of each shuttle by name, with its number in the index, or reports that it has two numbers.
func TestEveryDesignIsFoundByName(t *testing.T) {
	index := load(t)
	found, two, all := 0, 0, 0
	for _, name := range index.ShuttleNames() {
		s := index.Shuttle(name)
		if s.ROMName() == "" {
			continue
		}
		for _, d := range s.Designs() {
			all++
			c, err := of(s.ROMName(), Options{Design: d.Name}).look()
			switch {
			case err == nil && c.number == d.Number && c.danger == d.Danger:
				found++
			case err != nil && strings.Contains(err.Error(), "--design NUMBER takes one"):
				two++
			default:
				t.Errorf("%s of %s: %+v, %v; want number %d", d.Name, name, c, err, d.Number)
			}
		}
	}
	if all < 3900 || found+two != all || two > all/100 {
		t.Errorf("of %d designs %d are found, and %d are said to be at two numbers", all, found, two)
	}
}

func TestLook(t *testing.T) {
	for _, c := range []struct {
		says, design string
		want         choice
		err          string
	}{
		{"tt09", "", choice{"tt_um_rebeccargb_hardware_utf8", 897, ""}, ""},
		{"ttsky25b", "", choice{"tt_um_rebeccargb_hardware_utf8", 207, ""}, ""},
		{"tt08", "901", choice{"tt_um_rebeccargb_hardware_utf8", 901, ""}, ""},
		{"tt08", "tt_um_08_sws", choice{"tt_um_08_sws", 526, "medium"}, ""},
		{"tt08", "526", choice{"tt_um_08_sws", 526, "medium"}, ""},
		{"tt99", "1023", choice{"", 1023, ""}, ""},
		{"tt99", "", choice{}, "the number of tt_um_rebeccargb_hardware_utf8 on tt99 is not known: " +
			"--design NUMBER, 1 to 1023"},
		{"tt09", "0", choice{}, "a number on the mux is 1 to 1023"},
		{"tt09", "-1", choice{}, "a number on the mux is 1 to 1023"},
		{"tt06", "", choice{}, "the shuttle tt06 of the chip has no design tt_um_rebeccargb_hardware_utf8"},
		{"tt09", "tt_um_rebeccargb_hardware_utf", choice{}, "(did you mean tt_um_rebeccargb_hardware_utf8?)"},
	} {
		got, err := of(c.says, Options{Design: c.design}).look()
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q on %s: %+v, %v; want %+v, %q", c.design, c.says, got, err, c.want, c.err)
		}
	}
}

// selectDesign refuses a design that the index marks as dangerous before it uses the board: the test has none.
func TestDangerByTheIndex(t *testing.T) {
	err := of("tt08", Options{}).selectDesign(t.Context(), choice{"tt_um_08_sws", 526, "medium"})
	if err == nil || !strings.Contains(err.Error(), "design tt_um_08_sws, number 526 is marked with the "+
		"danger level medium") || !strings.Contains(err.Error(), "--insist") {
		t.Error(err)
	}
}

// The error names outputs that are stuck while the ROM is read, unless most are stuck, as without a ROM.
func TestStuckOutputs(t *testing.T) {
	text := "\x78\x00shuttle=tt09\nrepo=TinyTapeout/tinytapeout-09\ncommit=c9701782\n\x00"
	for want, stick := range map[string]func(byte) byte{
		"no chip's ROM answers": func(byte) byte { return 0 },
		"uo4 at 0 in all of":    func(b byte) byte { return b &^ 0x10 },
		"uo5 at 1 in all of":    func(b byte) byte { return b | 0x20 },
		"has no design tt_um_x": func(b byte) byte { return b &^ 0x80 },
	} {
		read := []byte(text)
		for i, b := range read {
			read[i] = stick(b)
		}
		b := of("", Options{Design: "tt_um_x"})
		b.ROM, b.stuck = rp2040.ParseROM(read), constantOutputs(read)
		if _, err := b.look(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

func pointer[T any](v T) *T { return &v }

// Detect identifies the board from the data of each generation of the SDK.
func TestDetect(t *testing.T) {
	for _, c := range []struct {
		name  string
		facts rp2040.Facts
		board string // or a part of the error
	}{
		{"RP2350", rp2040.Facts{Machine: "TinyTapeout RP2350B Core with RP2350",
			SDK: &rp2040.SDK{PCB: 3, Carrier: "TTDBv3"}}, "tt-demo-rp2350"},
		{"TT04", rp2040.Facts{SDK: &rp2040.SDK{PCB: 1, Carrier: "TT04/TT05"}}, "tt-demo-tt04"},
		{"TT06", rp2040.Facts{SDK: &rp2040.SDK{PCB: 2, Carrier: "TT06+"}}, "tt-demo-tt06"},
		{"TT07", rp2040.Facts{SDK: &rp2040.SDK{PCB: 2, Carrier: "TT06+", ROM: rp2040.ROM{Shuttle: "tt07"}}},
			"tt-demo-tt07"},
		{"no probe", rp2040.Facts{SDK: &rp2040.SDK{Version: "2.0.4", Carrier: "UNKNOWN"}},
			"has not detected its board"},
		{"nothing fits", rp2040.Facts{SDK: &rp2040.SDK{ROM: rp2040.ROM{Shuttle: "tt99"}}},
			"which fits no board that the bench knows"},
		{"not started", rp2040.Facts{Installed: true}, "bench park --reboot starts it"},
		{"stock", rp2040.Facts{Firmware: "1.24.0"}, "runs MicroPython 1.24.0 without Tiny Tapeout's SDK"},
	} {
		got, err := (&Board{Port: "port", Facts: &c.facts}).Detect()
		if err == nil && got.Name != c.board || err != nil && !strings.Contains(err.Error(), c.board) {
			t.Errorf("%s: %+v, %v; want %q", c.name, got, err, c.board)
		}
	}
}

// A board that the user names must be the one that the SDK identifies, unless the user insists or names a board file.
func TestNamedBoard(t *testing.T) {
	rp2350 := &rp2040.SDK{PCB: 3, Carrier: "TTDBv3"}
	for _, c := range []struct {
		named  string
		facts  rp2040.Facts
		insist bool
		want   string
	}{
		{"pico", rp2040.Facts{Machine: "with RP2350", SDK: rp2350}, false,
			"--board pico: the board at port is a tt-demo-rp2350, as its SDK says: omit --board"},
		{"pico", rp2040.Facts{Machine: "with RP2350", SDK: rp2350}, true, ""},
		{"tt-demo-rp2350", rp2040.Facts{Machine: "with RP2350", SDK: rp2350}, false, ""},
		{"my own", rp2040.Facts{Machine: "with RP2350", SDK: rp2350}, false, ""},
		{"pico", rp2040.Facts{SDK: &rp2040.SDK{Carrier: "UNKNOWN"}}, false, ""},
		{"pico", rp2040.Facts{}, false, ""},
	} {
		b := Board{Port: "port", Facts: &c.facts}
		b.options.Board, b.options.Insist = &boards.Board{Name: c.named}, c.insist
		_, err := b.Detect()
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("--board %s, insist %v: %v; want %q", c.named, c.insist, err, c.want)
		}
	}
}

// SDK 3 identifies the carrier. Older SDKs report only whether there is one.
func TestCarrier(t *testing.T) {
	for _, c := range []struct {
		sdk  *rp2040.SDK
		fpga bool
		want string
	}{
		{nil, false, ""},
		{&rp2040.SDK{PCB: 1}, false, ""},
		{&rp2040.SDK{PCB: 2, Present: pointer(true)}, false, ""},
		{&rp2040.SDK{PCB: 3, Kind: pointer(1), Present: pointer(true)}, false, ""},
		{&rp2040.SDK{PCB: 3, Kind: pointer(2), Present: pointer(true)}, true, ""},
		{&rp2040.SDK{PCB: 3, ROM: rp2040.ROM{Shuttle: "FPGA"}}, true, ""},
		{&rp2040.SDK{PCB: 3, Kind: pointer(0)}, false, "found no carrier with a chip"},
		{&rp2040.SDK{PCB: 3}, false, "found no carrier with a chip"},
	} {
		fpga, err := (&Board{Facts: &rp2040.Facts{SDK: c.sdk}}).carrier()
		if fpga != c.fpga || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: FPGA %v, %v; want %v, %q", c.sdk, fpga, err, c.fpga, c.want)
		}
	}
}
