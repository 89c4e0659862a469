package server

import (
	"context"
	"crypto/tls"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"utfbench/internal/failure"
	"utfbench/transport/lab"
)

func insecure() *tls.Config {
	return &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}
}

// Whatever keeps a server from starting is reported in one sentence, as the machine's fault or bad input.
func TestDoesNotStart(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	there := config(t)
	start(t, there)
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(dir, "broken")
	if err := os.MkdirAll(filepath.Join(broken, "keys"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		cfg   Config
		fault bool
		words []string
	}{
		"busy port": {Config{Listen: busy.Addr().String()}, true,
			[]string{"the port of " + busy.Addr().String() + " is in use"}},
		"folder in use": {Config{Data: there.Data}, true,
			[]string{there.Data + " is in use by another benchlab serve"}},
		"no folder": {Config{Data: filepath.Join(file, "lab")}, true,
			[]string{"the folder of the lab: ", "not a directory"}},
		"no such address": {Config{Listen: "192.0.2.1:0"}, true,
			[]string{"192.0.2.1:0 is not an address of this machine"}},
		"no port": {Config{Listen: "127.0.0.1"}, false,
			[]string{`--listen "127.0.0.1": has to be HOST:PORT`}},
		"bad port": {Config{Listen: "127.0.0.1:70000"}, false, []string{"has to be HOST:PORT"}},
		"bad name": {Config{Name: "a/b"}, false,
			[]string{`--name "a/b": has to be HOST or HOST:PORT`}},
		"keys are a folder": {Config{Data: broken}, true, []string{"the keys of the lab: ", "is a folder"}},
	} {
		if c.cfg.Data == "" {
			c.cfg.Data = filepath.Join(t.TempDir(), "lab")
		}
		if c.cfg.Listen == "" {
			c.cfg.Listen = "127.0.0.1:0"
		}
		_, err := Start(context.Background(), c.cfg)
		t.Log(name)
		refused(t, err, c.words...)
		if (failure.KindOf(err) == failure.Bench) != c.fault {
			t.Errorf("%v: the machine's fault: %v, want %v", err, !c.fault, c.fault)
		}
	}
}

// A folder with broken files is not served, and the error names the file.
func TestBrokenFolder(t *testing.T) {
	for name, words := range map[string]string{"keys": "it was not written by benchlab",
		"tls.pem": "restore it from a copy"} {
		cfg := config(t)
		s := start(t, cfg)
		s.Close()
		path := filepath.Join(cfg.Data, name)
		if err := os.WriteFile(path, []byte("{broken"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Start(context.Background(), cfg)
		refused(t, err, path, words)
	}
}

// Secret files are private to the user.
func TestSecretsArePrivate(t *testing.T) {
	cfg := config(t)
	start(t, cfg)
	for _, name := range []string{"invite", "tls.pem", "keys"} {
		if info, err := os.Stat(filepath.Join(cfg.Data, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if info, err := os.Stat(cfg.Data); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// The first invitation is written once. It follows the server's address while it exists, and is not recreated after it
// was given away or its key was revoked.
func TestFirstInvitation(t *testing.T) {
	cfg := config(t)
	start(t, cfg).Close()
	before, err := lab.ReadInvitation(InviteFile(cfg.Data))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Name = "lab.example.com:443"
	s := start(t, cfg)
	after, err := lab.ReadInvitation(InviteFile(cfg.Data))
	if err != nil || after.Lab != "tls://lab.example.com:443" || after.Seed != before.Seed ||
		after.Fingerprint != before.Fingerprint || !s.Invited() {
		t.Errorf("%+v, was %+v; %v", after, before, err)
	}
	s.Close()
	if err := os.Remove(InviteFile(cfg.Data)); err != nil {
		t.Fatal(err)
	}
	if err := Revoke(cfg.Data, "first"); err != nil {
		t.Fatal(err)
	}
	s = start(t, cfg)
	if keys, err := ReadKeys(cfg.Data); err != nil || len(keys) != 0 || s.Invited() {
		t.Errorf("%v, %v, %v", keys, err, s.Invited())
	}
}

// A server that listens at all addresses invites to a reachable one.
func TestAllAddresses(t *testing.T) {
	for _, listen := range []string{":0", "0.0.0.0:0"} {
		cfg := Config{Listen: listen, Name: "here"}
		at, err := cfg.listen()
		if err != nil || !strings.HasPrefix(at.Listen, "0.0.0.0:") || !strings.HasPrefix(at.Invite, "here:") ||
			strings.HasSuffix(at.Listen, ":0") || strings.HasSuffix(at.Invite, ":0") {
			t.Errorf("%s: %+v, %v", listen, at, err)
		}
		cfg.Name = ""
		at, err = cfg.listen()
		if err != nil && failure.KindOf(err) == failure.Bench {
			refused(t, err, "give --name ADDRESS") // no network
		} else if ip := net.ParseIP(at.Host); err != nil || ip == nil || ip.IsUnspecified() {
			t.Errorf("%s: %+v, %v", listen, at, err)
		}
	}
}

// The certificate that a server makes is pinned, and lasts.
func TestCertificate(t *testing.T) {
	cfg := config(t)
	s := start(t, cfg)
	pair, err := tls.LoadX509KeyPair(certFile(cfg.Data), certFile(cfg.Data))
	if err != nil || s.place.Fingerprint != lab.Fingerprint(pair.Leaf) {
		t.Fatalf("%+v, %v", s.place, err)
	}
	years := time.Until(pair.Leaf.NotAfter).Hours() / 24 / 365
	if years < 9.9 || pair.Leaf.VerifyHostname("127.0.0.1") != nil {
		t.Errorf("it lasts %.1f years, for %v", years, pair.Leaf.IPAddresses)
	}
}
