package driver

import (
	"context"
	"strings"
	"testing"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// undetectable maps each fault that no vector can detect to the reason.
var undetectable = map[string]string{
	"clk=inverted": "the chip's edge comes at the other end of the same pulse, while all levels still stand",
}

func everyFault() []string {
	return testkit.EveryFault("stuck0", "stuck1", "open", "open:keep", "open:random:1", "inverted", "flip:1e-2:1")
}

// stride is the distance between tested faults in the list.
var stride = testkit.Pick(17, 1)

// Every fault not listed as undetectable makes the run a FAIL, never an ERROR.
func TestEveryFaultIsDetected(t *testing.T) {
	jobs := allJobs(t)
	var missed []string
	all := everyFault()
	if want := 26*7 + 16 + 26*25/2*3 + 54*2; len(all) != want {
		t.Errorf("there are %d faults; want %d", len(all), want)
	}
	for i := 0; i < len(all); i += stride {
		text := all[i]
		f := testkit.Must(model.Bits.Parse(text))(t)
		r := Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}}),
			Rules: Rules{FailFast: true}}
		tally, err := r.Run(context.Background(), jobs)
		if err != nil || tally.Verdicts[Error] > 0 {
			t.Errorf("%s: error %v, %d ERROR; the chip is at fault, not the bench", text, err, tally.Verdicts[Error])
		}
		if found, why := tally.Verdicts[Fail] > 0, undetectable[text]; !found && why == "" {
			missed = append(missed, text)
		} else if found && why != "" {
			t.Errorf("%s is detected, though it is listed as undetectable: %s", text, why)
		}
	}
	if len(missed) > 0 {
		t.Errorf("%d faults are not detected:\n%s", len(missed), strings.Join(missed, "\n"))
	}
}
