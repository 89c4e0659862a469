package server

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/internal/printable"
	"utfbench/internal/testkit"
	"utfbench/transport/lab"
)

// All members see the hosts' reports, by name and then by host.
func TestBoards(t *testing.T) {
	var o told
	cfg := config(t)
	cfg.Tell = o.tell
	s := start(t, cfg)
	first, err := lab.ReadInvitation(InviteFile(cfg.Data))
	if err != nil {
		t.Fatal(err)
	}
	user := dial(t, first)
	_, one := invite(t, s, "pi1")
	_, two := invite(t, s, "pi2")
	changed := s.Changed()
	if w, err := one.Join(t.Context(), reportOf("pi1", board("b", lab.Free), board("a", lab.Free))); err != nil ||
		w.Lab != machine() {
		t.Errorf("%+v, %v", w, err)
	}
	<-changed
	changed = s.Changed()
	taken := board("a", lab.Taken)
	taken.Holder, taken.Queue = &lab.Holder{Key: "first", Who: "eve@pc", Does: "bench run", Since: time.Unix(0, 0)}, 2
	lost := board("c", lab.Gone)
	lost.Reason = "no device at /dev/x\x1b[2J"
	say(t, two, reportOf("pi2", lost, taken))
	<-changed
	want := fmt.Sprintf("pi1/a free\npi1/b free\npi2/a taken: eve@pc has it since %s (bench run), waiting: 2\n"+
		`pi2/c gone: no device at /dev/x\x1b[2J`, time.Unix(0, 0).Local().Format("15:04:05"))
	if got := boards(t, user); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	hosts, err := user.Hosts(t.Context())
	if err != nil || len(hosts) != 2 || hosts[1].Name != "pi2" || hosts[1].Machine != "m-pi2" || hosts[1].Boards != 2 ||
		!hosts[1].Here {
		t.Errorf("%+v, %v", hosts, err)
	}
	say(t, two, reportOf("pi2", board("a", lab.Free)))
	for _, words := range []string{"the key pi1 is valid", "pi1  is here: boards 2, machine m-pi1, bench v1",
		"pi2/a  is taken: eve", "pi2/a  is free", "pi2/c  is no longer offered"} {
		o.has(t, words)
	}
}

// A silent host is gone with its boards, and returns with its next report.
func TestSilence(t *testing.T) {
	var o told
	cfg := config(t)
	cfg.Tell, cfg.Silent, cfg.Forget = o.tell, 50*time.Millisecond, 400*time.Millisecond
	s := start(t, cfg)
	_, host := invite(t, s, "pi1")
	say(t, host, reportOf("pi1", board("a", lab.Taken)))
	o.has(t, "pi1  is gone: its machine m-pi1 has not been heard for 0s")
	if got := boards(t, host); got != "" && got != "pi1/a gone: its machine m-pi1 has not been heard for 0s" {
		t.Error(got)
	}
	soon(t, "forgetting it", func() bool { return len(s.Boards().Boards) == 0 })
	say(t, host, reportOf("pi1", board("a", lab.Free)))
	soon(t, "it again", func() bool { return o.count("pi1/a  is free") == 1 })
	say(t, host, leaving("pi1"))
	o.has(t, "pi1  left")
	soon(t, "an empty list", func() bool { return len(s.Hosts()) == 0 })
}

// A key belongs to one machine at a time: another is rejected with the reason until the first leaves or is silent.
func TestSameKeyTwice(t *testing.T) {
	cfg := config(t)
	s := start(t, cfg)
	inv, one := invite(t, s, "pi1")
	two := dial(t, inv)
	here, there := reportOf("pi1", board("a", lab.Free)), reportOf("pi1", board("b", lab.Free))
	there.Instance, there.Machine = "2", "other"
	join := func(c *lab.Conn, r *lab.Report) error {
		_, err := c.Join(t.Context(), r)
		return err
	}
	if err := join(one, here); err != nil {
		t.Fatal(err)
	}
	refused(t, join(two, there), "the lab "+s.Name()+" refuses: the key pi1 is in use by the machine m-pi1, "+
		"which was heard 0s ago")
	say(t, two, there) // ignoring the rejection
	say(t, one, here)
	if got := boards(t, two); got != "pi1/a free" {
		t.Error(got)
	}
	here.Boards = nil // unplugged
	say(t, one, here)
	refused(t, join(two, there), "the key pi1 is in use by the machine m-pi1")
	here.Left = true
	say(t, one, here)
	if err := join(two, there); err != nil {
		t.Error(err)
	}

	h := newHub(s.cfg, nil) // the hub only, with simulated time
	now := time.Now()
	here.Boards, here.Left = []lab.Board{board("a", lab.Free)}, false
	for _, c := range []struct {
		report *lab.Report
		after  time.Duration
		ok     bool
	}{{here, 0, true}, {there, lab.Silence - 1, false}, {there, lab.Silence, true}, {here, lab.Silence + 1, false}} {
		if _, err := h.sit(c.report, now.Add(c.after)); (err == nil) != c.ok {
			t.Errorf("%s after %s: %v", c.report.Machine, c.after, err)
		}
	}
}

// Another version of the protocol is rejected in one sentence.
func TestOtherProtocol(t *testing.T) {
	s := start(t, config(t))
	_, host := invite(t, s, "pi1")
	for protocol, words := range map[int]string{0: "update host pi1", 2: "update this one"} {
		r := reportOf("pi1")
		r.Protocol, r.Bench = protocol, "v9"
		_, err := host.Join(t.Context(), r)
		refused(t, err, fmt.Sprintf("host pi1 (bench v9) speaks version %d", protocol), words)
	}
}

// A restart costs only a moment: clients reconnect by themselves, and hosts return with their next report.
func TestRestart(t *testing.T) {
	cfg := config(t)
	s := start(t, cfg)
	_, host := invite(t, s, "pi1")
	say(t, host, reportOf("pi1", board("a", lab.Free)))
	soon(t, "the board", func() bool { return len(s.Boards().Boards) == 1 })
	s.Close()
	cfg.Listen = s.Listens()
	again := start(t, cfg)
	if got := states(again.Boards()); !strings.HasPrefix(got, "pi1/a gone: its machine m-pi1 has not been heard for ") {
		t.Error(got)
	}
	if again.Address() != s.Address() || !reflect.DeepEqual(again.place, s.place) {
		t.Errorf("%+v, was %+v", again.place, s.place)
	}
	soon(t, "the host", func() bool { return host.NATS().IsConnected() })
	say(t, host, reportOf("pi1", board("a", lab.Free)))
	if got := boards(t, host); got != "pi1/a free" {
		t.Error(got)
	}
}

// Garbage on any subject does no harm.
func TestGarbage(t *testing.T) {
	var o told
	cfg := config(t)
	cfg.Tell = o.tell
	s := start(t, cfg)
	_, good := invite(t, s, "good")
	_, bad := invite(t, s, "bad")
	say(t, good, reportOf("good", board("a", lab.Free)))
	whole := testkit.Must(json.Marshal(reportOf("bad", board("x", lab.Free))))(t)
	for _, text := range []string{"", "x", "null", "[]", "{}", string(whole[:40]), `{"protocol":1,"host":"good"}`,
		strings.Repeat("[", 100_000), "\xff\x00", strings.Replace(string(whole), "free", "mine", 1),
		strings.Replace(string(whole), `"x"`, `"*.>"`, 1), strings.Repeat("x", 1<<20)} {
		for _, subject := range []string{"is.bad", "lab.bad.boards", "lab.bad.hosts", "lab.bad.what",
			"lab.bad.hosts.more"} {
			for _, reply := range []string{"", "_INBOX.bad.x", "_INBOX.good.x", "is.bad"} {
				m := &nats.Msg{Subject: subject, Reply: reply, Data: []byte(text)}
				if err := bad.NATS().PublishMsg(m); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if got := boards(t, bad); !strings.HasPrefix(got, "good/a free") { // on a slow machine it has been silent for long
		t.Error(got)
	}
	if n := o.count("bad  host bad sent an invalid report"); n != 1 {
		t.Errorf("told %d times, want once a minute", n)
	}
	if hosts := s.Hosts(); len(hosts) != 1 {
		t.Errorf("%+v", hosts)
	}
}

// A reply goes to the requester only: one to a host's subject, as if from another, is not sent.
func TestAnswersGoToWhoAsked(t *testing.T) {
	s := start(t, config(t))
	_, evil := invite(t, s, "evil")
	_, host := invite(t, s, "pi1")
	heard := testkit.Must(host.NATS().SubscribeSync("use.*.pi1.>"))(t)
	say(t, host, reportOf("pi1"))
	for _, verb := range []string{"boards", "hosts"} {
		if err := evil.NATS().PublishRequest("lab.evil."+verb, "use.other.pi1.a.leave.x", nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := evil.Hosts(t.Context()); err != nil { // the server has handled the earlier ones
		t.Fatal(err)
	}
	boards(t, evil)
	evil.Join(t.Context(), reportOf("evil"))
	if err := host.NATS().Flush(); err != nil {
		t.Fatal(err)
	}
	if m, err := heard.NextMsg(time.Millisecond); err == nil {
		t.Errorf("%s: %s", m.Subject, m.Data)
	}
}

// A lab limits its number of boards.
func TestTooManyBoards(t *testing.T) {
	h := newHub(config(t), nil)
	many := func(host string, n int) *lab.Report {
		r := reportOf(host)
		for i := range n {
			r.Boards = append(r.Boards, board(fmt.Sprint("b", i), lab.Free))
		}
		return r
	}
	now := time.Now()
	for i := range maxAll / maxBoards {
		if _, err := h.sit(many(fmt.Sprint("h", i), maxBoards), now); err != nil {
			t.Fatal(err)
		}
	}
	_, err := h.sit(many("one", 1), now)
	refused(t, err, "the lab would have 5001 boards with host one: at most 5000 are allowed")
	list := h.Boards()
	if len(list.Boards) != maxAll || !slices.IsSortedFunc(list.Boards, func(a, b lab.Board) int {
		return printable.Natural(a.String(), b.String())
	}) {
		t.Errorf("%d boards", len(list.Boards))
	}
}
