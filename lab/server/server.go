// Package server is the core of a lab: it admits machines by their keys, carries their messages, and collects the
// hosts' reports. Decisions about a board are its host's.
//
// # Storage
//
// All files are in one folder, which one server at a time uses.
//
//	keys       the valid keys by name: only the public halves
//	invite     the first key's invitation, with its secret half; others are not stored
//	address    the server's address for invitations
//	tls.pem    the certificate and its key
//	history.db the runs that were handed in, in the format of package history, with history.db-runs
//	history-in uploads in progress; removed at each start
//
// The history has the format of every bench's history, so that all commands for runs work on it. A store of NATS's
// (JetStream) would have another format, and a key with write access could remove the runs of others.
//
// Host reports are kept in memory: after a restart hosts send them again within a second.
//
// # Promises
//
//   - A key speaks only in its own name, and hears only its own messages; see permissions.
//   - A revoked key is disconnected within two seconds, and cannot connect again.
//   - No report of a host can harm the others; see readReport.
//   - A run whose number was returned is in the history, with its recording, whatever fails; see past.
package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"os"
	"sync"
	"sync/atomic"
	"time"

	natsd "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"utfbench/internal/failure"
	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// Config configures a server. Only Data is required.
type Config struct {
	Data   string          // the folder, created if missing
	Listen string          // HOST:PORT; "" is DefaultListen, port 0 a free one
	Name   string          // HOST[:PORT] in invitations; "" is Listen's host, or this machine's
	Bench  string          // the program's version, for messages
	Tell   func(lab.Event) // receives each event, one at a time; may be nil
	Quota  int64           // bytes of recordings in the history; 0 is DefaultQuota

	Silent time.Duration // silence after which a host is gone; 0 is 4 s
	Seat   time.Duration // silence after which another machine may use its key; 0 is lab.Silence
	Forget time.Duration // silence after which it is forgotten; 0 is a day
	Look   time.Duration // interval of checks for silence and changed keys; 0 is half a second
	Idle   time.Duration // silence after which a partial upload is removed; 0 is a minute
}

// DefaultQuota has room for some thousand runs of all vectors.
const DefaultQuota = 2_000_000_000

// DefaultListen is reachable only from this machine.
const DefaultListen = "127.0.0.1:7060"

func (c *Config) fill() {
	for value, usual := range map[*time.Duration]time.Duration{
		&c.Silent: 4 * time.Second, &c.Seat: lab.Silence, &c.Forget: 24 * time.Hour, &c.Look: time.Second / 2,
		&c.Idle: time.Minute} {
		*value = cmp.Or(*value, usual)
	}
	c.Listen, c.Quota = cmp.Or(c.Listen, DefaultListen), cmp.Or(c.Quota, DefaultQuota)
	if c.Tell == nil {
		c.Tell = func(lab.Event) {}
	}
}

// fault marks an error of the machine, not of the request: a port in use, a folder that cannot be written. It overrides
// the kind of a wrapped error.
func fault(format string, args ...any) error { return failure.Newf(failure.Bench, format, args...) }

// listen checks that the address is free, and returns it with the addresses for other machines.
func (c *Config) listen() (lab.Address, error) {
	l, a, err := lab.Port{Flag: "--listen", Listen: c.Listen, Name: c.Name}.Open()
	if err == nil {
		l.Close() // NATS opens it again
	}
	return a, err
}

// A Server is a running server.
type Server struct {
	*hub
	cfg   Config
	place lab.Place // for invitations
	cert  tls.Certificate
	keys  *keyring
	past  *past
	log   *natsLog
	nats  *natsd.Server
	nc    *nats.Conn // in the process
	mail  *lab.Mailbox
	name  string // the lab's name

	listen string // Config.Listen as given, perhaps with port 0; cfg has the chosen port
	open   atomic.Pointer[func(key string) (string, error)]
	last   atomic.Pointer[func() map[string]*lab.Last]

	release func()          // releases the folder
	ctx     context.Context // ends with the server
	stop    context.CancelFunc
	running failure.Group
	closing sync.Once
}

// Start starts a server, which runs until the context ends or it is closed; in both cases Close waits for its end. The
// kind of an error, failure.KindOf, is the machine's or the user's.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	cfg.fill()
	s := &Server{cfg: cfg, name: machine()}
	if err := s.prepare(); err != nil {
		s.Close()
		return nil, err
	}
	ctx, s.stop = context.WithCancel(ctx)
	s.ctx = ctx
	if err := s.serve(ctx); err != nil {
		s.Close()
		return nil, err
	}
	s.running.Go(func() { s.look(ctx) })
	s.running.Go(func() { s.past.work(ctx) })
	context.AfterFunc(ctx, s.Close)
	return s, nil
}

// prepare takes the folder and creates missing files.
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
	s.keys.look = s.lookAtKeys
	s.hub = newHub(s.cfg, s.keys.count())
	if err := s.hub.loadSeats(); err != nil {
		s.hub.tell(lab.Event{What: "absent hosts are unknown: " + err.Error()})
	}
	s.past = openPast(s.cfg, s.hub.tell)
	return nil
}

// locate determines the lab's address, and writes it to the folder and the first invitation.
func (s *Server) locate() error {
	if err := s.settle(); err != nil {
		return err
	}
	if err := writePlace(s.cfg.Data, s.place); err != nil {
		return err
	}
	return firstKey(s.cfg.Data, s.place)
}

// settle determines the lab's address and its certificate.
func (s *Server) settle() (err error) {
	at, err := s.cfg.listen()
	if err != nil {
		return err
	}
	s.cfg.Listen = at.Listen
	if s.cert, err = s.cfg.certificate(at.Host); err != nil {
		return err
	}
	s.place = lab.Place{Lab: "tls://" + at.Invite, Fingerprint: lab.Fingerprint(s.cert.Leaf)}
	return nil
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

// History returns the lab's history; nil if it cannot be opened.
func (s *Server) History() *history.History { return s.past.kept }

// Close stops the server and waits for its end. It may be called more than once.
func (s *Server) Close() {
	s.closing.Do(func() {
		if s.stop != nil {
			s.stop()
		}
		s.running.Wait()
		if s.hub != nil {
			_ = s.hub.saveSeats() // it only helps a later server to list absent hosts
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
			s.release()
		}
	})
}

// look checks periodically for silent hosts and changed keys.
func (s *Server) look(ctx context.Context) {
	tick := time.NewTicker(s.cfg.Look)
	defer tick.Stop()
	save := time.NewTicker(saveEvery)
	defer save.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.hub.look()
			s.past.spool.look()
			s.lookAtKeys()
		case <-save.C:
			if err := s.hub.saveSeats(); err != nil {
				s.hub.trouble("", err)
			}
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
