// Package server serves a lab with an embedded NATS server and JetStream. The first start creates its certificate and
// keys.
//
// A client proves possession of its key by signing a nonce, and gets the permissions of its role (keys.go). When
// benchlab invite or revoke changes the file of keys, the server reads it again and disconnects removed keys.
package server

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	natsd "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/lab"
)

// A Config configures a server.
type Config struct {
	DataDir string // the folder of keys, certificate and JetStream
	Listen  string // HOST:PORT
	Name    string // the server's host name in invitations; "" means Listen's host
	Sizes   lab.Sizes
	OnEvent func(string) // receives events; several goroutines may call it at once
}

// A Server serves a lab. The caller must close it.
type Server struct {
	cfg     Config
	nats    *natsd.Server
	conn    *nats.Conn
	stopped context.CancelFunc
	done    failure.Group

	mu   sync.Mutex
	keys []Key
	seen os.FileInfo
}

const (
	readyAfter = 30 * time.Second
	lookEvery  = 300 * time.Millisecond // interval of checks of the keys' file
	othersSize = 3 << 30                // bytes for jobs, blocks, results and hashes
)

// Start serves a lab until Close. The error reports bad input or why the server cannot start.
func Start(ctx context.Context, cfg Config) (s *Server, err error) {
	s = &Server{cfg: cfg}
	if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
		return nil, failure.Usagef("--data: %w", err)
	}
	cert, err := certificate(cfg.DataDir)
	if err != nil {
		return nil, failure.Newf(failure.Bench, "the lab's certificate: %w", err)
	}
	s.look()
	if err = s.listen(cert); err == nil {
		err = s.open(ctx, cert)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// listen starts NATS.
func (s *Server) listen(cert tls.Certificate) error {
	host, port, err := net.SplitHostPort(s.cfg.Listen)
	number, perr := strconv.Atoi(port)
	if err != nil || perr != nil {
		return failure.Usagef("--listen %q: has to be HOST:PORT", s.cfg.Listen)
	}
	if number == 0 {
		number = natsd.RANDOM_PORT
	} else if l, err := net.Listen("tcp", s.cfg.Listen); err != nil {
		return failure.Newf(failure.Bench, "--listen: %w", err)
	} else {
		l.Close()
	}
	o := &natsd.Options{Host: host, Port: number, NoSigs: true, NoLog: true,
		CustomClientAuthentication: s, AlwaysEnableNonce: true, TLS: true, TLSTimeout: 10, AuthTimeout: 20,
		JetStream: true, StoreDir: filepath.Join(s.cfg.DataDir, "jetstream"),
		JetStreamMaxStore: s.cfg.Sizes.Recordings + s.cfg.Sizes.Inputs + othersSize,
		TLSConfig:         &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{cert}}}
	o.Cluster.NoAdvertise = true // do not reveal this machine's other addresses
	if s.nats, err = natsd.NewServer(o); err != nil {
		return failure.Newf(failure.Bench, "the lab cannot start: %w", err)
	}
	failure.Go(s.nats.Start)
	if !s.nats.ReadyForConnections(readyAfter) {
		return failure.Newf(failure.Bench, "the lab did not start within %s", readyAfter)
	}
	return nil
}

// open creates streams and buckets, writes the address for invitations, and accepts enrolments.
func (s *Server) open(ctx context.Context, cert tls.Certificate) (err error) {
	s.conn, err = nats.Connect("", nats.InProcessServer(s.nats), nats.Name("lab"), nats.MaxReconnects(-1),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		return failure.Newf(failure.Bench, "the lab cannot connect to itself: %w", err)
	}
	if err := lab.Create(ctx, s.conn, s.cfg.Sizes); err != nil {
		return failure.Newf(failure.Bench, "the lab cannot make %w", err)
	}
	place := lab.Credential{Lab: "tls://" + s.Address(), Fingerprint: lab.Digest(cert.Certificate[0])}
	if err := files.Write(placeFile(s.cfg.DataDir), lab.Encode(place), files.Private); err != nil {
		return failure.New(failure.Bench, err)
	}
	_, err = s.conn.Subscribe(lab.EnrolSubject("*"), func(m *nats.Msg) {
		name, why := m.Subject[len(lab.EnrolSubject("")):], ""
		if err := enrol(s.cfg.DataDir, name, string(m.Data)); err != nil {
			why = err.Error()
		} else {
			s.cfg.OnEvent("the invitation of " + name + " was used")
		}
		_ = m.Respond([]byte(why)) // the client retries
		s.look()
	})
	if err != nil {
		return failure.New(failure.Bench, err)
	}
	var watch context.Context
	watch, s.stopped = context.WithCancel(context.Background())
	s.done.Go(func() {
		for lab.Sleep(watch, lookEvery) {
			s.look()
		}
	})
	return nil
}

// Address returns HOST:PORT for invitations.
func (s *Server) Address() string {
	host, _, _ := net.SplitHostPort(s.cfg.Listen)
	_, port, _ := net.SplitHostPort(s.nats.Addr().String())
	return net.JoinHostPort(cmp.Or(s.cfg.Name, host), port)
}

// Close stops the server. Hosts and users wait until it is started again.
func (s *Server) Close() {
	if s.stopped != nil {
		s.stopped()
		s.done.Wait()
	}
	if s.conn != nil {
		s.conn.Close()
	}
	if s.nats != nil {
		s.nats.Shutdown()
		s.nats.WaitForShutdown()
	}
}

// Check implements natsd.Authentication. It admits a client that has signed NATS's nonce with a key of the lab. The
// lab's own connection, a pipe in this process, has all permissions.
func (s *Server) Check(c natsd.ClientAuthentication) bool {
	if from := c.RemoteAddress(); from != nil && from.Network() == "pipe" {
		c.RegisterUser(new(natsd.User))
		return true
	}
	s.look()
	said, nonce := c.GetOpts(), c.GetNonce()
	may, known := s.may(said.Nkey)
	signature, err := base64.RawURLEncoding.DecodeString(said.Sig)
	if !known || len(nonce) == 0 || err != nil {
		return false
	}
	key, err := nkeys.FromPublicKey(said.Nkey)
	if err != nil || key.Verify(nonce, signature) != nil {
		return false
	}
	c.RegisterUser(&natsd.User{Permissions: may})
	return true
}

// may returns the permissions of the key with the given public half.
func (s *Server) may(public string) (may *natsd.Permissions, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.keys {
		if k := &s.keys[i]; k.Public == public && !k.expired() {
			return permissions(k), true
		}
	}
	return nil, false
}

// look reads the keys if their file has changed, and closes the connections of removed keys.
func (s *Server) look() {
	info, err := os.Stat(keysFile(s.cfg.DataDir))
	if err != nil {
		return
	}
	s.mu.Lock()
	same := s.seen != nil && os.SameFile(info, s.seen) && info.ModTime().Equal(s.seen.ModTime()) &&
		info.Size() == s.seen.Size()
	if !same {
		keys, err := ReadKeys(s.cfg.DataDir)
		if err != nil {
			s.cfg.OnEvent(fmt.Sprintf("the keys are as before, since their file cannot be read: %v", err))
		} else {
			s.keys = keys
		}
		s.seen = info
	}
	s.mu.Unlock()
	if !same && s.nats != nil {
		s.cutOff()
	}
}

// cutOff closes the connections of removed keys.
func (s *Server) cutOff() {
	all, err := s.nats.Connz(&natsd.ConnzOptions{Username: true, Limit: 1 << 20})
	if err != nil {
		s.cfg.OnEvent(fmt.Sprintf("revoked keys stay connected until the lab ends: %v", err))
		return
	}
	for _, c := range all.Conns {
		if _, known := s.may(c.AuthorizedUser); c.AuthorizedUser != "" && !known {
			_ = s.nats.DisconnectClientByID(c.Cid) // an error means that the connection has ended
		}
	}
}

// certificate reads the lab's certificate, or creates one on the first start.
func certificate(data string) (tls.Certificate, error) {
	file := filepath.Join(data, "cert.pem")
	cert, err := tls.LoadX509KeyPair(file, file)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return cert, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return cert, err
	}
	t := &x509.Certificate{Subject: pkix.Name{CommonName: "utfbench lab"},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().AddDate(20, 0, 0)}
	raw, err := x509.CreateCertificate(rand.Reader, t, t, &key.PublicKey, key)
	if err != nil {
		return cert, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return cert, err
	}
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...)
	if err := files.Write(file, text, files.Private); err != nil {
		return cert, err
	}
	return tls.LoadX509KeyPair(file, file)
}
