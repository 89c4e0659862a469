package utf

import (
	"testing"

	"utfbench/model"
	"utfbench/transport"
)

// Describe lists overridden low pins, in the order of docs/chip.md.
func TestDescribeOverruled(t *testing.T) {
	const strobes = model.CIO | model.UIO | model.BIO
	for _, c := range []struct {
		low   uint8
		reset bool
		want  string
	}{
		{0, false, "look at the status"},
		{model.UIO, false, "read UTF-16"},
		{model.UIO | model.BIO, false, "read UTF-8, /UIO low"},
		{model.READ | strobes, false, "write UTF-32, /BIO low, /UIO low"},
		{model.ROUT, false, "rewind"},
		{model.ROUT | model.BIO, false, "rewind, /BIO low"},
		{0, true, "reset"},
		{model.ROUT | model.CIO, true, "reset, /ROUT low, /CIO low"},
	} {
		if got := TT09.Describe(transport.Step{In: model.Idle &^ c.low, Reset: c.reset, Clocks: 1}); got != c.want {
			t.Errorf("%02X: %q, not %q", c.low, got, c.want)
		}
	}
}
