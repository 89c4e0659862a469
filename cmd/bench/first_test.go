//go:build unix

package main

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport/rp2040/boardtest"
)

// swapped swaps two lines between the board and the chip.
func swapped(a, b string) func(*boardtest.Config) {
	return func(c *boardtest.Config) { c.Pins[a], c.Pins[b] = c.Pins[b], c.Pins[a] }
}

// A lie is a difference between a board and an assumption of the bench.
type lie struct {
	name   string
	change func(*boardtest.Config)
	cable  func(*boardtest.Proxy)
	row    string // the row of doctor --first
	want   string // matches the text of that row
	passes bool   // runs pass, since they use the measured value
}

var lies = []lie{
	{"two inputs are swapped", swapped("ui1", "ui2"), nil, "factory test", "ui1 and ui2 are swapped", false},
	{"two outputs are swapped", swapped("uo3", "uo4"), nil, "factory test", "uo3 and uo4 are swapped", false},
	{"two bidirectional lines are swapped", swapped("uio0", "uio7"), nil, "line order",
		"uio0 and uio7 are swapped", false},
	{"clk and rst_n are swapped", swapped("clk", "rst_n"), nil, "factory test", "clk and rst_n are swapped", false},
	{"a short to the supply", func(c *boardtest.Config) { c.Shorts = 0x08 }, nil, "ui lines", "holds ui3 high", false},
	{"a DIP switch is on", func(c *boardtest.Config) { c.Switches = 0x20 }, nil, "ui lines", "ui5 held high", true},
	{"a PMOD drives an input", func(c *boardtest.Config) { c.Pmod.Low = 0x04 }, nil, "ui lines", "ui2 low", false},
	{"a PMOD moves an input", func(c *boardtest.Config) { c.Pmod.Moving = 0x40 }, nil, "ui lines", "ui6 seen changing",
		true},
	{"two inputs touch", broken("ui1~ui2=and"), nil, "ui lines", "ui1, ui2 keep", false},
	{"an input touches an output", broken("ui2~uo3=and"), nil, "ui lines", "or to an output", false},
	{"an output is stuck", broken("uo4=stuck0"), nil, "factory test", "uo4", false},
	{"two outputs touch", broken("uo2~uo5=and"), nil, "factory test", "uo2 and uo5", false},
	{"a bidirectional line is stuck", broken("uio3=stuck1"), nil, "uio released", "uio3 at 1", false},
	{"a bidirectional line is open", broken("uio6=open:high"), nil, "factory test", "open", false},
	{"clk is stuck", broken("clk=stuck0"), nil, "driven lines", "clk (GPIO", false},
	{"clk is inverted", func(c *boardtest.Config) { c.Inverted = true }, nil, "clock edge", "inverts it", true},
	{"rst_n is low", broken("rst_n=stuck0"), nil, "rst_n", "0 after its release", false},
	{"rst_n is high", broken("rst_n=stuck1"), nil, "rst_n", "1 when driven low", false},
	{"rst_n has no pull-up", func(c *boardtest.Config) { c.Unpulled = true }, nil, "rst_n", "does not pull it", true},
	{"the mux is one ahead", func(c *boardtest.Config) { c.Mux.NumberOffset = 1 }, nil, "mux", "no ROM answers", false},
	{"the mux is one behind", func(c *boardtest.Config) { c.Mux.NumberOffset = -1 }, nil, "mux",
		"at number 1, not at 0", false},
	{"nrst and inc are swapped", func(c *boardtest.Config) { c.Mux.NRst, c.Mux.Inc = c.Mux.Inc, c.Mux.NRst }, nil,
		"mux", "nrst and inc are swapped", false},
	{"ena is held", func(c *boardtest.Config) { c.Lines = map[int]bool{c.Mux.Ena: false} }, nil, "driven lines",
		"ena (GPIO",
		false},
	{"inc is held", func(c *boardtest.Config) { c.Lines = map[int]bool{c.Mux.Inc: true} }, nil, "driven lines",
		"inc (GPIO",
		false},
	{"a carrier without a chip", func(c *boardtest.Config) { c.Mux.ROM, c.Mux.Number = "", 1000 }, nil, "mux",
		"no ROM answers", false},
	{"another microcontroller", func(c *boardtest.Config) { c.Machine = "Raspberry Pi Pico 3 with RP2450" }, nil,
		"board", "neither an RP2040 nor an RP2350", false},
	{"an untried firmware", func(c *boardtest.Config) { c.Firmware = "1.19.1" }, nil, "MicroPython", "1.19.1; 1.22 to",
		true},
	{"a hub delays by 20 ms", nil, func(p *boardtest.Proxy) {
		p.ToBoard.Delay, p.ToBench.Delay = 20*time.Millisecond, 20*time.Millisecond
	}, "round trip", "30ms at most is usual", true},
	{"packets are split", nil, func(p *boardtest.Proxy) {
		p.ToBoard.Delay, p.ToBoard.Split = time.Millisecond, 64
		p.ToBench.Delay, p.ToBench.Split = time.Millisecond, 17
	}, "echo", "came back", true},
	{"the SDK starts late", sdk(boardtest.SDK{Version: "2.0.4", Start: 8 * time.Second}), nil, "SDK", "2.0.4", true},
	{"a cable flips bits", nil, func(p *boardtest.Proxy) {
		p.ToBench.Watch(func(_ int64, b *byte) {
			if *b == 'X' {
				*b = 'Y'
			}
		})
	}, "echo", "did not come back", false},
	{"a module pulls uio", func(c *boardtest.Config) { c.Pmod.High = 0x0400 }, nil, "uio released", "uio2 at 1", false},
	{"a pin ignores its pull-down", func(c *boardtest.Config) { c.E9 = true }, nil, "pull-downs", "stays high", true},
	{"the chip is of another board's shuttle", func(c *boardtest.Config) { c.Mux.ROM = romOf("tt04") }, nil, "design",
		"is for", false},
}

// liesOfAPi lists faults of wires, each with the row of doctor --first that names it.
var liesOfAPi = []struct{ fault, row, want string }{
	{"", "wires", "every line carries both levels"},
	{"ui1<>ui2", "wires", "ui1 and ui2 are swapped"},
	{"uo3<>uo4", "wires", "uo3 and uo4 are swapped"},
	{"uio2=stuck1", "uio driven", "uio2 do not follow"},
	{"uio4~uio5=and", "uio driven", "uio4-uio5 do not follow"},
	{"ui6=open:low", "wires", "ui6"},
	{"clk=stuck0", "transport", "uo is always 00000000"},
	{"rst_n=stuck0", "wires", "rst_n"},
}

// liesElsewhere names the test of each row that no board simulated in this package can falsify.
var liesElsewhere = map[string]string{"port and REPL": "rp2040: TestOpenRefuses",
	"wait loop": "rp2040: TestLoopAsMeasured", "bursts": "station: TestFirstBursts",
	"clk period": "station: TestFirstBursts", "pace": "station: TestFirstPace"}

func rowOf(said, name string) (row string) {
	for line := range strings.Lines(said) {
		if len(line) > 21 && strings.TrimSpace(line[4:20]) == name {
			row = line
		}
	}
	return row
}

// On first contact, doctor names each way in which the board differs from the bench's view; no run blames the chip.
func TestFirstContact(t *testing.T) {
	for i, l := range lies {
		if i%testkit.Pick(21, 1) != 0 {
			continue // a board in bytecode is slow
		}
		t.Run(l.name, func(t *testing.T) {
			start := func() string {
				config := demo(t, "tt-demo-tt06")
				if l.change != nil {
					l.change(&config)
				}
				b := boardtest.Start(t, config)
				if l.cable == nil {
					return b.TTY
				}
				p := b.StartProxy(t)
				l.cable(p)
				return p.TTY
			}
			t.Chdir(t.TempDir())
			code, said := bench(t, "doctor", "-t", "rp2040:"+start(), "--first")
			row := rowOf(said, l.row)
			if !strings.Contains(row, cmp.Or(l.want, " ")) || code == exitPass && !l.passes {
				t.Errorf("exit code %d; want %q in the row %s in\n%s", code, l.want, l.row, said)
			}
			text, err := os.ReadFile(firstContact)
			host, _ := os.Hostname()
			for _, own := range []string{"/dev/", "e660000000000001", cmp.Or(host, "/dev/")} {
				if err != nil || strings.Contains(string(text), own) {
					t.Errorf("%v, or %q is in\n%s", err, own, text)
				}
			}
			code, said = bench(t, "run", "-t", "rp2040:"+start(), "--suite", "structural", "--no-history")
			if l.passes != (code == exitPass) || strings.Contains(said, "the chip is at fault") {
				t.Errorf("run: exit code %d, and it says\n%s", code, said)
			}
		})
	}
}

// A pulse on rst_n during a run makes the run FLAKY rather than FAIL.
func TestDisturbedRun(t *testing.T) {
	config := demo(t, "tt-demo-tt06")
	config.Pulse = 2000 // the run has 2,800 samples
	code, said := bench(t, "run", "-t", "rp2040:"+boardtest.Start(t, config).TTY, "--suite", "structural",
		"--no-history")
	if code != exitFlaky || !strings.Contains(said, "1 vector fails when run first, and not when repeated") {
		t.Errorf("exit code %d, and it says\n%s", code, said)
	}
}

// doctor --first passes on a good board of each kind. It prints the rows of docs/first-board.md; tests falsify each.
func TestGoodBoardsAgree(t *testing.T) {
	rows := map[string]bool{"transport": true, "clk period": true} // rows of a Raspberry Pi, and of boards with viper
	lied := map[string]bool{}
	for _, l := range lies {
		lied[l.row] = true
	}
	for _, l := range liesOfAPi {
		lied[l.row] = true
	}
	for i, c := range []struct {
		board  string
		change func(*boardtest.Config)
		args   []string
	}{
		{"tt-demo-tt06", nil, nil},
		{"tt-demo-rp2350", nil, nil},
		{"tt-demo-tt06", without, []string{"--board", "tt-demo-tt06"}},
		{"tt-demo-tt04", of("tt05", 33, model.TT09), []string{"--design", "33", "--revision", "tt09"}},
		{"tt-demo-tt07", of("tt07", 33, model.TT09), []string{"--design", "33", "--revision", "tt09"}},
	} {
		if i >= testkit.Pick(1, 5) {
			break // a board in bytecode is slow
		}
		config := demo(t, c.board)
		if c.change != nil {
			c.change(&config)
		}
		b := boardtest.Start(t, config)
		t.Chdir(t.TempDir())
		code, said := bench(t, append([]string{"doctor", "-t", "rp2040:" + b.TTY, "--first"}, c.args...)...)
		if code != exitPass || strings.Contains("\n"+said, "\nNO") || !strings.Contains(said, ": attach it to an ") {
			t.Errorf("%s: exit code %d, and it says\n%s", c.board, code, said)
		}
		b.Check(t)
		for line := range strings.Lines(said) {
			if len(line) > 21 {
				rows[strings.TrimSpace(line[4:20])] = true
			}
		}
	}
	_, file, _, _ := runtime.Caller(0)
	doc := testkit.Must(os.ReadFile(filepath.Join(filepath.Dir(file), "../../docs/first-board.md")))(t)
	_, table, _ := strings.Cut(string(doc), "| assumed |")
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		for i, name := range strings.Split(cells[min(2, len(cells)-1)], "`") {
			if len(cells) != 4 || i%2 == 0 || strings.HasPrefix(name, "bench ") {
				continue
			}
			if tested := lied[name] != (liesElsewhere[name] != ""); !rows[name] || !tested {
				t.Errorf("docs/first-board.md names the row %q: in doctor %v, one lie %v", name, rows[name], tested)
			}
		}
	}
}

// doctor --first --design none leaves the selected design selected.
func TestFirstContactKeepsADesign(t *testing.T) {
	b := boardtest.Start(t, demo(t, "tt-demo-rp2350"))
	t.Chdir(t.TempDir())
	selected := b.Design()
	code, said := bench(t, "doctor", "-t", "rp2040:"+b.TTY, "--first", "--design", "none", "--tile", "factory")
	if selected != 1 || b.Design() != 1 || !strings.Contains(rowOf(said, "driven lines"), "mux were not measured") {
		t.Errorf("design %d, then %d; exit code %d, and it says\n%s", selected, b.Design(), code, said)
	}
	b.Check(t)
}
