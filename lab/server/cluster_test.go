package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	natsd "github.com/nats-io/nats-server/v2/server"

	"utfbench/driver"
	"utfbench/station"
	"utfbench/transport/lab"
)

// A ring is a cluster of NATS servers connected by routes, each with its own certificate.
type ring []*cluster

// aRing returns a ring that is not running.
func aRing(t *testing.T) ring {
	t.Helper()
	all := ring{aCluster(t), aCluster(t), aCluster(t)}
	var routes []string
	for range all {
		routes = append(routes, freePort(t))
	}
	for i, c := range all {
		text, err := os.ReadFile(filepath.Join(c.dir, "nats.conf"))
		if err != nil {
			t.Fatal(err)
		}
		c.write(t, "nats.conf", fmt.Sprintf("%sserver_name: n%d\ncluster { name: ring, listen: %q, "+
			"routes: [\"nats://%s\"] }\n", text, i, routes[i], strings.Join(routes, `", "nats://`)))
	}
	return all
}

// lab returns the configuration of a lab that uses the ring and has keys.
func (r ring) lab(t *testing.T) (Config, *told) {
	t.Helper()
	cfg, o := r[0].config(t)
	cfg.NATS, cfg.NATSCert = "", nil
	for _, c := range r {
		cfg.NATS += ",tls://" + c.at
		cfg.NATSCert = append(cfg.NATSCert, c.cert)
	}
	cfg.NATS = cfg.NATS[1:]
	if _, err := Start(t.Context(), cfg); err == nil { // creates the keys
		t.Fatal("a lab without a server of NATS")
	}
	return cfg, o
}

// include configures all servers with a lab's keys.
func (r ring) include(t *testing.T, data string) {
	t.Helper()
	for _, c := range r {
		c.include(t, data)
	}
}

// start starts the servers that are not running, and waits until all are connected.
func (r ring) start(t *testing.T) {
	t.Helper()
	for _, c := range r {
		if c.server == nil {
			c.start(t)
		}
	}
	for _, c := range r {
		soon(t, "a cluster of all servers", func() bool { return linked(c.server) == len(r)-1 })
	}
}

// linked returns the number of servers to which a server has routes.
func linked(s *natsd.Server) int {
	z, err := s.Routez(nil)
	if err != nil {
		return 0
	}
	others := map[string]bool{}
	for _, route := range z.Routes {
		others[route.RemoteID] = true
	}
	return len(others)
}

// of returns the server to which the named client is connected, or nil.
func (r ring) of(name string) *cluster {
	for _, c := range r {
		if c.server == nil {
			continue
		}
		z, err := c.server.Connz(nil)
		for i := 0; err == nil && i < len(z.Conns); i++ {
			if z.Conns[i].Name == name {
				return c
			}
		}
	}
	return nil
}

// kill stops a client's server, waits until another has the client, and starts it again.
func (r ring) kill(t *testing.T, client string, meanwhile func()) {
	t.Helper()
	c := r.of(client)
	if c == nil {
		t.Fatal("no server has ", client)
	}
	c.stop()
	soon(t, client+" at another server", func() bool { return r.of(client) != nil })
	meanwhile()
	r.start(t)
}

// aim restricts an invitation to one server, and returns its file.
func (c *cluster) aim(t *testing.T, data, name string) string {
	t.Helper()
	inv, err := Invite(data, name)
	if err != nil {
		t.Fatal(err)
	}
	inv.Lab, inv.Others = "tls://"+c.at, nil
	c.write(t, name, string(inv.Text()))
	return filepath.Join(c.dir, name)
}

// A worker runs vectors on a board repeatedly until stopped.
type worker struct {
	runs atomic.Int64 // passed runs
	stop chan struct{}
	end  chan error
}

func work(c *station.Chip, jobs []driver.Job) *worker {
	l := &worker{stop: make(chan struct{}), end: make(chan error, 1)}
	go func() {
		for {
			tally, err := (&driver.Runner{Transport: c.Transport, Tile: c.Tile}).Run(context.Background(), jobs)
			if err == nil && tally.Verdict() != driver.Pass {
				err = errors.New(tally.Verdict().String())
			}
			if err != nil {
				l.end <- err
				return
			}
			l.runs.Add(1)
			select {
			case <-l.stop:
				l.end <- nil
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return l
}

// goesOn waits for a run that starts later than now.
func (l *worker) goesOn(t *testing.T) {
	t.Helper()
	before := l.runs.Load()
	soon(t, "another run", func() bool {
		select {
		case err := <-l.end:
			t.Fatal("the run ended: ", err)
		default:
		}
		return l.runs.Load() > before+1
	})
}

// Any server of a cluster may fail: its clients reconnect to another, and runs resume, whether it served the host, the
// user or the lab itself.
func TestCluster(t *testing.T) {
	r := aRing(t)
	cfg, o := r.lab(t)
	pi, eve := r[1].aim(t, cfg.Data, "pi1"), r[2].aim(t, cfg.Data, "eve")
	r.include(t, cfg.Data)
	r.start(t)
	start(t, cfg)
	inv, err := lab.ReadInvitation(pi)
	if err != nil {
		t.Fatal(err)
	}
	defer offered(t, dial(t, inv))()
	chip := taken(t, eve)
	defer chip.Close()
	busy := work(chip, few(t))
	if r.of("pi1") != r[1] || r.of("eve") != r[2] {
		t.Error("host and user are not at servers of their own")
	}
	for _, client := range []string{"pi1", "eve", "lab"} {
		r.kill(t, client, func() { busy.goesOn(t) })
		busy.goesOn(t)
	}
	close(busy.stop)
	if err := <-busy.end; err != nil {
		t.Error(err)
	}
	o.has(t, "the connection to NATS is cut (")
	o.has(t, "connected again, to the NATS server at tls://127.0.0.1:")
	if o.count("is gone") > 0 || o.count("is here") != 1 {
		t.Error(o.events)
	}
}

// An invitation has all addresses and certificates of a cluster, so any running server suffices. A server's rejection
// is reported even if another server is down.
func TestSeveralAddresses(t *testing.T) {
	t.Parallel() // it mostly waits
	r := aRing(t)
	cfg, _ := r.lab(t)
	inv, err := Invite(cfg.Data, "pi1")
	if err != nil {
		t.Fatal(err)
	}
	if inv.Lab != "tls://"+r[0].at || len(inv.Others) != 2 || len(inv.Fingerprints) != 2 {
		t.Errorf("%+v", inv.Place)
	}
	r.include(t, cfg.Data)
	_, err = lab.Dial(t.Context(), inv)
	refused(t, err, "no lab at tls://"+r[0].at+", tls://"+r[1].at+", tls://"+r[2].at+": ")
	r[1].start(t)
	s := start(t, cfg)
	if s.Address() != inv.Place.String() {
		t.Error(s.Address())
	}
	use(t, s, dial(t, inv))
	text, err := os.ReadFile(otherInvitation(t))
	if err != nil {
		t.Fatal(err)
	}
	other, err := lab.ParseInvitation("other", text)
	if err != nil {
		t.Fatal(err)
	}
	other.Place = inv.Place
	_, err = lab.Dial(t.Context(), other)
	refused(t, err, `rejects the key "first"`)
	inv.Fingerprints = inv.Fingerprints[1:] // without the running server's
	_, err = lab.Dial(t.Context(), inv)
	refused(t, err, "its certificate differs from the invitation's")
}

// Invitations contain all names of a server; a name without a port gets the server's.
func TestSeveralNames(t *testing.T) {
	cfg := config(t)
	cfg.Name = freePort(t) + ",127.0.0.1"
	s := start(t, cfg)
	inv, conn := invite(t, s, "pi1")
	boards(t, conn)
	if len(inv.Others) != 1 || inv.Others[0] != "tls://"+s.Listens() || inv.Fingerprint == "" {
		t.Errorf("%+v", inv.Place)
	}
	cfg = config(t)
	cfg.Name = "a,"
	_, err := Start(t.Context(), cfg)
	refused(t, err, `the address "" for invitations: it has to be HOST or HOST:PORT`)
}
