package server

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	natsd "github.com/nats-io/nats-server/v2/server"

	"utfbench/driver"
	"utfbench/lab/host"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport/lab"
)

// A cluster is a NATS server with TLS, configured by files as an administrator would do.
type cluster struct {
	at, dir, cert string
	server        *natsd.Server
}

// aCluster returns a cluster that is not running.
func aCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{at: freePort(t), dir: t.TempDir()}
	c.cert = filepath.Join(c.dir, "tls.pem")
	if err := makeCertificate(c.cert, "127.0.0.1"); err != nil {
		t.Fatal(err)
	}
	c.write(t, "nats.conf", fmt.Sprintf("listen: %q\nmax_payload: 8MB\ntls { cert_file: %q, key_file: %[2]q }\n"+
		"accounts { LAB { include keys.conf } }\n", c.at, c.cert))
	t.Cleanup(c.stop)
	return c
}

// freePort returns an unused address.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (c *cluster) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// include configures the cluster with a lab's keys.
func (c *cluster) include(t *testing.T, data string) {
	t.Helper()
	text, err := ClusterKeys(data)
	if err != nil {
		t.Fatal(err)
	}
	c.write(t, "keys.conf", string(text))
	if c.server != nil {
		if err := c.server.Reload(); err != nil {
			t.Fatal(err)
		}
	}
}

func (c *cluster) start(t *testing.T) {
	t.Helper()
	o, err := natsd.ProcessConfigFile(filepath.Join(c.dir, "nats.conf"))
	if err == nil {
		o.NoSigs = true
		c.server, err = natsd.NewServer(o)
	}
	if err != nil {
		t.Fatal(err)
	}
	go c.server.Start()
	if !c.server.ReadyForConnections(time.Minute) {
		t.Fatal("NATS does not start")
	}
}

func (c *cluster) stop() {
	if c.server != nil {
		c.server.Shutdown()
		c.server.WaitForShutdown()
	}
	c.server = nil
}

// config returns the configuration of a lab that uses the cluster.
func (c *cluster) config(t *testing.T) (Config, *told) {
	o := new(told)
	cfg := config(t)
	cfg.Listen, cfg.NATS, cfg.NATSCert, cfg.Tell = "", "tls://"+c.at, []string{c.cert}, o.tell
	return cfg, o
}

// outside returns a lab on a cluster, both running.
func outside(t *testing.T) (*cluster, *Server, *told) {
	t.Helper()
	c := aCluster(t)
	cfg, o := c.config(t)
	if _, err := Start(context.Background(), cfg); err == nil { // creates the keys
		t.Fatal("a lab without a server of NATS")
	}
	c.include(t, cfg.Data)
	c.start(t)
	return c, start(t, cfg), o
}

// invite creates a key and distributes it to the cluster.
func (c *cluster) invite(t *testing.T, s *Server, name string) (*lab.Invitation, *lab.Conn) {
	t.Helper()
	inv, err := Invite(s.cfg.Data, name)
	if err != nil {
		t.Fatal(err)
	}
	c.include(t, s.cfg.Data)
	soon(t, "the key "+name, func() bool { return s.Key(name) != "" })
	return inv, dial(t, inv)
}

// The output of benchlab keys gives NATS the same permissions as the built-in server.
func TestClusterKeys(t *testing.T) {
	c := aCluster(t)
	cfg, _ := c.config(t)
	_, err := Start(t.Context(), cfg)
	refused(t, err, "no NATS server at tls://"+c.at+": ", "is it running, with TLS")
	for _, name := range []string{"a", "Z-9_"} {
		if _, err := Invite(cfg.Data, name); err != nil {
			t.Fatal(err)
		}
	}
	c.include(t, cfg.Data)
	o, err := natsd.ProcessConfigFile(filepath.Join(c.dir, "nats.conf"))
	if err != nil {
		t.Fatal(err)
	}
	own, err := ownKey(cfg.Data)
	if err != nil {
		t.Fatal(err)
	}
	ring, err := newKeyring(cfg.Data)
	if err != nil {
		t.Fatal(err)
	}
	if ring.own, err = own.PublicKey(); err != nil {
		t.Fatal(err)
	}
	if len(o.Nkeys) != 4 {
		t.Fatalf("%d keys", len(o.Nkeys))
	}
	for _, got := range o.Nkeys {
		if want, known := ring.may(got.Nkey); !known || !reflect.DeepEqual(got.Permissions, want) {
			t.Errorf("%s: %+v; want %+v", got.Nkey, got.Permissions, want)
		}
	}
	info, err := os.Stat(ownFile(cfg.Data))
	if err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info, err)
	}
	_, err = ClusterKeys(t.TempDir())
	refused(t, err, "no lab in ")
}

// A lab on an external NATS server works as on its own: keys are restricted, and a board can be used.
func TestOutside(t *testing.T) {
	c, s, _ := outside(t)
	if s.Address() != "tls://"+c.at {
		t.Error(s.Address())
	}
	_, a := c.invite(t, s, "a")
	_, b := c.invite(t, s, "b")
	_, evil := c.invite(t, s, "evil")
	askingOpensNoDoor(t, evil, b)
	keepsToItsOwn(t, a)
	use(t, s, b)
}

// use offers a board in the name of a host, and judges it with the first key.
func use(t *testing.T, s *Server, conn *lab.Conn) {
	t.Helper()
	defer offered(t, conn)()
	chip := taken(t, InviteFile(s.cfg.Data))
	defer chip.Close()
	tally, err := (&driver.Runner{Transport: chip.Transport, Tile: chip.Tile}).Run(t.Context(), few(t))
	if err != nil || tally.Verdict() != driver.Pass {
		t.Errorf("%v, %+v", err, tally)
	}
}

// offered runs a host with a mock called good until leave.
func offered(t *testing.T, conn *lab.Conn) (leave func()) {
	offer := host.Offer{Name: "good", Target: native.New("mock"), What: "the model"}
	h := host.Host{Bench: "v1", Find: func() []host.Offer { return []host.Offer{offer} }, Tell: func(string) {}}
	ctx, end := context.WithCancel(context.Background())
	left := make(chan error, 1)
	go func() { left <- h.Run(ctx, conn) }()
	return func() {
		end()
		if err := <-left; err != nil {
			t.Error(err)
		}
	}
}

// taken opens that board with an invitation.
func taken(t *testing.T, invitation string) (chip *station.Chip) {
	t.Helper()
	of := native.New("lab:good")
	of.Lab.Invitation, of.Tile, of.Kinds = invitation, utf.TT09, native.Kinds()
	soon(t, "the board", func() (is bool) {
		var err error
		chip, err = of.Open(t.Context())
		return err == nil
	})
	return chip
}

// few returns the vectors of the first suite.
func few(t *testing.T) (jobs []driver.Job) {
	t.Helper()
	suites, err := tile.Suites(utf.TT09)
	if err != nil {
		t.Fatal(err)
	}
	for i := range suites[0].Vectors {
		jobs = append(jobs, driver.Job{Vector: &suites[0].Vectors[i], File: suites[0].File})
	}
	return jobs
}

// Each reason why a lab cannot start on an external NATS server is one sentence.
func TestOutsideRefusals(t *testing.T) {
	c := aCluster(t)
	cfg, _ := c.config(t)
	for nats, words := range map[string]string{"nats://x:4222": `--nats "nats://x:4222": it has to be tls://HOST:PORT`,
		"tls://": "it has to be tls://", "tls://u@x": "it has to be", "tls://x:99999": "the address"} {
		bad := cfg
		bad.NATS = nats
		_, err := Start(t.Context(), bad)
		refused(t, err, words)
	}
	for file, words := range map[string]string{"nowhere": "--nats-cert: ", "nats.conf": "it has no certificate"} {
		bad := cfg
		bad.NATSCert = []string{filepath.Join(c.dir, file)}
		_, err := Start(t.Context(), bad)
		refused(t, err, words)
	}
	_, err := Start(t.Context(), cfg)
	refused(t, err, "no NATS server at ")
	all, err := ClusterKeys(cfg.Data)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(all), "\n")
	own := lines[4] // the lab's own
	for what, keys := range map[string]string{
		"rejects the lab's own key: include the output of benchlab keys --data " + cfg.Data +
			" in its configuration": strings.Replace(string(all), own+"\n", "", 1),
		"does not permit the lab's own key to receive reports": strings.Replace(string(all), own, strings.Replace(own,
			" }", `, permissions: { subscribe: { allow: ["lab.>"] } } }`, 1), 1),
	} {
		c.write(t, "keys.conf", keys)
		c.start(t)
		_, err := Start(t.Context(), cfg)
		refused(t, err, what)
		c.stop()
	}
	c.write(t, "keys.conf", string(all))
	c.start(t)
	other := filepath.Join(t.TempDir(), "other.pem")
	if err := makeCertificate(other, "127.0.0.1"); err != nil {
		t.Fatal(err)
	}
	cfg.NATSCert = []string{other}
	_, err = Start(t.Context(), cfg)
	refused(t, err, "its certificate differs from --nats-cert "+other)
	cfg.NATSCert = nil
	_, err = Start(t.Context(), cfg)
	refused(t, err, "certificate")
}

// The cluster or the lab may restart: clients reconnect by themselves with the same keys.
func TestOutsideRestarts(t *testing.T) {
	t.Parallel() // it mostly waits
	c, s, o := outside(t)
	_, conn := c.invite(t, s, "pi1")
	heard := func() bool {
		say(t, conn, report("pi1", board("a", lab.Free)))
		list, err := conn.Boards(t.Context())
		return err == nil && len(list.Boards) == 1
	}
	soon(t, "the board", heard)
	c.stop()
	o.has(t, "the connection to NATS is cut (")
	c.start(t)
	o.has(t, "connected again, to the NATS server at tls://"+c.at)
	soon(t, "the connection again", func() bool { return conn.NATS().IsConnected() })
	soon(t, "the board again", heard)
	s.Close()
	soon(t, "a word that there is no lab", func() bool {
		_, err := conn.Boards(t.Context()) // the first may still go to the old server
		return err != nil && err.Error() == "the lab at tls://"+c.at+": nobody answers: does benchlab serve run?"
	})
	start(t, s.cfg)
	soon(t, "the board of another start", heard)
}

// A revoked key gets no further replies from the lab, and is disconnected once the cluster has the new keys.
func TestOutsideRevoked(t *testing.T) {
	t.Parallel() // it mostly waits
	c, s, o := outside(t)
	inv, conn := c.invite(t, s, "pi1")
	boards(t, conn)
	if err := Revoke(s.cfg.Data, "pi1"); err != nil {
		t.Fatal(err)
	}
	o.has(t, "the key pi1 is revoked")
	o.has(t, "applies that once it has the new output of benchlab keys and was reloaded")
	_, err := conn.Boards(t.Context())
	refused(t, err, "the lab has no key pi1: it was revoked")
	say(t, conn, report("pi1", board("a", lab.Free)))
	o.has(t, "pi1  the lab has no key pi1: it was revoked")
	if n := len(s.Boards().Boards); n != 0 {
		t.Errorf("%d boards", n)
	}
	c.include(t, s.cfg.Data)
	soon(t, "a cut", func() bool { return !conn.NATS().IsConnected() })
	_, err = lab.Dial(t.Context(), inv)
	refused(t, err, `rejects the key "pi1": it was revoked`)
}
