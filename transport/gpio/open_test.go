package gpio

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"utfbench/internal/failure"
	"utfbench/model"
)

func withPin(pins map[string]string, signal, pin string) map[string]string {
	pins = maps.Clone(pins)
	pins[signal] = pin
	return pins
}

func bankChip(wrong func(*fakeChip)) *fakeKernel {
	c := newFakeChip("bank", model.TT09)
	wrong(c)
	return &fakeKernel{devices: []*fakeChip{newFakeChip("other", model.TT09), c}, owner: "gpio"}
}

func pageOf(p page, err error) func() (page, error) {
	return func() (page, error) { return p, err }
}

func used(by string) *fakeKernel {
	return bankChip(func(c *fakeChip) { c.users[12] = by })
}

var (
	pi5           = device("raspberrypi,5-model-b", "brcm,bcm2712")
	pc            = machine{fstest.MapFS{}}
	good          = newFakePage(model.TT09, header)
	fine          = bankChip(func(*fakeChip) {})
	onBank        = Config{Backend: "lines", Chips: []string{"bank"}, Pins: bank}
	ofPi          = Config{Backend: "registers", Pins: header}
	errDenied     = fmt.Errorf("pmem: %w", fs.ErrPermission)
	headerGPIO, _ = numbers(header)
	errMissing    = fmt.Errorf("pmem: %w", &fs.PathError{Op: "open", Path: gpiomem, Err: fs.ErrNotExist})
)

func serial(pins map[string]string) *fakePage {
	p := newFakePage(model.TT09, pins)
	p.selec[1] = 4 << 12 // GPIO14 is ALT0
	return p
}

// openErrors lists errors of Open: single sentences with fault and remedy, for bad input or for the bench's fault.
var openErrors = []struct {
	name  string
	host  host
	c     Config
	input bool
	want  string
}{
	{"unknown back-end", host{}, Config{Backend: "spi"}, true, `unknown back-end "spi": allowed are registers, ` +
		`lines, or none`},
	{"negative time", host{}, Config{Settle: -1, Pins: bank}, true, "settle -1ns and pulse 0s have to be 0 or more"},
	{"a signal without a pin", host{}, Config{Pins: without(bank, "uo3")}, true, "no pin for uo3"},
	{"a pin twice", host{}, Config{Pins: withPin(bank, "uo3", "ui0")}, true,
		"pin ui0 is given to ui0 and to uo3: give each"},

	{"no device tree", host{machine: pc}, ofPi, false, "registers are for a Raspberry Pi Zero to 4, and this machine " +
		"has no device tree: use -t gpio:lines"},
	{"a Pi 5", host{machine: pi5}, ofPi, true, "this is a Raspberry Pi 5, whose header is on another chip " +
		"(RP1): use -t gpio:lines"},
	{"another machine", host{machine: device("pine64,pine64", "allwinner,sun50i-a64")}, ofPi, false,
		"this machine is pine64,pine64, allwinner,sun50i-a64: use"},
	{"off the header", host{machine: pi4, kernel: &fakeKernel{}, mapPage: pageOf(good, nil)},
		Config{Backend: "registers", Pins: withPin(header, "clk", "28")}, true,
		`clk: pin "28" is not on the header: allowed are GPIO0 to GPIO27`},
	{"two notations", host{machine: pi4, kernel: &fakeKernel{}, mapPage: pageOf(good, nil)},
		Config{Backend: "registers", Pins: withPin(header, "clk", "GPIO2")}, true, "line 2 is given to ui0 and to clk"},
	{"gpiomem denied", host{machine: pi4, kernel: &fakeKernel{owner: "gpio"}, mapPage: pageOf(nil, errDenied)}, ofPi,
		false, "/dev/gpiomem may be used by the group gpio only: join it with `sudo usermod -aG gpio $USER`"},
	{"gpiomem missing", host{machine: pi4, kernel: &fakeKernel{}, mapPage: pageOf(nil, errMissing)}, ofPi, false,
		"this kernel has no driver for it: use -t gpio:lines"},
	{"gpiomem broken", host{machine: pi4, kernel: &fakeKernel{}, mapPage: pageOf(nil, errors.New("no memory"))}, ofPi,
		false, "no memory"},
	{"no GPIO block", host{machine: pi4, kernel: &fakeKernel{},
		mapPage: pageOf(&fakePage{wires: newWires(0), broken: true}, nil)}, ofPi, false,
		"GPIO2 (ui0) does not follow the registers: is it shorted, or is another program using it? -t gpio:lines " +
			"goes by the kernel"},
	{"alternate function", host{machine: pi4, kernel: &fakeKernel{}, mapPage: pageOf(serial(header), nil)}, ofPi, false,
		"has the function ALT0, so another part of the machine uses it: switch that off (raspi-config, Interface " +
			"Options, Serial Port)"},
	{"registers while the kernel's line is used", host{machine: pi4, kernel: used("spi0 CS0"),
		mapPage: pageOf(good, nil)},
		Config{Backend: "registers", Chips: []string{"bank"}, Pins: header}, false, `is in use by "spi0 CS0"`},

	{"no label", host{machine: pc, kernel: fine}, Config{Backend: "lines", Pins: bank}, true, "the board file names " +
		"no GPIO chip: add the line `chip: LABEL`"},
	{"no such chip", host{machine: pc, kernel: fine}, Config{Backend: "lines", Pins: bank, Chips: []string{"a", "b"}},
		false,
		"no GPIO chip with the label a or b: this machine has /dev/gpiochip0 [other], /dev/gpiochip1 [bank]: give " +
			"its board file with --board"},
	{"no chip", host{machine: pc, kernel: &fakeKernel{}}, onBank, false, "this machine has no GPIO chip: "},
	{"auto on a PC", host{machine: pc, kernel: &fakeKernel{}}, Config{Chips: []string{"bank"}, Pins: bank}, false,
		"this machine has no GPIO chip: run the bench on the one with the chip at its header, such as a "},
	{"auto on a Pi without permission", host{machine: pi4, kernel: bankChip(func(c *fakeChip) { c.denied = true }),
		mapPage: pageOf(nil, errDenied)}, Config{Chips: []string{"bank"}, Pins: header}, false,
		"/dev/gpiochip1 may be used by the group gpio only: join it with `sudo usermod -aG gpio $USER` and log in " +
			"again: permission denied; and registers: /dev/gpiomem"},
	{"chip denied", host{machine: pc, kernel: bankChip(func(c *fakeChip) { c.denied = true })}, onBank, false,
		"/dev/gpiochip1 may be used by the group gpio only"},
	{"chip of root", host{machine: pc, kernel: &fakeKernel{owner: "root", devices: []*fakeChip{{denied: true}}}},
		onBank, false, "/dev/gpiochip0 may be used by root only: run the bench with sudo"},
	{"two chips", host{machine: pc, kernel: &fakeKernel{devices: []*fakeChip{newFakeChip("bank", 0),
		newFakeChip("bank", 0)}}}, onBank, false, `two GPIO chips have the label "bank": /dev/gpiochip0`},
	{"no such line", host{machine: pc, kernel: fine}, Config{Backend: "lines", Chips: []string{"bank"},
		Pins: withPin(bank, "uo3", "LED")}, true,
		`uo3: the chip bank has no line named "LED"; gpioinfo lists its lines`},
	{"line beyond", host{machine: pc, kernel: fine}, Config{Backend: "lines", Chips: []string{"bank"},
		Pins: withPin(bank, "uo3", "64")}, true, "uo3: the chip bank has no line 64: its lines are 0 to 63"},
	{"line by name and number", host{machine: pc, kernel: fine}, Config{Backend: "lines", Chips: []string{"bank"},
		Pins: withPin(bank, "uo3", "0")}, true, "line 0 is given to ui0 and to uo3"},
	{"two lines of one name", host{machine: pc, kernel: bankChip(func(c *fakeChip) { c.names[40] = "uo3" })}, onBank,
		true, `several lines named "uo3": give the line by its offset`},
	{"line in use", host{machine: pc, kernel: used("leds")}, onBank, false, `/dev/gpiochip1 [bank]: line 12 (uo4), ` +
		`which is to be uo4, is in use by "leds": end that program or switch that driver off`},
	{"line in use by the kernel", host{machine: pc, kernel: used("")}, onBank, false, "is in use by the kernel"},
	{"line taken meanwhile", host{machine: pc, kernel: bankChip(func(c *fakeChip) { c.refuse = errBusy })}, onBank,
		false, "a line is in use: end the program that has it"},
	{"request refused", host{machine: pc, kernel: bankChip(func(c *fakeChip) { c.refuse = fs.ErrInvalid })}, onBank,
		false, "/dev/gpiochip1 [bank]: taking the lines: invalid argument"},
}

func without(pins map[string]string, signal string) map[string]string {
	pins = maps.Clone(pins)
	delete(pins, signal)
	return pins
}

func TestOpenErrors(t *testing.T) {
	for _, c := range openErrors {
		t.Run(c.name, func(t *testing.T) {
			tr, err := c.host.open(c.c)
			if err == nil {
				tr.Close()
				t.Fatal("Open gave no error")
			}
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Open: %v\nwant one line with %q", err, c.want)
			}
			if (failure.KindOf(err) == failure.User) != c.input {
				t.Errorf("Open: %v\nbad input: %v, want %v", err, !c.input, c.input)
			}
			if k, ok := c.host.kernel.(*fakeKernel); ok {
				for _, d := range k.devices {
					if d.opened != 0 {
						t.Errorf("the chip %s is left open", d.name)
					}
				}
			}
		})
	}
}

// If the check of the page fails, Open makes every line an input again.
func TestRefusedPageIsLeftAsInputs(t *testing.T) {
	p := newFakePage(model.TT09, header)
	shorted := &shortedPage{p}
	if _, err := newRegisters("bcm2711", shorted, headerGPIO); err == nil {
		t.Fatal("a line that does not follow was accepted")
	}
	if p.out != 0 {
		t.Errorf("the lines %07x are still driven", p.out)
	}
}

type shortedPage struct{ *fakePage }

func (p *shortedPage) load(word int) uint32 {
	v := p.fakePage.load(word)
	if word == wordLevel {
		v &^= 1 << 2 // GPIO2, ui0
	}
	return v
}

// Driving the registers does not change the functions of other lines.
func TestOtherLinesAreLeftAlone(t *testing.T) {
	p := newFakePage(model.TT09, header)
	p.selec[0], p.selec[2] = 4<<0|4<<3, 1<<24|7<<27 // GPIO0 and 1 are ALT0, 28 output, 29 ALT3
	before := p.selec
	r, err := newRegisters("bcm2711", p, headerGPIO)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.release(); err != nil || p.selec != before {
		t.Errorf("functions after release are %o, %v; want %o", p.selec, err, before)
	}
}

// The default back-end is registers if every check passes, and lines otherwise.
func TestAuto(t *testing.T) {
	for _, c := range []struct {
		name    string
		machine machine
		page    func() (page, error)
		want    string
	}{
		{"Pi 4", pi4, pageOf(newFakePage(model.TT09, header), nil), "gpio:registers on a bcm2711"},
		{"Pi Zero", device("raspberrypi,model-zero-w", "brcm,bcm2835"), pageOf(newFakePage(model.TT09, header), nil),
			"gpio:registers on a bcm2835"},
		{"Pi 4 without gpiomem", pi4, pageOf(nil, errMissing), "gpio:lines of /dev/gpiochip1 [bank]"},
		{"Pi 4 with memory that is no GPIO block", pi4, pageOf(&fakePage{wires: newWires(0), broken: true}, nil),
			"gpio:lines of /dev/gpiochip1 [bank]"},
		{"Pi 5", pi5, nil, "gpio:lines of /dev/gpiochip1 [bank]"}, // a nil page panics if it is accessed
		{"PC", pc, nil, "gpio:lines of /dev/gpiochip1 [bank]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := bankChip(func(*fakeChip) {})
			h := host{machine: c.machine, kernel: k, mapPage: c.page}
			tr := must(t, h, Config{Chips: []string{"bank"}, Pins: header})
			if tr.String() != c.want {
				t.Errorf("auto took %s; want %s", tr, c.want)
			}
			if err := tr.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
