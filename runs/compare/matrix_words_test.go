package compare

import (
	"fmt"
	"testing"

	"utfbench/driver"
)

// A matrix suggests a diagnosis of each run that failed, and a look at each board that could not be tested.
func TestNext(t *testing.T) {
	bad, good, away := newColumn("mock"), newColumn("mock:tt08"), newColumn("rp2040:/dev/ttyACM0")
	bad.answers["a"], bad.Number, bad.Run.Transport = &Answer{Verdict: driver.Fail}, 7, "mock"
	good.answers["a"], good.Number, good.Run.Transport = &Answer{Verdict: driver.Pass}, 8, "mock"
	away.Reason = "no such port"
	var said []string
	for _, step := range (&Table{Columns: []*Column{bad, good, away}}).Next("h.db") {
		said = append(said, fmt.Sprint(step.Words, step.Why))
	}
	want := "[[diagnose 7 --db h.db]what explains mock " +
		"[doctor -t rp2040:/dev/ttyACM0]rp2040:/dev/ttyACM0, layer by layer]"
	if fmt.Sprint(said) != want {
		t.Errorf("%s; want %s", said, want)
	}
}
