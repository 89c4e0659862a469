package server

import (
	"bytes"
	"cmp"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/lab/door"
	"utfbench/transport/lab"
)

// ownFile returns the path of the secret key by which the lab connects to an external NATS server.
func ownFile(data string) string { return filepath.Join(data, "own") }

// natsPort is NATS's default port.
const natsPort = "4222"

// outside returns the addresses of the external NATS servers, and those for invitations.
func (c *Config) outside() (at, invited lab.Place, err error) {
	var known []string
	for _, file := range c.NATSCert {
		f, err := fingerprintOf(file)
		if err != nil {
			return at, invited, err
		}
		known = append(known, f)
	}
	addresses, port, err := c.servers()
	if err != nil {
		return at, invited, err
	}
	if at, err = lab.PlaceOf(addresses, known); err != nil || c.Name == "" {
		return at, at, err
	}
	if addresses, _, err = door.InvitedTo(c.Name, port); err != nil {
		return at, invited, err
	}
	invited, err = lab.PlaceOf(addresses, known)
	return at, invited, err
}

// servers returns the NATS servers, HOST:PORT, and the port of the first.
func (c *Config) servers() (all []string, port string, err error) {
	for address := range strings.SplitSeq(c.NATS, ",") {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "tls" || u.Hostname() == "" || u.User != nil || u.Path != "" {
			return nil, "", failure.Usagef("--nats %q: it has to be tls://HOST:PORT, a NATS server with TLS, "+
				"or several separated by commas", address)
		}
		at, _, err := door.Reached(u.Hostname(), cmp.Or(u.Port(), natsPort))
		if err != nil {
			return nil, "", err
		}
		all, port = append(all, at), cmp.Or(port, u.Port(), natsPort)
	}
	return all, port, nil
}

// fingerprintOf returns the fingerprint of a certificate file.
func fingerprintOf(path string) (string, error) {
	text, err := kindCertificate.Read(path)
	if err != nil {
		return "", failure.Usagef("--nats-cert: %w", err)
	}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return "", failure.Usagef("--nats-cert %s: %w", path, err)
		}
		return lab.Fingerprint(c), nil
	}
	return "", failure.Usagef("--nats-cert %s: it has no certificate: it has to be the PEM file that the NATS "+
		"server uses",
		path)
}

var kindCertificate = files.Kind{Name: "a certificate in PEM", Limit: 1 << 20}

// ownKey returns the lab's own key, which is created on first use.
func ownKey(data string) (nkeys.KeyPair, error) {
	release, err := lockSoon(filepath.Join(data, "keys.lock"))
	if err != nil {
		return nil, err
	}
	defer release()
	text, err := kindOwn.Read(ownFile(data))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return makeOwnKey(data)
	case err != nil:
		return nil, fault("the lab's own key: %w", err)
	}
	own, err := nkeys.FromSeed(bytes.TrimSpace(text))
	if err == nil {
		_, err = own.PublicKey()
	}
	if err != nil {
		return nil, failure.Usagef("%s is not a key (%w): restore it from a copy, or remove it and give the NATS "+
			"server the new output of benchlab keys", ownFile(data), err)
	}
	return own, nil
}

var kindOwn = files.Kind{Name: "the key of a lab", Limit: 1 << 10}

func makeOwnKey(data string) (nkeys.KeyPair, error) {
	own, err := nkeys.CreateUser()
	if err != nil {
		return nil, fault("making a key: %w", err)
	}
	seed, err := own.Seed()
	if err == nil {
		err = files.Write(ownFile(data), append(seed, '\n'), files.Private)
	}
	if err != nil {
		return nil, fault("the lab's own key: %w", err)
	}
	return own, nil
}

// connect connects to the external NATS server.
func (s *Server) connect() error {
	own, err := ownKey(s.cfg.Data)
	if err != nil {
		return err
	}
	seed, err := own.Seed()
	if err != nil {
		return fault("the lab's own key: %w", err)
	}
	as := lab.Invitation{Place: s.at, Name: "lab", Seed: string(seed)}
	s.nc, err = as.Connect(lab.Patience, nats.DisconnectErrHandler(s.cut), nats.ReconnectHandler(s.again))
	switch {
	case errors.Is(err, lab.ErrStranger):
		return fault("the NATS server at %s: its certificate differs from --nats-cert %s", &s.at,
			strings.Join(s.cfg.NATSCert, " and "))
	case lab.KeyRefused(err):
		return fault("the NATS server at %s rejects the lab's own key: include the output of benchlab keys --data "+
			"%s in its configuration, and reload it", &s.at, s.cfg.Data)
	case err != nil:
		return fault("no NATS server at %s: %w: is it running, with TLS, and is the network up?", &s.at, err)
	}
	return nil
}

// cut publishes the loss of the connection.
func (s *Server) cut(nc *nats.Conn, err error) {
	if nc.IsClosed() {
		return
	}
	why := "it ended"
	if err != nil {
		why = err.Error()
	}
	s.hub.tell(lab.Event{What: fmt.Sprintf("the connection to NATS is cut (%s), and is made again as soon as the "+
		"server at %s, or another of its cluster, responds", why, &s.at)})
}

// again publishes a reconnection and its address: a cluster has several servers.
func (s *Server) again(nc *nats.Conn) {
	s.hub.tell(lab.Event{What: "connected again, to the NATS server at " + nc.ConnectedUrlRedacted()})
}

// mayHear returns an error if the lab's own key lacks a permission to subscribe. Call it after subscribing.
func (s *Server) mayHear() error {
	if err := s.nc.LastError(); errors.Is(err, nats.ErrPermissionViolation) {
		return fault("the NATS server at %s does not permit the lab's own key to receive reports (%w): include the "+
			"unchanged output of benchlab keys --data %s in its configuration, and reload it", &s.at, err,
			s.cfg.Data)
	}
	return nil
}

// tellKeys publishes what the administrator must do after a change of keys.
func (s *Server) tellKeys() {
	if s.cfg.NATS != "" {
		s.hub.tell(lab.Event{What: "the NATS server at " + s.at.String() + " applies that once it has the new " +
			"output of benchlab keys and was reloaded"})
	}
}

// stranger rejects a revoked or unknown key that an external NATS server admits.
func (s *Server) stranger(key string) error {
	if s.cfg.NATS == "" || s.hub.key(key) != "" {
		return nil
	}
	return fmt.Errorf("the lab has no key %s: it was revoked; the NATS server needs the new output of benchlab "+
		"keys, and a reload", key)
}

// ClusterKeys returns a lab's keys and permissions for an external NATS server: a list of users to include in an
// account or in authorization. The lab may be down.
func ClusterKeys(data string) ([]byte, error) {
	keys, err := ReadKeys(data)
	if err != nil {
		return nil, err
	}
	pair, err := ownKey(data)
	if err != nil {
		return nil, err
	}
	own, err := pair.PublicKey()
	if err != nil {
		return nil, fault("the lab's own key: %w", err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The keys of a lab, by benchlab keys, %s. Include this file in an account or in\n"+
		"# authorization of each server of NATS, and reload them whenever a key is invited or revoked.\nusers: [\n",
		time.Now().UTC().Format(time.DateOnly))
	fmt.Fprintf(&b, "  # the lab itself\n  { nkey: %s }\n", own)
	for _, key := range keys {
		may := permissions(key.Name)
		fmt.Fprintf(&b, "  # %s\n  { nkey: %s, permissions: { publish: { allow: %s }, subscribe: { allow: %s } } }\n",
			key.Name, key.Public, list(may.Publish.Allow), list(may.Subscribe.Allow))
	}
	b.WriteString("]\n")
	return b.Bytes(), nil
}

// list formats subjects for the NATS configuration.
func list(subjects []string) string {
	var quoted []string
	for _, s := range subjects {
		quoted = append(quoted, fmt.Sprintf("%q", s))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// serveOutside serves through an external NATS server.
func (s *Server) serveOutside(ctx context.Context) error {
	if err := s.connect(); err != nil {
		return err
	}
	if err := s.answer(ctx); err != nil {
		return err
	}
	return s.mayHear()
}
