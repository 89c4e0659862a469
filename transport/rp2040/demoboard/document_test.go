package demoboard

import (
	"bytes"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/transport/rp2040"
)

// A board's document conforms to its schema, whatever is unknown.
func TestInfoDocument(t *testing.T) {
	info, celsius := testkit.Schema(t, "info"), 31.5
	for _, f := range []*rp2040.Facts{{},
		{Machine: "Raspberry Pi Pico with RP2040", Hertz: 125e6, Celsius: &celsius, Free: 190_000, Installed: true,
			SDK: &rp2040.SDK{Version: "2.0.4", Carrier: "TT06+", Read: true, Design: "tt_um_a", Number: 3,
				ROM: rp2040.ROM{Shuttle: "tt09"}}}} {
		var b bytes.Buffer
		err := (&Board{Port: "/dev/ttyACM0", Facts: f}).JSON(&b, "v1")
		if err == nil {
			err = testkit.Conforms(info, b.String())
		}
		if err != nil {
			t.Errorf("%v\n%s", err, &b)
		}
	}
}
