package boards

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utfbench/internal/testkit"
	"utfbench/transport"
)

func TestEmbeddedBoards(t *testing.T) {
	if len(Names()) == 0 {
		t.Fatal("no board is embedded")
	}
	for _, name := range Names() {
		b, err := Open(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if b.Name != name || b.Title == "" || len(b.Pins) != len(transport.Lines) {
			t.Errorf("%s: name %q, title %q, %d pins; want the file's name, a title, %d pins", name, b.Name, b.Title,
				len(b.Pins), len(transport.Lines))
		}
	}
}

const good = `name: hand
title: wired by hand
transport: mock
pins:
  clk: 24
  rst_n: GPIO25
  ui: [0, 1, 2, 3, 4, 5, 6, 7]
  uo: [8, 9, 10, 11, 12, 13, 14, 15]
  uio0: 16
  uio1: 17
  uio2: 18
  uio3: 19
  uio4: 20
  uio5: 21
  uio6: 22
  uio7: 23
`

func TestParse(t *testing.T) {
	b := testkit.Must(Parse("f.yaml", []byte(good)))(t)
	got := map[string]Pin{}
	for _, s := range []string{"clk", "rst_n", "ui7", "uo0", "uio7"} {
		got[s] = b.Pins[s]
	}
	want := map[string]Pin{"clk": {"24", 5}, "rst_n": {"GPIO25", 6}, "ui7": {"7", 7}, "uo0": {"8", 8},
		"uio7": {"23", 16}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("pins (-want +got):\n%s", d)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"duplicate pin", "clk: 24", "clk: 3", "f.yaml:7: pin 3 is given to ui3, but it is clk's already (line 5)"},
		{"duplicate signal", "uio7: 23", "uio6: 23", `f.yaml:16: not YAML: mapping key "uio6" ` +
			`already defined at [15:3]`},
		{"signal in a bus and alone", "uio7: 23", "ui3: 23", "f.yaml:16: ui3 has a pin already, 3 in line 7"},
		{"unknown signal", "uio7: 23", "uio8: 23", `f.yaml:16: unknown signal "uio8": allowed are clk`},
		{"missing signal", "  uio7: 23\n", "", "no pin for uio7: every board maps"},
		{"missing bus", "  uo: [8, 9, 10, 11, 12, 13, 14, 15]\n", "", "no pin for uo0, uo1, uo2"},
		{"short bus", "8, 9, 10", "9, 10", "f.yaml:8: uo has to be a list of 8 pins, bit 0 first"},
		{"negative pin", "clk: 24", "clk: -4", "f.yaml:5: the pin of clk has to be a number from 0 or a name"},
		{"one pin in two notations", "clk: 24", "clk: 0x03", "f.yaml:7: pin 3 is given to ui3, but it is " +
			"clk's already (line 5)"},
		{"bus with a bus inside", "[8, 9", "[[8], 9", "f.yaml:8: the pin of uo0 has to be a number from 0 or a name"},
		{"unknown key", "title:", "subtitle:", `f.yaml:2: unknown key "subtitle": allowed are name, title, ` +
			`transport, revision, shuttles, chip, header, pmods, pins, high, mux and taken`},
		{"unknown header", "title: wired by hand", "header: isa", `f.yaml:2: unknown header "isa": allowed: rpi`},
		{"chip that is no label", "title: wired by hand", "chip: {a: b}", "f.yaml:2: chip has to be the label of a " +
			"GPIO chip, or a list of labels"},
		{"empty list of chips", "title: wired by hand", "chip: []", "f.yaml:2: chip has to be the label of a GPIO " +
			"chip, or a list of labels"},
		{"a header that has no such pin", "title: wired by hand", "header: rpi", "f.yaml:7: the header has no GPIO0 " +
			"for ui0: it has GPIO2 to GPIO27"},
		{"no name", "name: hand\n", "", "no name: a board file has"},
		{"no transport", "transport: mock\n", "", "no transport: a board file has"},
		{"bad revision", "title: wired by hand", "revision: tt10", `f.yaml:2: unknown revision "tt10": ` +
			`allowed: tt08 and tt09`},
		{"list as a name", "name: hand", "name: [a]", "f.yaml:1: name has to be a text"},
		{"no pins", good[strings.Index(good, "pins:"):], "", "no pins: a board file maps 26 signals"},
		{"pins are no mapping", good[strings.Index(good, "pins:"):], "pins: 3\n", "f.yaml:4: pins has to be a mapping"},
		{"shuttles are no list", "title:", "shuttles: tt09\ntitle:", "f.yaml:2: shuttles has to be a list of names"},
		{"a shuttle without a name", "title:", "shuttles: [[a]]\ntitle:", "f.yaml:2: shuttles has to be a list of "},
		{"mux is no mapping", "title:", "mux: 3\ntitle:", "f.yaml:2: mux has to be a mapping"},
		{"mux without ena", "title:", "mux: {nrst: 31, inc: 32}\ntitle:", "f.yaml:2: mux has no ena"},
		{"mux with more", "title:", "mux: {reset: 31}\ntitle:", `f.yaml:2: unknown line "reset" of mux`},
		{"mux with a list", "title:", "mux: {nrst: [31]}\ntitle:", "f.yaml:2: the pin of mux's nrst"},
		{"mux on a signal's pin", "title:", "mux: {nrst: 31, inc: 8, ena: 32}\ntitle:", "f.yaml:2: pin 8 is given to " +
			"mux's inc, but it is uo0's already"},
		{"mux with a pin twice", "title:", "mux: {nrst: 31, inc: 31, ena: 32}\ntitle:", "f.yaml:2: pin 31 is given " +
			"to mux's inc, but it is mux's nrst's already"},
		{"taken is no mapping", "title:", "taken: [31]\ntitle:", "f.yaml:2: taken has to be a mapping"},
		{"taken by a list", "title:", "taken: {led: [31]}\ntitle:", "f.yaml:2: the pin of led has to be a number "},
		{"taken twice", "title:", "taken: {led: 8}\ntitle:", "f.yaml:2: pin 8 is given to led, but it is " +
			"uo0's already"},
		{"not YAML", "clk: 24", "clk: [", "f.yaml:"},
		{"deep brackets", "clk: 24", "clk: " + strings.Repeat("[", 65),
			"f.yaml:5: more than 64 brackets are open: a board file needs at most 2"},
		{"empty", good, "", "f.yaml:1: no name: a board file has name, title, transport and pins"},
		{"a list", good, "- a\n", "f.yaml:1: a board file has to be a mapping"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("f.yaml", []byte(strings.Replace(good, c.old, c.new, 1)))
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v\nwant one line with %q", err, c.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(good)
	f.Add("pins: {clk: 1, clk: 1}")
	f.Add("name: &a x\ntransport: *a\npins:\n  <<: {ui: 1}\n")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := Parse("f.yaml", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.yaml:") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q: want f.yaml:LINE and one line", err)
			}
			return
		}
		pins := map[string]bool{}
		for _, p := range b.Pins {
			pins[p.Name] = true
		}
		if len(b.Pins) != len(transport.Lines) || len(pins) != len(transport.Lines) {
			t.Errorf("%d signals on %d pins; want %d on as many", len(b.Pins), len(pins), len(transport.Lines))
		}
	})
}

// Probes names the pin of each line and, on a board with a header, its position there.
func TestProbes(t *testing.T) {
	for _, c := range []struct{ board, line, want string }{
		{"tt-demo-rp2350", "uo3", " (uo3 at GPIO36, PMOD header J13 pin 4)"},
		{"tt-demo-tt06", "uo3", " (uo3 at GPIO8, PMOD header J6 pin 4)"},
		{"linux", "uo3", " (uo3 at pin uo3)"},
		{"tt-demo-tt04", "uo3", " (uo3 at GPIO8)"},
		{"rpi", "uo3", " (uo3 at GPIO5, header pin 29)"},
		{"rpi", "none", ""},
	} {
		b := testkit.Must(Open(c.board))(t)
		if got := b.Probes([]string{c.line, "another"}); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
