package server

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/internal/failure"
	"utfbench/transport/lab"
)

// Browsers of this machine connect by plain HTTP, all others by TLS with the server's certificate.
func TestFront(t *testing.T) {
	cfg := config(t)
	cfg.Name = "lab.example.com:443"
	s := start(t, cfg)
	for listen, want := range map[string]string{"127.0.0.1:0": "http://127.0.0.1:", "localhost:0": "http://localhost:",
		"0.0.0.0:0": "https://lab.example.com:", ":0": "https://lab.example.com:", "": "http://127.0.0.1:"} {
		l, at, err := s.Front(listen)
		if err != nil {
			t.Fatal(err)
		}
		_, port, err := net.SplitHostPort(l.Addr().String())
		if err != nil || at.String() != want+port {
			t.Errorf("%q: %s, %v; want %s%s", listen, at, err, want, port)
		}
		answers(t, l, at.Scheme, port)
	}
	for listen, words := range map[string]string{"7061": `--page "7061": has to be HOST:PORT`,
		s.Listens():      "Give this one another --page",
		"192.0.2.1:7061": "give --page one that it has, or 0.0.0.0 for all"} {
		_, _, err := s.Front(listen)
		refused(t, err, words)
		if is := failure.KindOf(err) == failure.Bench; is != (listen != "7061") {
			t.Errorf("%s: a fault of the machine: %v", listen, is)
		}
	}
	one, _, err := s.Front("") // the default port may be in use
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	two, _, err := s.Front("")
	if err != nil {
		t.Fatal(err)
	}
	two.Close()
}

// answers checks that a listener serves its scheme, with the server's certificate.
func answers(t *testing.T, l net.Listener, scheme, port string) {
	t.Helper()
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Proto)
	})}
	go s.Serve(l)
	defer s.Close()
	c := http.Client{Timeout: time.Minute, Transport: &http.Transport{ForceAttemptHTTP2: true,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	r, err := c.Get(scheme + "://127.0.0.1:" + port)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	want := map[string]string{"http": "HTTP/1.1", "https": "HTTP/2.0"}[scheme]
	if err != nil || string(text) != want {
		t.Errorf("by %s: %s, %v; want %s", scheme, text, err, want)
	}
}

// A key's holder gets the page's address in the key's own name. A lab without a page says so.
func TestPageOfKey(t *testing.T) {
	s := start(t, config(t))
	_, conn := invite(t, s, "pi1")
	_, err := conn.Page(t.Context())
	refused(t, err, "this lab has no page")
	s.Show(func(key string) (string, error) { return "http://here/" + key, nil })
	if p, err := conn.Page(t.Context()); err != nil || p.URL != "http://here/pi1" {
		t.Errorf("%+v, %v", p, err)
	}
	s.Show(func(string) (string, error) { return "", errors.New("not now") })
	_, err = conn.Page(t.Context())
	refused(t, err, "not now")
	if s.Key("pi1") == "" || s.Key("pi1") == s.Key(First) || s.Key("nobody") != "" {
		t.Errorf("keys %q, %q, %q", s.Key("pi1"), s.Key(First), s.Key("nobody"))
	}
	public := s.Key("pi1")
	if err := Revoke(s.cfg.Data, "pi1"); err != nil {
		t.Fatal(err)
	}
	soon(t, "the key gone", func() bool { return s.Key("pi1") == "" })
	if _, err := Invite(s.cfg.Data, "pi1"); err != nil {
		t.Fatal(err)
	}
	soon(t, "another key", func() bool { return s.Key("pi1") != "" })
	if s.Key("pi1") == public {
		t.Error("a key that was revoked is there again")
	}
}

// The latest events are kept, the newest first, and notify followers.
func TestEvents(t *testing.T) {
	s := start(t, config(t))
	_, host := invite(t, s, "pi1")
	for i := range maxEvents {
		before := newest(s)
		say(t, host, reportOf("pi1", board("a", []lab.State{lab.Free, lab.Gone}[i%2])))
		soon(t, "the event", func() bool { return newest(s) > before }) // else two reports may count as one
	}
	soon(t, "all of them", func() bool { e := s.Events(); return len(e) == maxEvents && e[0].Number > maxEvents })
	all := s.Events()
	for i := range all[1:] {
		if all[i].Number != all[i+1].Number+1 || all[i].At.Before(all[i+1].At) {
			t.Fatalf("%+v comes before %+v", all[i], all[i+1])
		}
	}
	if e := all[0]; e.Of() != "pi1/a" || !strings.HasPrefix(e.Words(), "is ") {
		t.Errorf("%+v", e)
	}
}

// newest returns the number of the newest event.
func newest(s *Server) uint64 {
	if all := s.Events(); len(all) > 0 {
		return all[0].Number
	}
	return 0
}

// A stop of a missing board or a deaf host fails with the reason.
func TestStopNobody(t *testing.T) {
	s := start(t, config(t))
	_, host := invite(t, s, "pi1")
	b := board("a", lab.Taken)
	b.Host = "pi1"
	refused(t, s.Stop(t.Context(), &b, First), "pi1/a: nobody has it")
	b.Holder = &lab.Holder{Key: First, Since: time.Now()}
	refused(t, s.Stop(t.Context(), &b, First), "its host does not respond")
	_, err := host.NATS().Subscribe(lab.OrderSubject("pi1", ">"), func(m *nats.Msg) {
		lab.Refuse(m, errors.New("it is not so"))
	})
	if err = errors.Join(err, host.NATS().Flush()); err != nil {
		t.Fatal(err)
	}
	refused(t, s.Stop(t.Context(), &b, First), "pi1/a: it is not so")
}
