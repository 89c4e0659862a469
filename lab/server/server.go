// Package server is the middle of a lab: it lets machines in by their keys, carries what they say to each other, and
// collects what hosts say of their boards. It decides nothing about a board: that is its host's.
//
// # What it keeps
//
// All is in one folder, which one server at a time uses.
//
//	keys       the keys that count, by name: the public halves alone
//	invite     the invitation of the first key, with its secret half; others are given away and not kept
//	address    what invitations say of this server
//	tls.pem    the certificate and its key, if the user has none
//	counted    the keys that the server counts by now: see Counted
//	history.db the runs that were handed in, as package history keeps them, with history.db-runs
//	history-in what is being handed in; removed at each start
//	own        the secret half of the lab's own key, if NATS runs elsewhere; see Config.NATS
//
// The history is one as every bench has, and no store of NATS's (JetStream), so that all commands that look at runs
// look at it too. Such a store would have a format of its own, and who may write to it by NATS's own subjects may
// remove the runs of others.
//
// What hosts say is in memory: after a restart they say it again within a second.
//
// # What it promises
//
//   - A key speaks in its own name only, and hears what is for it and nothing else; see permissions.
//   - A key that is revoked is cut off within two seconds, and does not come in again.
//   - What one host says of itself, whatever it is, costs the others nothing; see readReport.
//   - A run whose number was answered is in the history, with its recording, whatever dies; see past.
package server

import (
	"context"
	"crypto/tls"
	"os"
	"sync"
	"sync/atomic"
	"time"

	natsd "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"utfbench/internal/crash"
	"utfbench/internal/failure"
	"utfbench/lab/door"
	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// Config configures a server. Only Data is required.
type Config struct {
	Data      string          // the folder; it is made where there is none
	Listen    string          // HOST:PORT; "" is DefaultListen, port 0 one that is free
	Name      string          // HOST[:PORT][,...] that invitations say; "" is that of Listen, or this machine's own
	Cert, Key string          // files of the user's own certificate; "" has one made
	NATS      string          // tls://HOST:PORT[,...] of NATS that carries the lab, not Listen; "" is in the process
	NATSCert  []string        // files of its servers' certificates; nil where every machine believes them by itself
	Bench     string          // its version, for messages
	Tell      func(lab.Event) // is called with each event, one at a time; nil for nobody
	Quota     int64           // bytes of recordings in the history; 0 is DefaultQuota

	Silent time.Duration // a host that was not heard for so long is gone; 0 is 4 s
	Seat   time.Duration // and its key may be another machine's after so long; 0 is lab.Silence
	Forget time.Duration // and it was never there after so long; 0 is a day
	Look   time.Duration // how often silence and DIR/keys are looked at; 0 is half a second
	Idle   time.Duration // what is half handed in is removed when nothing came for so long; 0 is a minute
}

// DefaultQuota is for some thousand runs of all vectors.
const DefaultQuota = 2_000_000_000

// DefaultListen is reachable from this machine only.
const DefaultListen = "127.0.0.1:7060"

func (c *Config) fill() {
	for value, usual := range map[*time.Duration]time.Duration{
		&c.Silent: 4 * time.Second, &c.Seat: lab.Silence, &c.Forget: 24 * time.Hour, &c.Look: time.Second / 2,
		&c.Idle: time.Minute} {
		if *value == 0 {
			*value = usual
		}
	}
	if c.Listen == "" {
		c.Listen = DefaultListen
	}
	if c.Quota == 0 {
		c.Quota = DefaultQuota
	}
	if c.Tell == nil {
		c.Tell = func(lab.Event) {}
	}
}

// fault marks an error of the machine, not of the request: a port in use, a folder that cannot be written. It overrides
// the kind of a wrapped error.
func fault(format string, args ...any) error { return failure.Newf(failure.Bench, format, args...) }

// listen finds out whether it can listen at the address, and what to say of it to others.
func (c *Config) listen() (door.Address, error) {
	l, a, err := door.Door{Flag: "--listen", Listen: c.Listen, Name: c.Name}.Open()
	if err == nil {
		l.Close() // NATS opens it again
	}
	return a, err
}

// A Server is one that runs.
type Server struct {
	cfg   Config
	place lab.Place // as invitations say it
	at    lab.Place // of Config.NATS, as this machine reaches it
	cert  tls.Certificate
	keys  *keyring
	hub   *hub
	past  *past
	asked *nats.Subscription // about runs
	log   *natsLog
	nats  *natsd.Server
	nc    *nats.Conn // its own, in the process
	mail  *lab.Mailbox
	name  string // of the lab

	listen string // Config.Listen as it was given, perhaps with port 0; cfg has the port that was chosen
	open   atomic.Pointer[func(key string) (string, error)]

	release func()          // of the folder
	ctx     context.Context // ends with it
	stop    context.CancelFunc
	running crash.Group
	closing sync.Once
}

// Start starts a server, which runs until the context ends or it is closed; Close waits for its end in both cases. An
// error is the machine's or the user's: see failure.KindOf.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	cfg.fill()
	s := &Server{cfg: cfg, name: machine()}
	if err := s.prepare(); err != nil {
		s.Close()
		return nil, err
	}
	ctx, s.stop = context.WithCancel(ctx)
	s.ctx = ctx
	serve := s.serve
	if cfg.NATS != "" {
		serve = s.serveOutside
	}
	if err := serve(ctx); err != nil {
		s.Close()
		return nil, err
	}
	s.noteKeys()
	s.running.Go(func() { s.look(ctx) })
	s.running.Go(func() { s.past.work(ctx) })
	context.AfterFunc(ctx, s.Close)
	return s, nil
}

// prepare takes the folder and creates what is missing.
func (s *Server) prepare() error {
	if s.cfg.Data == "" {
		return failure.Usagef("a lab needs a folder for its data")
	}
	if err := os.MkdirAll(s.cfg.Data, 0o700); err != nil {
		return fault("the folder of the lab: %w", err)
	}
	release, err := take(s.cfg.Data)
	if err != nil {
		return err
	}
	s.release = release
	s.listen = s.cfg.Listen
	if err := s.locate(); err != nil {
		return err
	}
	if s.keys, err = newKeyring(s.cfg.Data); err != nil {
		return err
	}
	s.hub = newHub(s.cfg, s.keys.count())
	s.past = openPast(s.cfg, s.hub.tell)
	return nil
}

// locate settles where the lab is, and writes that into its folder and its first invitation.
func (s *Server) locate() error {
	if err := s.settle(); err != nil {
		return err
	}
	if err := writePlace(s.cfg.Data, s.place); err != nil {
		return err
	}
	return firstKey(s.cfg.Data, s.place)
}

// settle finds out where the lab is, and by which certificate it is known.
func (s *Server) settle() (err error) {
	if s.cfg.NATS != "" {
		if s.at, s.place, err = s.cfg.outside(); err == nil {
			s.cert, err = s.cfg.certificate(machine()) // of the page
		}
		return err
	}
	at, err := s.cfg.listen()
	if err != nil {
		return err
	}
	s.cfg.Listen = at.Listen
	if s.cert, err = s.cfg.certificate(at.Hosts[0]); err != nil {
		return err
	}
	s.place, err = lab.PlaceOf(at.Invite, s.fingerprints(at.Hosts))
	return err
}

// Address returns the server's address, as in invitations.
func (s *Server) Address() string { return s.place.String() }

// Listens returns the listening address, HOST:PORT.
func (s *Server) Listens() string { return s.cfg.Listen }

// Name returns the lab's name.
func (s *Server) Name() string { return s.name }

// Invited reports whether the first invitation is still in the folder.
func (s *Server) Invited() bool {
	_, err := os.Stat(InviteFile(s.cfg.Data))
	return err == nil
}

// Changed returns a channel that is closed when Boards, Hosts or Events change. Call it before reading them, to miss
// nothing.
func (s *Server) Changed() <-chan struct{} { return s.hub.change() }

// Boards returns the lab's boards, by name and then by host.
func (s *Server) Boards() lab.List { return s.hub.list() }

// Hosts returns the known hosts, by name.
func (s *Server) Hosts() []lab.Host { return s.hub.machines() }

// History returns the lab's history; nil if it cannot be opened.
func (s *Server) History() *history.History { return s.past.kept }

// Close ends it, and returns when all of it has ended. It may be called more than once.
func (s *Server) Close() {
	s.closing.Do(func() {
		if s.stop != nil {
			s.stop()
		}
		s.running.Wait()
		if s.asked != nil {
			_ = s.asked.Unsubscribe() // the connection ends next
		}
		if s.nc != nil {
			s.nc.Close()
		}
		if s.mail != nil {
			s.mail.Close()
		}
		if s.nats != nil {
			s.nats.Shutdown()
			s.nats.WaitForShutdown()
		}
		if s.release != nil {
			_ = os.Remove(countedFile(s.cfg.Data)) // nobody has to wait for this server
			s.release()
		}
	})
}

// look looks now and then at what nobody tells of: silence, and other keys.
func (s *Server) look(ctx context.Context) {
	tick := time.NewTicker(s.cfg.Look)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.hub.look()
			s.past.spool.look()
			s.lookAtKeys()
		}
	}
}

// machine returns this machine's name.
func machine() string {
	if name, err := os.Hostname(); err == nil && name != "" {
		return name
	}
	return "lab"
}
