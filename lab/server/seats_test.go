package server

import (
	"os"
	"testing"
	"time"

	"utfbench/transport/lab"
)

// A restarted server knows the absent hosts whose keys are valid. A damaged file costs only this knowledge.
func TestSeatsAcrossRestarts(t *testing.T) {
	var o told
	cfg := config(t)
	cfg.Tell, cfg.Silent = o.tell, time.Second
	start(t, cfg).Close() // makes the folder
	keys := []Key{{Name: "pi1", Public: "1"}, {Name: "pi2", Public: "2"}}
	h := newHub(cfg, keys)
	left := reportOf("pi2", board("b", lab.Free))
	left.Left = true
	for _, r := range []*lab.Report{reportOf("pi1", board("a", lab.Taken)), left} {
		if err := h.hear(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.saveSeats(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		keys  []Key
		hosts int
	}{{keys, 1}, {keys[1:], 0}} {
		again := newHub(cfg, c.keys)
		if err := again.loadSeats(); err != nil || len(again.Hosts()) != c.hosts {
			t.Errorf("%v, %v", again.Hosts(), err)
		}
	}
	if err := os.WriteFile(seatsFile(cfg.Data), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := newHub(cfg, keys).loadSeats(); err == nil {
		t.Error("a damaged file was taken")
	}
	start(t, cfg)
	o.has(t, "absent hosts are unknown: ")
}
