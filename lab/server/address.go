package server

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"syscall"
)

// An address is one to listen at, and how other machines reach it.
type address struct {
	listen string // HOST:PORT
	invite string // HOST:PORT
	host   string // of invite
}

// listen finds out whether it can listen at the address, and what to say of it to others.
func (c *Config) listen() (a address, err error) {
	host, port, err := net.SplitHostPort(c.Listen)
	if n, nerr := strconv.Atoi(port); err != nil || nerr != nil || n < 0 || n > 65535 {
		return a, fmt.Errorf("the address %q to listen at: it has to be HOST:PORT, such as %s", c.Listen, DefaultListen)
	}
	if host == "" {
		host = "0.0.0.0"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return a, cannotListen(c.Listen, err)
	}
	port = strconv.Itoa(l.Addr().(*net.TCPAddr).Port) // which was 0 for any
	l.Close()                                         // NATS opens it again
	name := c.Name
	if ip := net.ParseIP(host); name == "" && ip != nil && ip.IsUnspecified() {
		if name, err = outgoing(); err != nil {
			return a, err
		}
	}
	a.listen = net.JoinHostPort(host, port)
	a.invite, a.host, err = reached(cmp.Or(name, host), port)
	return a, err
}

func cannotListen(at string, err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fault("the port of %s is in use: does another bench lab serve run? Give this one another --listen", at)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fault("%s is no address of this machine: give --listen one that it has, or 0.0.0.0 for all", at)
	}
	return fault("cannot listen at %s: %w", at, err)
}

// reached is an address of which name may have the port in it.
func reached(name, port string) (hostport, host string, err error) {
	host = name
	if h, p, serr := net.SplitHostPort(name); serr == nil {
		host, port = h, p
	}
	hostport = net.JoinHostPort(host, port)
	u, err := url.Parse("tls://" + hostport)
	n, nerr := strconv.Atoi(port)
	if err != nil || u.Hostname() != host || host == "" || nerr != nil || n < 1 || n > 65535 {
		return "", "", fmt.Errorf("the address %q for invitations: it has to be HOST or HOST:PORT, as other machines "+
			"reach this one", name)
	}
	return hostport, host, nil
}

// outgoing is the address that this machine has in its network. Nothing is sent.
func outgoing() (string, error) {
	c, err := net.Dial("udp", "192.0.2.1:9") // an address for documents, which is nowhere
	if err != nil {
		return "", fault("this machine has no address in a network (%w), so nobody knows what to put into "+
			"invitations: give --name ADDRESS", err)
	}
	defer c.Close()
	return c.LocalAddr().(*net.UDPAddr).IP.String(), nil
}
