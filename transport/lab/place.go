package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"utfbench/internal/failure"
)

// A Place is where the servers of a lab are, and by which certificates they are known.
type Place struct {
	Lab string `json:"lab"` // the address of its server, as in tls://10.0.0.4:7060; of several, the first
	// SHA-256 of the server's certificate, in hex; "" where a known authority signed it
	Fingerprint string `json:"fingerprint"`

	Others       []string `json:"others,omitempty"`       // other addresses: of the same server, or of its cluster's
	Fingerprints []string `json:"fingerprints,omitempty"` // of other certificates, each of which counts at any address
}

// most is how many addresses, and certificates, a place has, so that the file of an invitation is short.
const most = 8

// PlaceOf makes one of addresses HOST:PORT, of which there is one at least, and of fingerprints.
func PlaceOf(addresses, fingerprints []string) (Place, error) {
	if len(addresses) > most || len(fingerprints) > most {
		return Place{}, failure.Usagef("a lab with %d addresses and %d certificates: %d of each is the most, and a "+
			"client learns of other servers of a cluster once it is in", len(addresses), len(fingerprints), most)
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

// String has all addresses.
func (p *Place) String() string { return strings.Join(p.Addresses(), ", ") }

// believes reports whether a fingerprint is one of the lab's.
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
