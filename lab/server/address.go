package server

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"syscall"
)

// An address is one to listen at, and how other machines reach it.
type address struct {
	listen string   // HOST:PORT
	invite []string // HOST:PORT, one at least
	hosts  []string // of invite
	alone  bool     // no other machine reaches it
}

// A door is where to listen, as a user said it.
type door struct {
	flag   string // that says it
	listen string // HOST:PORT
	name   string // HOST or HOST:PORT as others reach it, or several; "" is that of listen, or this machine's own
}

// listen finds out whether it can listen at the address, and what to say of it to others.
func (c *Config) listen() (address, error) {
	l, a, err := door{"--listen", c.Listen, c.Name}.open()
	if err == nil {
		l.Close() // NATS opens it again
	}
	return a, err
}

// open listens, and says what to tell others of the address.
func (d door) open() (l net.Listener, a address, err error) {
	host, port, err := net.SplitHostPort(d.listen)
	if n, nerr := strconv.Atoi(port); err != nil || nerr != nil || n < 0 || n > 65535 {
		return nil, a, fmt.Errorf("the address %q to listen at: it has to be HOST:PORT, such as %s", d.listen,
			DefaultListen)
	}
	if host == "" {
		host = "0.0.0.0"
	}
	if l, err = net.Listen("tcp", net.JoinHostPort(host, port)); err != nil {
		return nil, a, d.cannot(err)
	}
	at := l.Addr().(*net.TCPAddr)
	a.alone = at.IP.IsLoopback()
	if a, err = d.reached(a, host, strconv.Itoa(at.Port)); err != nil {
		l.Close()
		return nil, a, err
	}
	return l, a, nil
}

// reached is how others reach what listens at a host and a port.
func (d door) reached(a address, host, port string) (address, error) {
	name, err := d.name, error(nil)
	if ip := net.ParseIP(host); name == "" && ip != nil && ip.IsUnspecified() {
		if name, err = outgoing(); err != nil {
			return a, err
		}
	}
	a.listen = net.JoinHostPort(host, port)
	a.invite, a.hosts, err = invitedTo(cmp.Or(name, host), port)
	return a, err
}

// invitedTo are the addresses that a user named, with a comma between two.
func invitedTo(names, port string) (addresses, hosts []string, err error) {
	for name := range strings.SplitSeq(names, ",") {
		at, host, err := reached(name, port)
		if err != nil {
			return nil, nil, err
		}
		addresses, hosts = append(addresses, at), append(hosts, host)
	}
	return addresses, hosts, nil
}

func (d door) cannot(err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fault("the port of %s is in use: does another bench lab serve run? Give this one another %s", d.listen,
			d.flag)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fault("%s is no address of this machine: give %s one that it has, or 0.0.0.0 for all", d.listen, d.flag)
	}
	return fault("cannot listen at %s: %w", d.listen, err)
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
			"reach this one, or several with a comma between two", name)
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
