package host

import (
	"testing"
	"time"
)

// A pace covers the last seconds only, however often it is read.
func TestPace(t *testing.T) {
	var p pace
	now := time.Unix(0, 0)
	if got := p.at(500, now); got != 0 {
		t.Errorf("%d steps a second before any time has passed", got)
	}
	steps := uint64(500)
	for range 100 {
		now, steps = now.Add(time.Second/10), steps+10
		if got := p.at(steps, now); got != 100 {
			t.Fatalf("%d steps a second at %s", got, now)
		}
	}
	for range 60 {
		now = now.Add(time.Second / 10)
		p.at(steps, now)
	}
	if got := p.at(steps, now); got != 0 || len(p.marks) > 60 {
		t.Errorf("%d steps a second after six without any, by %d marks", got, len(p.marks))
	}
}
