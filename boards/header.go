package boards

import (
	"fmt"
	"strconv"
	"strings"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// HeaderRPi is the 40-pin header of the Raspberry Pi.
const HeaderRPi = "rpi"

// rpiHeader lists the function of each pin, pin 1 first.
var rpiHeader = strings.Fields(`
	3V3 5V  2 5V  3 GND  4 14  GND 15  17 18  27 GND  22 23  3V3 24  10 GND
	9 25  11 8  GND 7  ID_SD ID_SC  5 GND  6 12  13 GND  19 16  26 20  GND 21`)

// A HeaderPin is a pin of a header.
type HeaderPin struct {
	Number int
	Name   string // "3V3", "GND", "GPIO17"
	Signal string // signal of the chip; may be empty
	Header string // such as "J13", if the board has several
}

// buses lists the first line of the bus on each PMOD header.
var buses = [...]int{transport.UI, transport.UIO, transport.UO}

// HeaderPins returns the pins of the headers, with opposite pins adjacent, or none without a header.
func (b *Board) HeaderPins() (pins []HeaderPin) {
	if b.PMODs != nil {
		return b.pmodPins()
	}
	if b.Header != HeaderRPi {
		return nil
	}
	signal := map[string]string{}
	for s, p := range b.Pins {
		signal[headerName(p.Name)] = s
	}
	for i, name := range rpiHeader {
		name = headerName(name)
		pins = append(pins, HeaderPin{Number: i + 1, Name: name, Signal: signal[name]})
	}
	return pins
}

// pmodPins returns the pins of the PMOD headers with Digilent's numbers: 1 to 6 in one row, and 7 to 12 opposite.
func (b *Board) pmodPins() (pins []HeaderPin) {
	for i, header := range b.PMODs {
		for n := range 6 {
			for row := range 2 {
				p := HeaderPin{Number: n + 1 + 6*row, Name: header, Header: header}
				switch n {
				case 4:
					p.Name = "GND"
				case 5:
					p.Name = "3V3"
				default:
					p.Signal = transport.Lines[buses[i]+n+4*row]
				}
				pins = append(pins, p)
			}
		}
	}
	return pins
}

// headerName returns the header's name of a pin: GPIO17 for "17" and "GPIO17".
func headerName(pin string) string {
	if _, err := strconv.Atoi(pin); err == nil {
		return "GPIO" + pin
	}
	return pin
}

// checkHeader rejects pins that the header lacks, and pins that are used twice, such as 17 and GPIO17.
func (b *board) checkHeader() error {
	if b.Header == "" {
		return nil
	}
	there := map[string]bool{}
	for _, name := range rpiHeader {
		there[headerName(name)] = strings.HasPrefix(headerName(name), "GPIO")
	}
	owner := map[string]string{}
	for _, s := range transport.Lines {
		p := b.Pins[s]
		name := headerName(p.Name)
		if !there[name] {
			return failure.Usagef("%s:%d: the header has no %s for %s: it has GPIO2 to GPIO27", b.File, p.Line, name, s)
		}
		if other, taken := owner[name]; taken {
			return failure.Usagef("%s:%d: pin %s is given to %s, but it is %s's already (line "+
				"%d)", b.File, p.Line, name, s, other, b.Pins[other].Line)
		}
		owner[name] = s
	}
	return nil
}

// Probes returns a text in brackets that says where to probe lines: the board's pins, with their positions on its
// header. It returns "" for a board without real pins.
func (b *Board) Probes(lines []string) string {
	if !b.HasPins() {
		return ""
	}
	position := map[string]HeaderPin{}
	for _, p := range b.HeaderPins() {
		position[p.Signal] = p
	}
	var all []string
	for _, line := range lines {
		pin, ok := b.Pins[line]
		if !ok {
			continue
		}
		place := line + " at pin " + pin.Name
		if _, err := strconv.Atoi(pin.Name); err == nil {
			place = line + " at GPIO" + pin.Name
		}
		switch p := position[line]; {
		case p.Header != "":
			place += fmt.Sprintf(", PMOD header %s pin %d", p.Header, p.Number)
		case p.Number > 0:
			place += fmt.Sprintf(", header pin %d", p.Number)
		}
		all = append(all, place)
	}
	if all == nil {
		return ""
	}
	return " (" + strings.Join(all, "; ") + ")"
}
