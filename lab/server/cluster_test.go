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

	"utfbench/desk"
	"utfbench/driver"
	"utfbench/transport/lab"
)

// A ring is several servers of NATS that are one cluster, by routes, with one certificate.
type ring []*cluster

// aRing is one of which no server runs yet.
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
		c.write(t, "nats.conf", strings.ReplaceAll(string(text), c.cert, all[0].cert)+fmt.Sprintf("server_name: n%d\n"+
			"cluster { name: ring, listen: %q, routes: [\"nats://%s\"] }\n", i, routes[i],
			strings.Join(routes, `", "nats://`)))
	}
	return all
}

// include gives all of them the keys of a lab.
func (r ring) include(t *testing.T, data string) {
	t.Helper()
	for _, c := range r {
		c.include(t, data)
	}
}

// start starts those that do not run, and waits until each has a route to all others.
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

// linked is to how many others a server has routes.
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

// of finds the server to which a client is connected that calls itself so; nil while there is none.
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

// kill ends the server of a client, waits until another has it, and starts it again.
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

// aim has an invitation lead to one server, and gives its file.
func (c *cluster) aim(t *testing.T, data, name string) string {
	t.Helper()
	inv, err := Invite(data, name)
	if err != nil {
		t.Fatal(err)
	}
	inv.Lab = "tls://" + c.at
	c.write(t, name, string(inv.Text()))
	return filepath.Join(c.dir, name)
}

// A worker runs vectors on a board again and again until it is told to stop.
type worker struct {
	runs atomic.Int64 // that passed
	stop chan struct{}
	end  chan error
}

func work(c *desk.Chip, jobs []driver.Job) *worker {
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

// goesOn waits for a run that began later than now.
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

// Of a cluster any server may die: whoever was connected to it goes to another, and a run goes on where it was,
// whether the dead one had the host, the user or the lab's own connection.
func TestCluster(t *testing.T) {
	r := aRing(t)
	cfg, o := r[0].config(t)
	cfg.NATSCert = r[0].cert
	if _, err := Start(t.Context(), cfg); err == nil { // which makes the keys
		t.Fatal("a lab without a server of NATS")
	}
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
	for i, client := range []string{"lab", "pi1", "eve"} {
		if r.of(client) != r[i] {
			t.Errorf("%s is not at its own server", client)
		}
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
