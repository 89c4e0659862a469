package server

import (
	"bufio"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/transport/lab"
)

// A server's rejection may be lost with the closed connection: the next connection reports it.
func TestCutOff(t *testing.T) {
	t.Parallel() // it mostly waits
	s := start(t, config(t))
	for _, c := range []struct {
		cuts int
		says string
	}{{2, "the invitation of first "}, {100, "closes each connection without a reason"}} {
		inv, err := lab.ReadInvitation(InviteFile(s.cfg.Data))
		if err != nil {
			t.Fatal(err)
		}
		stranger := testkit.Must(os.ReadFile(otherInvitation(t)))(t)
		other := testkit.Must(lab.ParseInvitation("other", stranger))(t)
		inv.Seed, inv.Lab = other.Seed, "tls://"+cutting(t, s.Listens(), c.cuts)
		_, err = lab.Dial(t.Context(), inv)
		refused(t, err, c.says)
	}
}

// otherInvitation returns the file of an invitation to another lab.
func otherInvitation(t *testing.T) string {
	t.Helper()
	data := t.TempDir()
	if err := firstKey(data, lab.Place{Lab: "tls://127.0.0.1:1", Fingerprint: strings.Repeat("0", 64)}); err != nil {
		t.Fatal(err)
	}
	return InviteFile(data)
}

// cutting returns an address that resets the first connections and forwards the others.
func cutting(t *testing.T, to string, cuts int) string {
	t.Helper()
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	go func() {
		for n := 0; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if n < cuts {
				go cutShort(c.(*net.TCPConn), to)
			} else {
				go pass(c, to)
			}
		}
	}()
	return l.Addr().String()
}

// cutShort greets as the server does, and resets the connection when the client sends something.
func cutShort(from *net.TCPConn, to string) {
	defer from.Close()
	there, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer there.Close()
	info, err := bufio.NewReader(there).ReadBytes('\n')
	if err == nil {
		_, err = from.Write(info)
	}
	if err == nil {
		from.Read(make([]byte, 1))
	}
	from.SetLinger(0)
}

// pass forwards both directions until one ends.
func pass(from net.Conn, to string) {
	defer from.Close()
	there, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer there.Close()
	go func() {
		io.Copy(there, from)
		there.Close()
	}()
	io.Copy(from, there)
}
