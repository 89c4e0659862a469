package station

import (
	"testing"

	"utfbench/runs/report"
	"utfbench/tile/gates"
	"utfbench/tile/project"
)

// An output named as in info.yaml is no line; the message names the line.
func TestOutputsByName(t *testing.T) {
	of := gates.Described{About: &project.Project{Pins: map[string]string{"uo0": "TX (serial)", "uio3": "tx"}}}
	const want = ": want uo0 to uo7 or uio0 to uio7"
	for name, hint := range map[string]string{"tx": " (did you mean uo0 or uio3?)", "UO7": " (did you mean uo7?)",
		"rx": ""} {
		err := (&Decoding{UART: name + ":62500"}).Prepare(of, &report.Capture{Clocks: 10})
		if err == nil || err.Error() != "--uart: \""+name+"\" is no output"+hint+want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
