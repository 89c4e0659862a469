package utf

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"utfbench/model"
	"utfbench/tile"
	"utfbench/transport"
)

var (
	statusPage   = slices.Concat(statusNames, endNames)
	propertyPage = slices.Concat(propertyNames, endNames)
	inNames      = []string{"/ROUT", "ERRS", "CHK", "CBE", "READ", "/CIO", "/UIO", "/BIO"}
)

// Inputs implements tile.Namer with the data sheet's names; those with a slash are active low.
func (Tile) Inputs() []string { return inNames }

// Outputs implements tile.Namer. It returns the names on the page that ui selects.
func (Tile) Outputs(ui uint8) []string {
	if ui&model.ERRS != 0 {
		return statusPage
	}
	return propertyPage
}

func (t Tile) Describe(s transport.Step) string {
	var b strings.Builder
	b.WriteString(t.Operation(s))
	if s.Drive != 0 {
		fmt.Fprintf(&b, " byte %s", tile.Hex(s.IO, ^s.Drive))
	}
	switch {
	case s.Clocks == 0 && acts(s):
		b.WriteString(", but no clock")
	case s.Clocks > 1:
		fmt.Fprintf(&b, ", %d clocks", s.Clocks)
	}
	if s.In&model.CHK == 0 {
		b.WriteString(", CHK low")
	}
	if s.In&model.CBE == 0 {
		b.WriteString(", CBE low")
	}
	for _, pin := range overruled(s) {
		fmt.Fprintf(&b, ", %s low", inNames[pin])
	}
	return b.String()
}

// overruled returns the low strobes that rst_n or an earlier strobe overrides (docs/chip.md, "Clock edge").
func overruled(s transport.Step) (pins []int) {
	first := !s.Reset
	for _, pin := range []uint8{model.ROUT, model.CIO, model.BIO, model.UIO} {
		if s.In&pin != 0 {
			continue
		}
		if !first {
			pins = append(pins, bits.TrailingZeros8(pin))
		}
		first = false
	}
	return pins
}

// acts reports whether a clock at this step would change anything.
func acts(s transport.Step) bool {
	return s.Reset || s.In&model.ROUT == 0 || StrobedForm(s.In) != ""
}

func (Tile) Operation(s transport.Step) string {
	read := s.In&model.READ != 0
	form := StrobedForm(s.In)
	switch {
	case s.Reset:
		return "reset"
	case s.In&model.ROUT == 0:
		return "rewind"
	case form != "" && read:
		return "read " + form
	case form != "":
		return "write " + form
	case s.In&model.ERRS == 0:
		return "look at the properties"
	case read:
		return "look at the status"
	}
	return "look at the status in write mode"
}

// StrobedForm returns the form of the winning strobe, or "".
func StrobedForm(ui uint8) string {
	switch {
	case ui&model.CIO == 0:
		return "UTF-32"
	case ui&model.BIO == 0:
		return "UTF-8"
	case ui&model.UIO == 0:
		return "UTF-16"
	}
	return ""
}
