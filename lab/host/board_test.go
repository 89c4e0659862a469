package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport"
	"utfbench/transport/lab"
)

// A board that cannot be opened stays free and shows the reason from its own layer. A missing board cannot be taken.
func TestReasons(t *testing.T) {
	port := filepath.Join(t.TempDir(), "port")
	b := &board{host: "h", offer: Offer{Name: "x", Target: native.New("rp2040:" + port)}, tell: func(string) {}}
	now := time.Now()
	b.look(now)
	if s := b.says(); s.State != lab.Gone || !strings.Contains(s.Reason, "no such file") {
		t.Errorf("without a port: %+v", s)
	}
	wish, err := json.Marshal(lab.Wish{Protocol: lab.Protocol, Ticket: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.take("k", wish, now); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a board that is not there is given: %v", err)
	}
	if err := os.WriteFile(port, nil, 0o600); err != nil { // not a serial port
		t.Fatal(err)
	}
	b.look(now)
	text, err := b.take("k", wish, now)
	if err != nil {
		t.Fatal(err)
	}
	var g lab.Grant
	if err := json.Unmarshal(text, &g); err != nil || g.Lease == "" {
		t.Fatalf("%s, %v", text, err)
	}
	if _, err := b.answer("ask", g.Lease, nil, now); err == nil {
		t.Error("what was not opened is asked")
	}
	said, err := b.answer("open", g.Lease, []byte(`{"patience_ns":1000000000}`), now)
	var r station.Reached
	if err != nil || json.Unmarshal(said, &r) != nil || r.Error == "" || r.Fault() != failure.Bench {
		t.Errorf("what is no board was opened: %s, %v", said, err)
	}
	if _, err := b.answer("leave", g.Lease, nil, now); err != nil {
		t.Error(err)
	}
	if _, err := b.answer("leave", g.Lease, nil, now); err != nil {
		t.Error("an answer that is asked for again: ", err)
	}
	if _, err := b.answer("alive", g.Lease, nil, now); err == nil {
		t.Error("a lease goes on after its end")
	}
	if s := b.says(); s.State != lab.Free || !strings.HasSuffix(s.Reason, r.Error) {
		t.Errorf("after it could not be opened: %+v", s)
	}
}

// A bench of another protocol and garbage are each rejected in one sentence.
func TestTakeRefuses(t *testing.T) {
	b := &board{host: "h", offer: Offer{Name: "x", Target: native.New("mock")}, tell: func(string) {}}
	for body, want := range map[string]string{
		`{"protocol":7,"bench":"9.1"}`: "the user's bench (bench 9.1) speaks version 7 of the lab's messages, and " +
			"this one version 1: update this one",
		`{"protocol":0,"bench":"0.1"}`: "update the user's bench",
		"\x00":                         "invalid request for the board",
	} {
		if _, err := b.take("k", []byte(body), time.Now()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", body, err)
		}
	}
}

// A lease can reopen its board with another design. A repeated request opens nothing, and the count of steps continues.
func TestOpenedAgain(t *testing.T) {
	b := &board{host: "h", offer: Offer{Name: "x", Target: station.New("mock")}, tell: func(string) {}}
	now := time.Now()
	wish, err := json.Marshal(lab.Wish{Protocol: lab.Protocol, Ticket: "1"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := b.take("k", wish, now)
	var g lab.Grant
	if err != nil || json.Unmarshal(text, &g) != nil || g.Lease == "" {
		t.Fatalf("%s, %v", text, err)
	}
	var before *station.Chip
	for i, c := range []struct {
		wanted, design string
		opens          bool
	}{
		{`{"tile":"utf"}`, "tt09", true}, {`{"tile":"utf"}`, "tt09", false}, {`{"tile":"factory","nth":1}`, "", true},
		{`{"tile":"utf"}`, "", false}, {`{"tile":"factory","nth":1}`, "", false}, {`{"tile":"utf","nth":2}`, "tt09",
			true},
	} {
		said, err := b.answer("open", g.Lease, []byte(c.wanted), now)
		var r station.Reached
		if err != nil || json.Unmarshal(said, &r) != nil || r.Error != "" || r.Asked.Design != c.design ||
			(b.used.chip != before) != c.opens {
			t.Errorf("%d: %s: %s, %v, opened %v", i, c.wanted, said, err, b.used.chip != before)
		}
		if before != nil && c.opens {
			if _, err := before.Apply(t.Context(), make([]transport.Step, 1), make([]transport.Sample, 1)); err == nil {
				t.Errorf("%d: the chip that was open before is not closed", i)
			}
		}
		before = b.used.chip
	}
	if _, err := b.answer("leave", g.Lease, nil, now); err != nil {
		t.Error(err)
	}
}
