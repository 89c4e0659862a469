package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	natsd "github.com/nats-io/nats-server/v2/server"

	"utfbench/lab/server"
)

// aNATS is the configuration of a server of NATS with TLS, where it will be, and its certificate.
func aNATS(t *testing.T, keys string) (file, at, cert string) {
	t.Helper()
	data := t.TempDir()
	s, err := server.Start(t.Context(), server.Config{Data: data, Listen: "127.0.0.1:0"}) // which makes a certificate
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	at, cert = l.Addr().String(), filepath.Join(data, "tls.pem")
	file = filepath.Join(filepath.Dir(keys), "nats.conf")
	text := fmt.Sprintf("listen: %q\ntls { cert_file: %q, key_file: %[2]q }\nauthorization { include %s }\n", at, cert,
		filepath.Base(keys))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, at, cert
}

// background runs a command until the test ends, when it ends well.
func background(t *testing.T, args ...string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan int)
	var said bytes.Buffer
	go func() { ended <- either(ctx, args, nil, &said, &said) }()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != exitPass {
			t.Errorf("%v: exit code %d, and it says\n%s", args, code, &said)
		}
	})
}

// A lab by a server of NATS elsewhere, as its administrator makes it: the first start makes the keys, which that server
// is given; then machines join and boards are used as ever.
func TestLabOutside(t *testing.T) {
	t.Parallel()
	data, keys := filepath.Join(t.TempDir(), "lab"), filepath.Join(t.TempDir(), "keys.conf")
	file, at, cert := aNATS(t, keys)
	serve := []string{"benchlab", "serve", "--data", data, "--nats", "tls://" + at, "--nats-cert", cert, "--page",
		"none"}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{serve, exitBench, `^benchlab: no NATS server at tls://` + at + `: .*: is it running, with TLS, `},
		{[]string{"benchlab", "keys", "--data", data, "--out", keys}, exitPass, `^$`},
		{[]string{"benchlab", "keys", "--data", data}, exitPass, `(?m)^users: \[\n  # the lab itself\n` +
			`  \{ nkey: U\w+ \}\n` +
			`  # first\n  \{ nkey: U\w+, permissions: \{ publish: \{ allow: \["use.first.>", "is.first", `},
	} {
		if code, said := bench(t, c.args...); code != c.code || !regexp.MustCompile(c.says).MatchString(said) {
			t.Fatalf("%v: exit code %d, and it says\n%s", c.args, code, said)
		}
	}
	o, err := natsd.ProcessConfigFile(file)
	if err != nil {
		t.Fatal(err)
	}
	o.NoSigs = true
	nats, err := natsd.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	go nats.Start()
	t.Cleanup(nats.WaitForShutdown)
	t.Cleanup(nats.Shutdown)
	if !nats.ReadyForConnections(time.Minute) {
		t.Fatal("NATS does not start")
	}
	invite := server.InviteFile(data)
	background(t, serve...)
	background(t, "lab", "join", invite, "-t", "mock", "--name", "good")
	eventually := func(want string, args ...string) {
		t.Helper()
		said := ""
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			code := 0
			if code, said = bench(t, args...); code == exitPass && strings.Contains(said, want) {
				return
			}
		}
		t.Fatalf("%v: it says\n%s", args, said)
	}
	eventually("good ", "lab", "boards", invite)
	eventually("PASS  the model answered", "run", "-t", "lab:good", "--invite", invite, "--suite", "man7",
		"--no-history")
}
