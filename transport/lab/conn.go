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
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// A Conn is a connection to a lab by an invitation. It connects again by itself when it was cut. Close it.
type Conn struct {
	Invitation *Invitation
	nc         *nats.Conn
	mail       *Mailbox
}

// Dial connects. The error says whether nobody is there, somebody else is, or the invitation counts no more.
func Dial(ctx context.Context, inv *Invitation) (*Conn, error) {
	left := Patience
	if end, has := ctx.Deadline(); has {
		left = min(left, time.Until(end))
	}
	nc, err := inv.connectSoon(ctx, left)
	if err != nil {
		return nil, inv.cannot(err)
	}
	mail, err := NewMailbox(nc, inv.Name)
	if err != nil {
		nc.Close()
		return nil, inv.cannot(err)
	}
	return &Conn{inv, nc, mail}, nil
}

// fresh is how long a server may take to count a key that was just made.
const fresh = 3 * time.Second

// connectSoon is Connect by a key that the server may not count yet.
func (i *Invitation) connectSoon(ctx context.Context, patience time.Duration) (nc *nats.Conn, err error) {
	for end := time.Now().Add(fresh); ; {
		nc, err = i.Connect(patience, nats.CustomInboxPrefix("_INBOX."+i.Name))
		if !KeyRefused(err) || time.Now().After(end) || sleep(ctx, Beat/4) != nil {
			return nc, err
		}
	}
}

// Connect connects by the invitation's key to a server that it names, or another of its cluster, and to none that has
// another certificate. The connection is made again by itself when it was cut, by any of them. The error is that of
// NATS, or ErrStranger.
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
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // requests without an answer tell of it
		nats.PingInterval(Silence / 4), nats.MaxPingsOutstanding(2)}, more...)
	for range tries {
		if nc, err = i.connect(options); !cutOff(err) {
			break
		}
	}
	return nc, err
}

// connect tries all addresses. What one of them said may be lost if another is not there (nats.ErrNoServers), so then
// each is asked alone.
func (i *Invitation) connect(options []nats.Option) (*nats.Conn, error) {
	all := strings.Join(i.Addresses(), ",")
	nc, err := nats.Connect(all, options...)
	if !errors.Is(err, nats.ErrNoServers) {
		return nc, err
	}
	for _, at := range i.Addresses() {
		one, said := nats.Connect(at, append(slices.Clip(options), nats.IgnoreDiscoveredServers())...)
		switch {
		case said == nil: // it has just come
			one.Close()
			return nats.Connect(all, options...)
		case !errors.Is(said, nats.ErrNoServers):
			return nil, said
		}
	}
	return nil, err
}

// tries is how often a connection is tried that the other end cuts: a server that does not take a key closes it at
// once, and what it said of that may be lost with it.
const tries = 4

// cutOff says whether a connection ended that there was.
func cutOff(err error) bool {
	var op *net.OpError
	return errors.Is(err, io.EOF) || errors.As(err, &op) && op.Op != "dial" && !op.Timeout()
}

// KeyRefused says whether the error of Connect is that the server does not take the key.
func KeyRefused(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) ||
		errors.Is(err, nats.ErrAuthRevoked)
}

// secure takes the server by the fingerprint of its certificate, which says more than a name that it gave itself.
func (i *Invitation) secure() nats.Option {
	if i.Fingerprint == "" {
		return nats.Secure()
	}
	// who it is, VerifyConnection asks
	return nats.Secure(&tls.Config{MinVersion: tls.VersionTLS13, InsecureSkipVerify: true,
		VerifyConnection: func(s tls.ConnectionState) error {
			if c := s.PeerCertificates; len(c) == 0 || !i.believes(Fingerprint(c[0])) {
				return ErrStranger
			}
			return nil
		}})
}

// ErrStranger is that of a server that is not the one that was meant.
var ErrStranger = errors.New("its certificate is another than the invitation's")

// Fingerprint is that of a certificate, as in an Invitation.
func Fingerprint(c *x509.Certificate) string {
	sum := sha256.Sum256(c.Raw)
	return hex.EncodeToString(sum[:])
}

// cannot says why there is no connection.
func (i *Invitation) cannot(err error) error {
	switch {
	case errors.Is(err, ErrStranger):
		return fmt.Errorf("the lab at %s: %w, so this is another server, or it has a new certificate: ask for a new "+
			"invitation", i, err)
	case KeyRefused(err):
		return fmt.Errorf("the lab at %s does not take the key %q: it was revoked, or it is of another lab: ask for "+
			"a new invitation", i, i.Name)
	case cutOff(err):
		return fmt.Errorf("the lab at %s ends each connection without a word (%w): its server is about to end, or "+
			"it does not take the key %q: try again, or ask for a new invitation", i, err, i.Name)
	}
	return fmt.Errorf("no lab at %s: %w: does benchlab serve run there, and is the network up?", i, err)
}

// Close ends the connection; what waits for an answer gets an error.
func (c *Conn) Close() {
	c.nc.Close()
	c.mail.Close()
}

// Request sends a request that a party, a host or [Server], is to answer, and returns the answer.
func (c *Conn) Request(ctx context.Context, party, subject string, body []byte) (*nats.Msg, error) {
	return c.mail.Request(ctx, party, subject, body)
}

// Revoked is the error of a connection that the lab's server cut since it takes the key no more; nil for any other.
func (c *Conn) Revoked() error {
	if err := c.nc.LastError(); !c.nc.IsConnected() && errors.Is(err, nats.ErrAuthorization) {
		return c.Invitation.cannot(err)
	}
	return nil
}

// NATS is the connection itself, for a host.
func (c *Conn) NATS() *nats.Conn { return c.nc }

// Limit is how long a message can be, in bytes.
func (c *Conn) Limit() int { return int(c.nc.MaxPayload()) }

// Boards are those of the lab.
func (c *Conn) Boards(ctx context.Context) (*List, error) {
	var list List
	return &list, c.ask(ctx, Server, "lab."+c.Invitation.Name+".boards", nil, &list)
}

// Board finds the board that a user means by NAME or HOST/NAME. One that is not there is looked for again for a moment:
// the server or the host may have been started again, and hosts say each Beat what they have.
func (c *Conn) Board(ctx context.Context, asked string) (*Board, error) {
	for end := time.Now().Add(moment + Beat/2); ; {
		list, err := c.Boards(ctx)
		if err != nil {
			return nil, err
		}
		b, err := list.Find(asked)
		if !errors.As(err, new(*MissingError)) || time.Now().After(end) || sleep(ctx, Beat/4) != nil {
			return b, err
		}
	}
}

// Hosts are the machines that its server heard, by name.
func (c *Conn) Hosts(ctx context.Context) ([]Host, error) {
	var hosts []Host
	err := c.ask(ctx, Server, "lab."+c.Invitation.Name+".hosts", nil, &hosts)
	return hosts, err
}

// Page asks for the lab's page, to be read in the name of this key.
func (c *Conn) Page(ctx context.Context) (*Page, error) {
	var p Page
	return &p, c.ask(ctx, Server, "lab."+c.Invitation.Name+".page", nil, &p)
}

// Join asks whether a host may.
func (c *Conn) Join(ctx context.Context, r *Report) (*Welcome, error) {
	var w Welcome
	return &w, c.ask(ctx, Server, "lab."+c.Invitation.Name+".join", r, &w)
}

// Report says what the boards of this host are, and hears whether it is still the one that the lab takes: a *SeatError
// says that another machine has its place. No answer is no error: the server may be away, or older.
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

// Say is Report without an answer.
func (c *Conn) Say(r *Report) error {
	text, err := json.Marshal(r)
	if err == nil {
		err = c.nc.Publish("is."+c.Invitation.Name, text)
	}
	return err
}

// ask sends a request in JSON and reads the answer. Where nobody answers it asks again for a moment: who was connected
// to a server of NATS that has just ended goes to another.
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
	if err := json.Unmarshal(msg.Data, answer); err != nil {
		return fmt.Errorf("the lab at %s sent an invalid response: %w", c.Invitation, err)
	}
	return nil
}

// moment is how long it takes at most to come from a server of NATS that ends to another.
const moment = 2 * Beat

// refused is the header of an answer that says why a request was not done.
const refused = "Refused"

// Refuse answers a request by the reason why it is not done. Whoever does not get it asks again.
func Refuse(m *nats.Msg, why error) {
	answer := nats.NewMsg(m.Reply)
	answer.Header.Set(refused, why.Error())
	if errors.As(why, new(*SeatError)) {
		answer.Header.Set(seat, "taken")
	}
	_ = m.RespondMsg(answer)
}

// refusal is the reason in an answer, which is for the user to judge; nil where the request was done.
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

// seat is the header of a refusal since another machine is this host.
const seat = "Seat"

// A SeatError is that another machine is the host of a key: one at a time is.
type SeatError struct{ Why error }

func (e *SeatError) Error() string { return e.Why.Error() }

// Unwrap returns what the server said.
func (e *SeatError) Unwrap() error { return e.Why }

// A refusedError is why a request was not done: to ask again does not help.
type refusedError struct{ why string }

func (e *refusedError) Error() string { return e.why }

// Refused says whether an error is what somebody in the lab answered, who so can be asked other things.
func Refused(err error) bool { return errors.As(err, new(*refusedError)) }

// unanswered says why there was no answer.
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

// errNobody is a subject that nobody answers on: the host is not there, or NATS is and the lab is not.
var errNobody = errors.New("nobody answers: does benchlab serve run?")
