package lab

import (
	"cmp"
	"errors"
	"net"
	"net/url"
	"strconv"
	"syscall"

	"utfbench/internal/failure"
)

// An Address is a listening address and the address by which other machines reach it.
type Address struct {
	Listen string // HOST:PORT
	Invite string // HOST:PORT
	Host   string // the host of Invite
	Alone  bool   // only this machine reaches it
}

// A Port is a user's choice of a listening address.
type Port struct {
	Flag   string // its name, for messages
	Listen string // HOST:PORT
	Name   string // public HOST[:PORT]; "" is Listen's host, or this machine's
}

// DefaultFront is the address for browsers of this machine.
const DefaultFront = "127.0.0.1:7061"

// ListenLocally opens a port for this machine's browsers: DefaultFront, or a free one if it is in use.
func ListenLocally() (net.Listener, *url.URL, error) {
	l, a, err := Port{"--page", DefaultFront, ""}.Open()
	if err != nil {
		l, a, err = Port{"--page", "127.0.0.1:0", ""}.Open()
	}
	if err != nil {
		return nil, nil, err
	}
	return l, &url.URL{Scheme: "http", Host: a.Listen}, nil
}

// Open listens, and returns the address for other machines.
func (d Port) Open() (l net.Listener, a Address, err error) {
	host, port, err := net.SplitHostPort(d.Listen)
	if n, nerr := strconv.Atoi(port); err != nil || nerr != nil || n < 0 || n > 65535 {
		return nil, a, failure.Usagef("%s %q: has to be HOST:PORT, such as 127.0.0.1:7060", d.Flag, d.Listen)
	}
	host = cmp.Or(host, "0.0.0.0")
	if l, err = net.Listen("tcp", net.JoinHostPort(host, port)); err != nil {
		return nil, a, d.cannot(err)
	}
	at := l.Addr().(*net.TCPAddr)
	a.Alone = at.IP.IsLoopback()
	if a, err = d.reached(a, host, strconv.Itoa(at.Port)); err != nil {
		l.Close()
		return nil, a, err
	}
	return l, a, nil
}

// reached adds the public addresses of a listening host and port.
func (d Port) reached(a Address, host, port string) (Address, error) {
	name, err := d.Name, error(nil)
	if ip := net.ParseIP(host); name == "" && ip != nil && ip.IsUnspecified() {
		if name, err = outgoing(); err != nil {
			return a, err
		}
	}
	a.Listen = net.JoinHostPort(host, port)
	a.Invite, a.Host, err = publicAddress(cmp.Or(name, host), port)
	return a, err
}

func (d Port) cannot(err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return failure.Newf(failure.Bench, "the port of %s is in use: is another benchlab serve running? Give this "+
			"one another %s", d.Listen, d.Flag)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return failure.Newf(failure.Bench, "%s is not an address of this machine: give %s one that it has, or 0.0.0.0 "+
			"for all", d.Listen, d.Flag)
	}
	return failure.Newf(failure.Bench, "cannot listen at %s: %w", d.Listen, err)
}

// publicAddress returns a public address; name may include the port.
func publicAddress(name, port string) (hostport, host string, err error) {
	host = name
	if h, p, serr := net.SplitHostPort(name); serr == nil {
		host, port = h, p
	}
	hostport = net.JoinHostPort(host, port)
	u, err := url.Parse("tls://" + hostport)
	n, nerr := strconv.Atoi(port)
	if err != nil || u.Hostname() != host || host == "" || nerr != nil || n < 1 || n > 65535 {
		return "", "", failure.Usagef("--name %q: has to be HOST or HOST:PORT, as other machines reach this "+
			"one", name)
	}
	return hostport, host, nil
}

// outgoing returns this machine's network address without sending a packet.
func outgoing() (string, error) {
	c, err := net.Dial("udp", "192.0.2.1:9") // reserved for documentation (RFC 5737)
	if err != nil {
		return "", failure.Newf(failure.Bench, "this machine has no network address for invitations (%w): give "+
			"--name ADDRESS", err)
	}
	defer c.Close()
	return c.LocalAddr().(*net.UDPAddr).IP.String(), nil
}
