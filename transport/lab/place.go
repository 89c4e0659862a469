package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/url"

	"utfbench/internal/failure"
)

// A Place is the address of a lab's server and the fingerprint of its certificate.
type Place struct {
	Lab         string `json:"lab"`         // as in tls://10.0.0.4:7060
	Fingerprint string `json:"fingerprint"` // SHA-256 of the certificate, in hex
}

// Local reports whether only the server's own machine reaches the lab.
func (p *Place) Local() bool {
	at, err := url.Parse(p.Lab)
	if err != nil {
		return false
	}
	ip := net.ParseIP(at.Hostname())
	return at.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// String returns the address.
func (p *Place) String() string { return p.Lab }

func (p *Place) check() error {
	u, err := url.Parse(p.Lab)
	if err != nil || u.Host == "" || u.Scheme != "tls" {
		return failure.Usagef("the lab's address %q: it has to be like tls://10.0.0.4:7060", p.Lab)
	}
	if sum, err := hex.DecodeString(p.Fingerprint); err != nil || len(sum) != sha256.Size {
		return failure.Usagef("the fingerprint has to be 64 hexadecimal digits, the SHA-256 of the server's " +
			"certificate")
	}
	return nil
}
