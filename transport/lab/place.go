package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/url"
	"slices"
	"strings"

	"utfbench/internal/failure"
)

// A Place holds the addresses of a lab's servers and the fingerprints of their certificates.
type Place struct {
	Lab string `json:"lab"` // its server's address, as in tls://10.0.0.4:7060, or the first of several
	// SHA-256 of the server's certificate, in hex; "" if a known authority signed it
	Fingerprint string `json:"fingerprint"`

	Others       []string `json:"others,omitempty"`       // other addresses, of this server or its cluster
	Fingerprints []string `json:"fingerprints,omitempty"` // of other certificates, each accepted at any address
}

// Local reports whether only the server's own machine reaches the lab.
func (p *Place) Local() bool {
	return !slices.ContainsFunc(append([]string{p.Lab}, p.Others...), func(address string) bool {
		at, err := url.Parse(address)
		if err != nil {
			return true
		}
		ip := net.ParseIP(at.Hostname())
		return at.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())
	})
}

// most is the maximum number of addresses and of certificates, which keeps invitations short.
const most = 8

// PlaceOf returns a place with the given addresses HOST:PORT, at least one, and fingerprints.
func PlaceOf(addresses, fingerprints []string) (Place, error) {
	if len(addresses) > most || len(fingerprints) > most {
		return Place{}, failure.Usagef("a lab with %d addresses and %d certificates: at most %d of each are allowed, "+
			"and a client learns of other servers of a cluster once it is in", len(addresses), len(fingerprints), most)
	}
	p := Place{Lab: "tls://" + addresses[0]}
	for _, at := range addresses[1:] {
		p.Others = append(p.Others, "tls://"+at)
	}
	if len(fingerprints) > 0 {
		p.Fingerprint, p.Fingerprints = fingerprints[0], append([]string(nil), fingerprints[1:]...)
	}
	return p, nil
}

// Addresses returns all addresses.
func (p *Place) Addresses() []string { return append([]string{p.Lab}, p.Others...) }

// String lists all addresses.
func (p *Place) String() string { return strings.Join(p.Addresses(), ", ") }

// believes reports whether the lab has a certificate with this fingerprint.
func (p *Place) believes(fingerprint string) bool {
	return fingerprint == p.Fingerprint || slices.Contains(p.Fingerprints, fingerprint)
}

func (p *Place) check() error {
	for _, at := range p.Addresses() {
		u, err := url.Parse(at)
		if err != nil || u.Host == "" || u.Scheme != "tls" {
			return failure.Usagef("the lab's address %q: it has to be like tls://10.0.0.4:7060", at)
		}
	}
	if p.Fingerprint == "" && p.Fingerprints == nil {
		return nil
	}
	for _, f := range append([]string{p.Fingerprint}, p.Fingerprints...) {
		if sum, err := hex.DecodeString(f); err != nil || len(sum) != sha256.Size {
			return failure.Usagef("the fingerprint has to be 64 hexadecimal digits, the SHA-256 of the server's " +
				"certificate")
		}
	}
	return nil
}
