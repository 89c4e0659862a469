package native

import (
	"context"
	"strings"
	"testing"

	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/transport"
)

// Check and Open report bad input in one sentence, before anything is opened.
func TestBadInput(t *testing.T) {
	for says, change := range map[string]func(*station.Target){
		`unknown kind "icarus" (did you mean -t verilog --simulator icarus?): allowed`: func(t *station.Target) {
			t.Transport = "icarus"
		},
		`unknown kind "": allowed are mock, rp2040, gpio`:     func(t *station.Target) { t.Transport = "" },
		`(did you mean -t rp2040:/dev/pts/0?)`:                func(t *station.Target) { t.Transport = "/dev/pts/0" },
		`--board rpi is for the transport gpio, not for mock`: func(t *station.Target) { t.Board = "rpi" },
		`--board: `: func(t *station.Target) { t.Board = "nowhere.yaml" },
		`--revision "tt99": allowed are tt09, tt08`: func(t *station.Target) { t.Revision = "tt99" },
		`--fault is for the mock`: func(t *station.Target) {
			t.Transport = "gpio"
			t.Faults = []string{"uo3=stuck1"}
		},
		`--fault "uo9"`: func(t *station.Target) { t.Faults = []string{"uo9"} },
	} {
		target := NewTarget("mock")
		change(&target)
		if err := target.Check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Check says %v, not %q", err, says)
		}
		c, err := target.Open(context.Background())
		if c != nil || err == nil || !strings.Contains(err.Error(), says) || failure.KindOf(err) != failure.User {
			t.Errorf("Open says %v (blame %d), not %q", err, failure.KindOf(err), says)
		}
	}
}

// TestBadWhere checks errors that are found only by opening the target.
func TestBadWhere(t *testing.T) {
	for name, says := range map[string]string{
		"mock:tt99":         "transport mock:tt99: unknown revision: allowed is tt09 or tt08",
		"verilog":           "transport verilog needs the design's files",
		"replay:":           "transport replay: after replay: comes a recording",
		"replay:no/such/it": "open no/such/it: no such file",
		"gpio:nonsense":     "transport gpio:nonsense: ",
	} {
		target := NewTarget(name)
		c, err := target.Open(context.Background())
		if c != nil || err == nil || !strings.HasPrefix(err.Error(), says) || failure.KindOf(err) != failure.User {
			t.Errorf("%s: %v (blame %d), want %q", name, err, failure.KindOf(err), says)
		}
	}
}

// configOf resets a tile with the level, the clocks and the inputs that its project states.
func TestSimulatedReset(t *testing.T) {
	about := &project.Project{Idle: 0x80, Reset: project.Reset{High: true, Clocks: 3}}
	target := station.Target{Tile: gates.DescribedTile{About: about}}
	if got := configOf(&target, []string{"a.v"}).Reset; got == nil || *got != (transport.Step{In: 0x80, Clocks: 3}) {
		t.Errorf("%+v", got)
	}
}
