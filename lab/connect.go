package lab

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// The roles of a key.
const (
	HostRole, UserRole = "host", "user"
)

// A Credential gives a machine access to a lab. An invitation is a credential that can be exchanged for a key once.
type Credential struct {
	Lab         string `json:"lab"`         // tls://HOST:PORT
	Fingerprint string `json:"fingerprint"` // of the server's certificate
	Name        string `json:"name"`        // of the key
	Role        string `json:"role"`
	Invitation  bool   `json:"invitation,omitempty"`
	Seed        string `json:"seed"` // of the key, as nkeys encodes it
}

var kindCredential = files.Kind{Name: "a lab's invitation or key", Limit: 4 << 10}

// ReadCredential reads an invitation or a key.
func ReadCredential(path string) (*Credential, error) {
	text, err := kindCredential.Read(path)
	if err != nil {
		return nil, failure.Usage(err)
	}
	var c Credential
	if err := Decode(text, &c); err != nil || c.Lab == "" {
		return nil, failure.Usagef("%s is neither an invitation nor a key of a lab: benchlab invite writes invitations",
			path)
	}
	return &c, CheckName("the key's name", c.Name)
}

// Write writes the credential to a file that only its user can read.
func (c *Credential) Write(path string) error {
	return failure.New(failure.Bench, files.Write(path, Encode(c), files.Private))
}

// NewKey returns the seed and the public half of a new key.
func NewKey() (seed, public string, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", "", err
	}
	text, serr := pair.Seed()
	public, perr := pair.PublicKey()
	return string(text), public, cmp.Or(serr, perr)
}

// EnrolSubject returns the subject on which an invitation is exchanged for a key.
func EnrolSubject(name string) string { return "enrol." + name }

// Enrol exchanges an invitation for a key that this machine generates. The invitation is then no longer valid.
func Enrol(ctx context.Context, inv *Credential) (*Credential, error) {
	if !inv.Invitation {
		return nil, failure.Usagef("it is a key, and no invitation: give it as --creds")
	}
	nc, err := Dial(ctx, inv)
	if err != nil {
		return nil, err
	}
	defer nc.Close()
	own := *inv
	own.Invitation = false
	var public string
	if own.Seed, public, err = NewKey(); err != nil {
		return nil, err
	}
	reply, err := nc.RequestWithContext(ctx, EnrolSubject(inv.Name), []byte(public))
	if err != nil { // the server closes the invitation's connection, perhaps before the answer
		again, derr := Dial(ctx, &own)
		if derr != nil {
			return nil, fmt.Errorf("the lab did not take the invitation: %w", Explain(err))
		}
		again.Close()
	} else if why := string(reply.Data); why != "" {
		return nil, failure.Usagef("the lab refuses the invitation of %s: %s", inv.Name, why)
	}
	return &own, nil
}

// ErrWrongCertificate reports a server with a certificate other than the credential's.
var ErrWrongCertificate = errors.New("its certificate differs from the invitation's")

// Dial connects with a credential, only to the server whose certificate it names. It reconnects automatically.
func Dial(ctx context.Context, c *Credential) (*nats.Conn, error) {
	pair, err := nkeys.FromSeed([]byte(c.Seed))
	if err != nil {
		return nil, failure.Usagef("the key of %s: %w", c.Name, err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		return nil, failure.Usagef("the key of %s: %w", c.Name, err)
	}
	nc, err := nats.Connect(c.Lab, append(common(c.Name), nats.Nkey(public, pair.Sign), secure(c.Fingerprint))...)
	if err != nil {
		return nil, c.explain(err)
	}
	return nc, nil
}

// DialNATS connects to the user's own NATS server, with a credentials file unless creds is "".
func DialNATS(url, creds, name string) (*nats.Conn, error) {
	options := common(name)
	if creds != "" {
		options = append(options, nats.UserCredentials(creds))
	}
	nc, err := nats.Connect(url, options...)
	if err != nil {
		return nil, failure.Newf(failure.Bench, "--nats %s: %w", url, err)
	}
	return nc, nil
}

// common returns the options of every connection.
func common(name string) []nats.Option {
	return []nats.Option{nats.Name(name), nats.Timeout(10 * time.Second), nats.CustomInboxPrefix("_INBOX." + name),
		nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.ReconnectJitter(time.Second, time.Second),
		nats.PingInterval(BeatTimeout / 2), nats.MaxPingsOutstanding(2),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})} // callers get these errors, too
}

// secure identifies the server by its certificate's fingerprint instead of a name.
func secure(fingerprint string) nats.Option {
	return nats.Secure(&tls.Config{MinVersion: tls.VersionTLS13, InsecureSkipVerify: true,
		VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
			if len(raw) == 0 || Digest(raw[0]) != fingerprint {
				return ErrWrongCertificate
			}
			return nil
		}})
}

// explain describes why a connection failed.
func (c *Credential) explain(err error) error {
	switch {
	case errors.Is(err, ErrWrongCertificate):
		return failure.Newf(failure.Bench, "%s is another server than that of the invitation: %w", c.Lab, err)
	case errors.Is(err, nats.ErrAuthorization), strings.Contains(err.Error(), "EOF"),
		strings.Contains(err.Error(), "reset by peer"):
		if c.Invitation {
			return failure.Usagef("the lab refuses the invitation of %s: it was used, has expired, or was revoked; "+
				"have another one made by benchlab invite", c.Name)
		}
		return failure.Usagef("the lab refuses the key of %s: it was revoked; a new invitation makes another", c.Name)
	}
	return failure.Newf(failure.Bench, "the lab at %s cannot be reached: %w", c.Lab, err)
}
