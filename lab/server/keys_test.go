package server

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"utfbench/internal/files"
	"utfbench/internal/testkit"
	"utfbench/transport/lab"
)

// The server restricts a real client to its key's own subjects.
func TestPermissions(t *testing.T) {
	s := start(t, config(t))
	_, conn := invite(t, s, "a")
	invite(t, s, "b")
	keepsToItsOwn(t, conn)
}

// keepsToItsOwn tries permitted and forbidden operations of key a, beside a key b.
func keepsToItsOwn(t *testing.T, conn *lab.Conn) {
	t.Helper()
	nc := conn.NATS()
	may := func(what string, err error) {
		t.Helper()
		if err == nil {
			err = nc.Flush() // any rejection arrives before this returns
		}
		if err == nil {
			err = nc.LastError()
		}
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, subject := range []string{"use.a.b.x.take", "is.a", "lab.a.boards", "_INBOX.b.a.x.y"} {
		may("say "+subject, nc.Publish(subject, nil))
	}
	for _, subject := range []string{"use.*.a.>", "do.a.>", "_INBOX.a.>", "_INBOX.a.x"} {
		_, err := nc.Subscribe(subject, func(*nats.Msg) {})
		may("hear "+subject, err)
	}
	for _, subject := range []string{"use.b.a.x.take", "use.a", "is.b", "is.a.b", "lab.b.hosts", "lab.a", "_INBOX",
		"_INBOX.b", "_INBOX.b.x", "_INBOX.b.c.x.y", "_INBOX.b.b.x.y", "_INBOX.b.+.x.y", "_INBOX.+.b.x.y",
		"do.b.x.stop", "do.a.x.stop", "$JS.API.INFO", "$JS.API.STREAM.CREATE.x", "$SYS.REQ.SERVER.PING", "what"} {
		refusal(t, conn, "Publish to", subject, nc.Publish(subject, nil))
	}
	for _, subject := range []string{"use.*.b.>", "use.a.>", "use.>", "do.b.>", "do.>", "do.*.x.stop", "is.*", "is.a",
		"lab.>", "lab.a.boards", "_INBOX.b.>", "_INBOX.*.>", "_INBOX.>", "*", ">", "$SYS.>", "$JS.>"} {
		_, err := nc.Subscribe(subject, func(*nats.Msg) {})
		refusal(t, conn, "Subscription to", subject, err)
		_, err = nc.QueueSubscribe(subject, "group", func(*nats.Msg) {})
		refusal(t, conn, "Subscription to", subject, err)
	}
}

// refusal checks that the server rejected a message or subscription.
func refusal(t *testing.T, c *lab.Conn, what, subject string, err error) {
	t.Helper()
	if err == nil {
		err = c.NATS().Flush()
	}
	last := c.NATS().LastError()
	if want := fmt.Sprintf("%s %q", what, subject); err != nil || last == nil ||
		!strings.Contains(strings.ToLower(last.Error()), strings.ToLower(want)) {
		t.Errorf("%s: %v, %v", want, err, last)
	}
}

// A requester chooses the reply subject, but cannot thereby speak as another: neither by querying itself nor through a
// responding host.
func TestAskingOpensNoDoor(t *testing.T) {
	s := start(t, config(t))
	_, evil := invite(t, s, "evil")
	_, host := invite(t, s, "pi1")
	askingOpensNoDoor(t, evil, host)
}

// askingOpensNoDoor tries the key evil with itself and with another key.
func askingOpensNoDoor(t *testing.T, evil, host *lab.Conn) {
	t.Helper()
	for _, c := range []*lab.Conn{evil, host} {
		heard, err := c.NATS().SubscribeSync("use.*." + c.Invitation.Name + ".>")
		if err == nil {
			err = c.NATS().Flush()
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, subject := range []string{"is.victim", "do.victim.x.stop", "use.victim.pi1.x.take",
			"lab.victim.hosts", "$JS.API.INFO"} {
			err := evil.NATS().PublishRequest("use.evil."+c.Invitation.Name+".x.take", subject, nil)
			if err == nil {
				err = evil.NATS().Flush()
			}
			if err != nil {
				t.Fatal(err)
			}
			m := testkit.Must(heard.NextMsg(time.Minute))(t)
			refusal(t, c, "Publish to", subject, m.Respond([]byte("forged")))
		}
	}
}

// A host can respond to a requester.
func TestAnswer(t *testing.T) {
	s := start(t, config(t))
	_, user := invite(t, s, "user")
	_, host := invite(t, s, "pi1")
	_, err := host.NATS().Subscribe("use.*.pi1.>", func(m *nats.Msg) { m.Respond([]byte(m.Subject)) })
	if err == nil {
		err = host.NATS().Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := user.Request(t.Context(), "pi1", "use.user.pi1.x.take", nil)
	if err != nil || string(m.Data) != "use.user.pi1.x.take" {
		t.Fatalf("%v, %v; the host: %v", m, err, host.NATS().LastError())
	}
}

// Only the queried party can respond: another key may not publish on the reply subject, even if it knows it. The
// server's requests are equally safe.
func TestOthersCannotAnswer(t *testing.T) {
	s := start(t, config(t))
	_, user := invite(t, s, "user")
	_, host := invite(t, s, "pi1")
	_, evil := invite(t, s, "evil")
	var seen []string
	_, err := host.NATS().Subscribe("use.*.pi1.>", func(m *nats.Msg) {
		seen = append(seen, m.Reply)
		refusal(t, evil, "Publish to", m.Reply, evil.NATS().Publish(m.Reply, []byte("forged")))
		m.Respond([]byte("true"))
	})
	_, oerr := host.NATS().Subscribe(lab.OrderSubject("pi1", ">"), func(m *nats.Msg) {
		refusal(t, evil, "Publish to", m.Reply, evil.NATS().Publish(m.Reply, []byte("forged")))
		m.Respond([]byte("true"))
	})
	if err = errors.Join(err, oerr, host.NATS().Flush()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		m, err := user.Request(t.Context(), "pi1", "use.user.pi1.x.take", nil)
		if err != nil || string(m.Data) != "true" {
			t.Fatalf("%v, %v", m, err)
		}
	}
	a, b := strings.Split(seen[0], "."), strings.Split(seen[1], ".")
	if len(a) != 5 || a[4] == b[4] || len(a[4]) < 26 || a[3] != b[3] || len(a[3]) < 26 {
		t.Errorf("%s, then %s: each request has a token of 128 bits, and each connection", seen[0], seen[1])
	}
	x := board("x", lab.Taken)
	x.Host = "pi1"
	if said, err := s.Around(t.Context(), &x); err != nil || string(said) != "true" {
		t.Errorf("%q, %v", said, err)
	}
}

// Only a valid key connects, only by TLS 1.3, and a server is trusted only by its certificate.
func TestStrangers(t *testing.T) {
	t.Parallel() // it mostly waits
	s := start(t, config(t))
	first := testkit.Must(lab.ReadInvitation(InviteFile(s.cfg.Data)))(t)
	pair := testkit.Must(nkeys.CreateUser())(t)
	seed := testkit.Must(pair.Seed())(t)
	for name, c := range map[string]struct {
		change func(*lab.Invitation)
		words  string
	}{
		"another key": {func(i *lab.Invitation) { i.Seed = string(seed) }, "was revoked"},
		"another server": {func(i *lab.Invitation) { i.Fingerprint = strings.Repeat("0", 64) },
			"its certificate differs from the invitation's"},
		"no fingerprint": {func(i *lab.Invitation) { i.Fingerprint = "" }, "certificate"},
	} {
		inv := *first
		c.change(&inv)
		_, err := lab.Dial(t.Context(), &inv)
		t.Log(name)
		refused(t, err, first.Lab[len("tls://"):], c.words)
	}
	if _, err := nats.Connect(first.Lab, nats.Secure(insecure())); err == nil {
		t.Error("somebody came in without a key")
	}
	public, old := s.Key(First), signature(t, first, "another text") // the public half is not secret
	for name, sign := range map[string]func([]byte) ([]byte, error){
		"with the signature of another key": pair.Sign,
		"with an old signature":             func([]byte) ([]byte, error) { return old, nil },
		"without a signature":               func([]byte) ([]byte, error) { return nil, nil },
	} {
		if _, err := nats.Connect(first.Lab, nats.Secure(insecure()), nats.Nkey(public, sign)); err == nil ||
			!strings.Contains(err.Error(), "Authorization Violation") {
			t.Errorf("somebody came in %s: %v", name, err)
		}
	}
	weak := insecure()
	weak.MaxVersion = weak.MinVersion
	if _, err := nats.Connect(first.Lab, nats.Secure(weak)); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("TLS 1.2: %v", err)
	}
}

// signature signs a text with an invitation's key.
func signature(t *testing.T, of *lab.Invitation, text string) []byte {
	t.Helper()
	pair := testkit.Must(nkeys.FromSeed([]byte(of.Seed)))(t)
	return testkit.Must(pair.Sign([]byte(text)))(t)
}

// A revoked key is disconnected and cannot connect again; others notice nothing.
func TestRevoked(t *testing.T) {
	t.Parallel() // it mostly waits
	var o told
	cfg := config(t)
	cfg.Tell = o.tell
	s := start(t, cfg)
	inv, conn := invite(t, s, "pi1")
	_, other := invite(t, s, "pi2")
	say(t, conn, reportOf("pi1", board("a", lab.Free)))
	if got := boards(t, other); got != "pi1/a free" {
		t.Error(got)
	}
	if err := Revoke(cfg.Data, "pi1"); err != nil {
		t.Fatal(err)
	}
	soon(t, "a cut", func() bool { return !conn.NATS().IsConnected() })
	o.has(t, "the key pi1 is revoked")
	before := testkit.Must(s.nats.Varz(nil))(t).TotalConnections
	_, err := lab.Dial(t.Context(), inv)
	if n := testkit.Must(s.nats.Varz(nil))(t).TotalConnections - before; n > 4 { // a few, since one may lose the reason
		t.Errorf("%d connections to learn that the key is revoked", n)
	}
	refused(t, err, "the invitation of pi1 ", " was revoked: ", "benchlab invite pi1 makes there, with the --data of ")
	if got := boards(t, other); got != "" || other.NATS().Stats().Reconnects != 0 || conn.NATS().IsConnected() {
		t.Errorf("%q, %+v", got, other.NATS().Stats())
	}
	hosts, err := other.Hosts(t.Context())
	if err != nil || len(hosts) != 1 || hosts[0].Name != "pi1" || !hosts[0].Revoked || len(s.Hosts()) != 0 {
		t.Errorf("%+v, %v", hosts, err)
	}
	again, _ := invite(t, s, "pi1") // the name is free
	if again.Seed == inv.Seed {
		t.Error("the same key again")
	}
	if hosts, _ := other.Hosts(t.Context()); len(hosts) != 0 {
		t.Errorf("%+v", hosts)
	}
}

// A file of keys that breaks while the server runs changes nothing, and is reported once.
func TestBrokenKeysWhileItRuns(t *testing.T) {
	var o told
	cfg := config(t)
	cfg.Tell = o.tell
	s := start(t, cfg)
	_, conn := invite(t, s, "pi1")
	whole := testkit.Must(os.ReadFile(keysFile(cfg.Data)))(t)
	write := func(text string) {
		if err := files.Write(keysFile(cfg.Data), []byte(text), files.Private); err != nil { // written atomically
			t.Fatal(err)
		}
	}
	write("{")
	o.has(t, "the keys are unchanged: "+keysFile(cfg.Data)+": it was not written by benchlab")
	boards(t, conn)
	write(string(whole))
	invite(t, s, "pi2")
	if n := o.count("the keys are unchanged"); n != 1 {
		t.Errorf("told %d times", n)
	}
}

// Keys created at the same time are all present, each with its own secret, which is stored nowhere.
func TestInviteTogether(t *testing.T) {
	data := t.TempDir()
	at := lab.Place{Lab: "tls://127.0.0.1:1"}
	if err := writePlace(data, at); err != nil {
		t.Fatal(err)
	}
	if err := firstKey(data, at); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	seeds := make([]string, 8)
	for i := range seeds {
		all.Go(func() {
			inv, err := Invite(data, fmt.Sprint("k", i))
			if err != nil {
				t.Error(err)
				return
			}
			seeds[i] = inv.Seed
		})
	}
	all.Wait()
	keys, err := ReadKeys(data)
	if err != nil || len(keys) != 9 || keys[0].Name != "first" || keys[8].Name != "k7" {
		t.Errorf("%v, %v", keys, err)
	}
	text := testkit.Must(os.ReadFile(keysFile(data)))(t)
	slices.Sort(seeds)
	for i, seed := range seeds {
		if strings.Contains(string(text), seed) || i > 0 && seeds[i-1] == seed {
			t.Error("a seed is kept, or is there twice")
		}
	}
}

// Invalid invitations and revocations are rejected in one sentence.
func TestKeyRefusals(t *testing.T) {
	data := t.TempDir()
	_, err := Invite(data, "pi1")
	refused(t, err, "no lab in "+data+": benchlab serve --data "+data+" makes one")
	refused(t, Revoke(data, "pi1"), "no lab in "+data)
	_, err = ReadKeys(data)
	refused(t, err, "no lab in "+data)
	at := lab.Place{Lab: "tls://127.0.0.1:1"}
	if err := writePlace(data, at); err != nil {
		t.Fatal(err)
	}
	_, err = Invite(data, "pi1")
	refused(t, err, "keys does not exist: start benchlab serve")
	if err := firstKey(data, at); err != nil {
		t.Fatal(err)
	}
	_, err = Invite(data, "first")
	refused(t, err, `the lab already has a key "first"`)
	_, err = Invite(data, "a b")
	refused(t, err, `the key's name "a b": a name is 1 to 40 of`)
	refused(t, Revoke(data, "frist"), `the lab has no key "frist" (did you mean first?)`)
	if err := os.WriteFile(placeFile(data), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Invite(data, "pi1")
	refused(t, err, filepath.Join(data, "address")+" was not written by benchlab serve")
}

func FuzzKeys(f *testing.F) {
	pair := testkit.Must(nkeys.CreateUser())(f)
	public := testkit.Must(pair.PublicKey())(f)
	f.Add(fmt.Sprintf(`{"keys":[{"name":"a","key":%q,"made":"2026-01-02T03:04:05Z"}]}`, public))
	f.Add(fmt.Sprintf(`{"keys":[{"name":"a","key":%q},{"name":"a","key":%[1]q}]}`, public))
	f.Add(`{"keys":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		keys, err := parseKeys([]byte(text))
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, k := range keys {
			if lab.CheckName("", k.Name) != nil || seen[k.Name] || seen[k.Public] {
				t.Errorf("%+v", k)
			}
			seen[k.Name], seen[k.Public] = true, true
			permissions(k.Name)
		}
	})
}

// A command for a lab can be pasted, and is for that lab.
func TestCommand(t *testing.T) {
	const want = "benchlab invite NAME --data '/srv/our lab'"
	if got := Command("/srv/our lab", "invite", "NAME"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
