package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	natsd "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/transport/lab"
)

const (
	maxMessage = 4 << 20 // bytes: fits a list of all boards, and is the maximum of transport/remote
	readyAfter = 30 * time.Second
	portTries  = 3 // attempts with other ports for port 0
)

func (s *Server) serve(ctx context.Context) error {
	own, err := nkeys.CreateUser() // new at each start, and only in memory
	if err != nil {
		return fault("making a key: %w", err)
	}
	public, err := own.PublicKey()
	if err != nil {
		return fault("making a key: %w", err)
	}
	s.keys.own = public
	if err := s.startNATS(); err != nil {
		return err
	}
	s.nc, err = nats.Connect("", nats.InProcessServer(s.nats), nats.Nkey(public, own.Sign), nats.Name("lab"),
		nats.MaxReconnects(-1), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		return fault("the lab cannot connect to itself: %w", err)
	}
	return s.answer(ctx)
}

// startNATS starts NATS at the configured address. For port 0 another process may take the chosen port before NATS
// opens it; another port is then tried.
func (s *Server) startNATS() error {
	err := s.tryNATS()
	for range portTries {
		if _, port, _ := net.SplitHostPort(s.listen); port != "0" || !errors.As(err, new(startError)) {
			return err
		}
		s.nats.Shutdown()
		s.cfg.Listen = s.listen
		if err := s.locate(); err != nil {
			return err
		}
		err = s.tryNATS()
	}
	return err
}

// tryNATS starts NATS and waits until clients can connect.
func (s *Server) tryNATS() (err error) {
	s.log = &natsLog{tell: s.hub.tell, fatal: make(chan error, 1), seldom: seldom{every: time.Minute}}
	if s.nats, err = natsd.NewServer(s.options()); err != nil {
		return fault("the lab cannot start: %w", err)
	}
	s.nats.SetLoggerV2(s.log, false, false, false)
	failure.Go(s.nats.Start)
	return s.ready()
}

// A startError prevents NATS from starting, such as a port in use.
type startError struct{ error }

// ready waits until clients can connect.
func (s *Server) ready() error {
	for end := time.Now().Add(readyAfter); time.Now().Before(end); {
		if s.nats.ReadyForConnections(100 * time.Millisecond) {
			return nil
		}
		select {
		case err := <-s.log.fatal:
			return fault("the lab cannot start: %w", startError{err})
		default:
		}
	}
	return fault("the lab did not start within %s", readyAfter)
}

func (s *Server) options() *natsd.Options {
	host, port, _ := net.SplitHostPort(s.cfg.Listen) // joined by door
	number, _ := strconv.Atoi(port)
	o := &natsd.Options{Host: host, Port: number, NoSigs: true,
		CustomClientAuthentication: s.keys, AlwaysEnableNonce: true, // signed by clients to prove a key
		TLS: true, TLSTimeout: 10, AuthTimeout: 20, MaxPayload: maxMessage, // seconds; a small machine starts slowly
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{s.cert}}}
	o.Cluster.NoAdvertise = true // this machine's other addresses are private
	return o
}

// permissions returns what a key may publish and receive; package transport/lab defines the subjects. It may only
// receive orders (do.>), which the server sends. It may respond only on subjects that name it as the responder. NATS's
// allow_responses would be simpler but insecure: the requester chooses the reply subject, so a key could query itself
// and respond as another.
func permissions(key string) *natsd.Permissions {
	return &natsd.Permissions{
		Publish: &natsd.SubjectPermission{
			Allow: []string{"use." + key + ".>", "is." + key, "lab." + key + ".>", lab.AnswersOf(key)}},
		Subscribe: &natsd.SubjectPermission{
			Allow: []string{"use.*." + key + ".>", lab.OrderSubject(key, ">"), lab.InboxOf(key) + ">"}},
	}
}

// natsLog receives NATS's log and drops most of it.
type natsLog struct {
	tell   func(...lab.Event)
	fatal  chan error
	seldom seldom
}

// Noticef drops a message, like Warnf, Debugf and Tracef: they concern NATS itself.
func (*natsLog) Noticef(string, ...any) {}

// Warnf drops a message.
func (*natsLog) Warnf(string, ...any) {}

// Debugf drops a message.
func (*natsLog) Debugf(string, ...any) {}

// Tracef drops a message.
func (*natsLog) Tracef(string, ...any) {}

// stranger matches NATS's message about a connection with an invalid key: its address.
var stranger = printable.Regexp(`(?i)^\[?([0-9a-fA-F.:\]]+):\d+ - .*authentication error`)

// Errorf publishes connections with invalid keys, at a limited rate, and ignores errors that the other end reports.
func (l *natsLog) Errorf(format string, args ...any) {
	if from := stranger().FindStringSubmatch(fmt.Sprintf(format, args...)); from != nil && l.seldom.now() {
		l.tell(lab.Event{What: "refused an unknown or revoked key from " + strings.TrimSuffix(from[1], "]")})
	}
}

// Fatalf stores the reason why NATS does not start. NATS does not call it later.
func (l *natsLog) Fatalf(format string, args ...any) {
	select {
	case l.fatal <- fmt.Errorf(format, args...):
	default:
	}
}
