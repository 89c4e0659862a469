package utf

import (
	"utfbench/model"
	"utfbench/transport"
)

// Observe implements tile.Observer: the operation, the static levels, the page on uo, and the last form written.
func (t Tile) Observe() func(s transport.Step) []string {
	written := ""
	var traits [5]string
	return func(s transport.Step) []string {
		form := Strobed(s.In)
		switch {
		case s.Reset:
			written = ""
		case form != "" && s.In&model.READ == 0 && s.Clocks > 0:
			written = "bytes came as " + form
		}
		traits = [...]string{t.Act(s), level("CHK", s.In&model.CHK), level("CBE", s.In&model.CBE),
			shown(s.In), written}
		if written == "" {
			return traits[:4]
		}
		return traits[:]
	}
}

// Value implements tile.Observer: the registers v0 to v31.
func (t Tile) Value(registers uint64) uint32 { return uint32(registers) }

func level(pin string, in uint8) string {
	if in != 0 {
		return pin + " high"
	}
	return pin + " low"
}

func shown(ui uint8) string {
	if ui&model.ERRS != 0 {
		return "uo shows the status"
	}
	return "uo shows the properties"
}
