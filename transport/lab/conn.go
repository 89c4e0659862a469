package lab

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// A Conn is a connection to a lab with an invitation. It reconnects by itself. Close it after use.
type Conn struct {
	Invitation *Invitation
	Tell       func(what string) (done func()) // is told that the host of a lease is silent
	nc         *nats.Conn
	mail       *Mailbox
}

// Dial connects to a lab. The error distinguishes a missing server, a wrong one, and a revoked invitation.
func Dial(ctx context.Context, inv *Invitation) (*Conn, error) {
	left := Patience
	if end, has := ctx.Deadline(); has {
		left = min(left, time.Until(end))
	}
	nc, err := inv.Connect(left, nats.CustomInboxPrefix("_INBOX."+inv.Name))
	if err != nil {
		return nil, inv.cannot(err)
	}
	mail, err := NewMailbox(nc, inv.Name)
	if err != nil {
		nc.Close()
		return nil, inv.cannot(err)
	}
	return &Conn{inv, func(string) func() { return func() {} }, nc, mail}, nil
}

// Connect connects with the invitation's key to its server, but only with the known certificate. It reconnects by
// itself. The error is NATS's, or ErrStranger.
func (i *Invitation) Connect(patience time.Duration, more ...nats.Option) (nc *nats.Conn, err error) {
	pair, err := i.key()
	if err != nil {
		return nil, err
	}
	public, err := pair.PublicKey()
	if err != nil {
		return nil, err
	}
	options := append([]nats.Option{nats.Nkey(public, pair.Sign), nats.Name(i.Name), nats.Timeout(patience),
		i.secure(), nats.MaxReconnects(-1), nats.ReconnectWait(Beat / 4), nats.ReconnectJitter(Beat/4, Beat/4),
		nats.IgnoreAuthErrorAbort(),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // unanswered requests report it
		nats.PingInterval(Silence / 4), nats.MaxPingsOutstanding(2)}, more...)
	for range tries {
		if nc, err = nats.Connect(i.Lab, options...); !cutOff(err) {
			break
		}
	}
	return nc, err
}

// tries is the number of attempts after cut connections: a server closes the connection of a rejected key at once,
// which may lose the reason.
const tries = 4

// cutOff reports whether an established connection ended.
func cutOff(err error) bool {
	var op *net.OpError
	return errors.Is(err, io.EOF) || errors.As(err, &op) && op.Op != "dial" && !op.Timeout()
}

// KeyRefused reports whether the server rejected the key.
func KeyRefused(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) ||
		errors.Is(err, nats.ErrAuthRevoked)
}

// secure identifies the server by the fingerprint of its certificate instead of a self-assigned name.
func (i *Invitation) secure() nats.Option {
	// VerifyConnection checks the identity
	return nats.Secure(&tls.Config{MinVersion: tls.VersionTLS13, InsecureSkipVerify: true,
		VerifyConnection: func(s tls.ConnectionState) error {
			if c := s.PeerCertificates; len(c) == 0 || Fingerprint(c[0]) != i.Fingerprint {
				return ErrStranger
			}
			return nil
		}})
}

// ErrStranger reports a server with another certificate than the invitation's.
var ErrStranger = errors.New("its certificate differs from the invitation's")

// Fingerprint returns a certificate's fingerprint, as in an Invitation.
func Fingerprint(c *x509.Certificate) string {
	sum := sha256.Sum256(c.Raw)
	return hex.EncodeToString(sum[:])
}

// cannot returns the error that explains why there is no connection.
func (i *Invitation) cannot(err error) error {
	switch {
	case errors.Is(err, ErrStranger):
		return fmt.Errorf("the lab at %s: %w, so this is another server, or it has a new certificate: ask for a new "+
			"invitation", i, err)
	case KeyRefused(err):
		return fmt.Errorf("the invitation of %s to the lab at %s was revoked: ask its operator for a new one, which "+
			"benchlab invite %[1]s makes there, with the --data of benchlab serve", i.Name, i)
	case cutOff(err):
		return fmt.Errorf("the lab at %s closes each connection without a reason (%w): its server is about to end, or "+
			"it rejects the key %q: try again, or ask for a new invitation", i, err, i.Name)
	}
	if errors.Is(err, nats.ErrNoServers) { // the words of a library, which add nothing
		return fmt.Errorf("no lab at %s: does benchlab serve run there, and is the network up?", i)
	}
	return fmt.Errorf("no lab at %s: %w: does benchlab serve run there, and is the network up?", i, err)
}

// Close closes the connection; requests in progress fail.
func (c *Conn) Close() {
	c.nc.Close()
	c.mail.Close()
}

// Request sends a request to a party, a host or [Server], and returns the answer.
func (c *Conn) Request(ctx context.Context, party, subject string, body []byte) (*nats.Msg, error) {
	return c.mail.Request(ctx, party, subject, body)
}

// Revoked returns an error if the server cut the connection because the key was revoked, else nil.
func (c *Conn) Revoked() error {
	if err := c.nc.LastError(); !c.nc.IsConnected() && errors.Is(err, nats.ErrAuthorization) {
		return c.Invitation.cannot(err)
	}
	return nil
}

// NATS returns the underlying connection, for a host.
func (c *Conn) NATS() *nats.Conn { return c.nc }

// Boards returns the lab's boards.
func (c *Conn) Boards(ctx context.Context) (*List, error) {
	var list List
	return &list, c.ask(ctx, Server, "lab."+c.Invitation.Name+".boards", nil, &list)
}

// Board finds a board by NAME or HOST/NAME. It waits briefly for the first one of a lab, since the server may just have
// restarted, and hosts report once per Beat.
func (c *Conn) Board(ctx context.Context, asked string) (*Board, error) {
	for end := time.Now().Add(moment + Beat/2); ; {
		list, err := c.Boards(ctx)
		if err != nil {
			return nil, err
		}
		if len(list.Boards) > 0 || time.Now().After(end) || sleep(ctx, Beat/4) != nil {
			return list.Find(asked)
		}
	}
}

// Hosts returns the known hosts, by name.
func (c *Conn) Hosts(ctx context.Context) ([]Host, error) {
	var hosts []Host
	err := c.ask(ctx, Server, "lab."+c.Invitation.Name+".hosts", nil, &hosts)
	return hosts, err
}

// Page requests the address of the lab's page for this key.
func (c *Conn) Page(ctx context.Context) (*Page, error) {
	var p Page
	return &p, c.ask(ctx, Server, "lab."+c.Invitation.Name+".page", nil, &p)
}

// Join asks with a host's first report whether it may join.
func (c *Conn) Join(ctx context.Context, r *Report) (*Welcome, error) {
	var w Welcome
	return &w, c.ask(ctx, Server, "is."+c.Invitation.Name, r, &w)
}

// Report publishes this host's boards and checks that the host's key is still its own: a *SeatError reports that
// another machine uses it. A missing answer is not an error, as the server may be away.
func (c *Conn) Report(ctx context.Context, r *Report) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, Beat)
	defer cancel()
	msg, err := c.Request(ctx, Server, "is."+c.Invitation.Name, text)
	if err != nil {
		return nil
	}
	return refusal(msg)
}

// Say publishes a report without waiting for the answer.
func (c *Conn) Say(r *Report) error {
	text, err := json.Marshal(r)
	if err == nil {
		err = c.nc.Publish("is."+c.Invitation.Name, text)
	}
	return err
}

// ask sends a request in JSON and decodes the answer. It retries briefly, since clients of a terminating NATS server
// move to another.
func (c *Conn) ask(ctx context.Context, party, subject string, request, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	end := time.Now().Add(moment)
	msg, err := c.Request(ctx, party, subject, text)
	for errors.Is(err, nats.ErrNoResponders) && time.Now().Before(end) && sleep(ctx, Beat/4) == nil {
		msg, err = c.Request(ctx, party, subject, text)
	}
	if err != nil {
		return c.unanswered(err)
	}
	if err := refusal(msg); err != nil {
		return err
	}
	return c.decode(msg.Data, answer)
}

func (c *Conn) decode(text []byte, answer any) error {
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("the lab at %s sent an invalid response: %w", c.Invitation, err)
	}
	return nil
}

// moment is the maximum time for a move from a terminating NATS server to another.
const moment = 2 * Beat

// refused is the header of an answer with the reason for a refusal.
const refused = "Refused"

// Refuse answers a request with the reason for its refusal. If the answer is lost, the client repeats the request.
func Refuse(m *nats.Msg, why error) {
	answer := nats.NewMsg(m.Reply)
	answer.Header.Set(refused, why.Error())
	if errors.As(why, new(*SeatError)) {
		answer.Header.Set(seat, "taken")
	}
	_ = m.RespondMsg(answer)
}

// refusal returns the reason for a refusal as an error for the user, or nil if the request succeeded.
func refusal(answer *nats.Msg) error {
	why := answer.Header.Get(refused)
	switch {
	case why == "":
		return nil
	case answer.Header.Get(seat) != "":
		return &SeatError{&refusedError{printable.Text(why)}}
	}
	return failure.Usage(&refusedError{printable.Text(why)})
}

// seat is the header of a refusal because another machine uses the host's key.
const seat = "Seat"

// A SeatError reports that another machine uses a host's key, which only one may do at a time.
type SeatError struct{ Why error }

func (e *SeatError) Error() string { return e.Why.Error() }

// Unwrap returns the server's reason.
func (e *SeatError) Unwrap() error { return e.Why }

// A refusedError is the reason for a refusal; a retry is useless.
type refusedError struct{ why string }

func (e *refusedError) Error() string { return e.why }

// Refused reports whether an error is an answer from the lab, so that other requests may succeed.
func Refused(err error) bool { return errors.As(err, new(*refusedError)) }

// unanswered returns the error for a missing answer.
func (c *Conn) unanswered(err error) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
		if !c.nc.IsConnected() {
			return fmt.Errorf("the connection to the lab at %s is cut: does its server run?", c.Invitation)
		}
		return fmt.Errorf("no answer for %s by way of the lab at %s", Patience, c.Invitation)
	case errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("the lab at %s: %w", c.Invitation, errNobody)
	}
	return err
}

// errNobody reports a subject without a responder: the host is gone, or NATS runs without the lab.
var errNobody = errors.New("nobody answers: does benchlab serve run?")
