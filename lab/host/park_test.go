package host_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"utfbench/transport/lab"
)

// A free board is parked on request and is free afterwards. For a taken, missing or unlisted board an event gives the
// reason.
func TestParked(t *testing.T) {
	r := newRig(t)
	r.wait(t, "gone", lab.Gone)
	for board, want := range map[string]string{
		"good":    "first/good  was parked for pi1, from the page: mock",
		"gone":    "first/gone  could not be parked for pi1, from the page: stat /nowhere: no such file",
		"nothing": `first/nothing  could not be parked for pi1, from the page: the host has no board "nothing"`,
	} {
		r.server.Park(&lab.Board{Host: "first", Name: board}, "pi1")
		r.told(t, want)
	}
	c := open(t, target("good"))
	r.server.Park(&lab.Board{Host: "first", Name: "good"}, "pi2")
	r.told(t, "first/good  could not be parked for pi2, from the page: it is not free: ")
	if _, err := c.Apply(t.Context(), nil, nil); err != nil {
		t.Errorf("who has it is disturbed: %v", err)
	}
	r.server.Park(&lab.Board{Host: "nobody", Name: "good"}, "pi3")
	r.told(t, "nobody/good  could not be parked for pi3, from the page: its host does not respond")
}

// told waits for an event with some words.
func (r *rig) told(t *testing.T, words string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		for _, e := range r.server.Events() {
			if strings.HasPrefix(e.String(), words) {
				return
			}
		}
	}
	t.Fatalf("nothing is told that begins with %q: %s", words, fmt.Sprint(r.server.Events()))
}
