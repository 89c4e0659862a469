package server

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io/fs"
	"math/big"
	"net"
	"os"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// lasts is the validity of a generated certificate. Invitations contain its fingerprint, so it is never replaced.
const lasts = 10 * 365 * 24 * time.Hour

// certificate returns the folder's certificate, which is generated at the first start.
func (c *Config) certificate(host string) (tls.Certificate, error) {
	path := certFile(c.Data)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := makeCertificate(path, host); err != nil {
			return tls.Certificate{}, fault("making a certificate: %w", err)
		}
	}
	pair, err := tls.LoadX509KeyPair(path, path)
	if err != nil {
		return pair, failure.Usagef("%s: %w: restore it from a copy, or remove it; a new one makes all invitations "+
			"void", path, err)
	}
	return pair, nil
}

// makeCertificate writes a self-signed certificate and its key into one file, so there is never half of a pair.
func makeCertificate(path, host string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return err
	}
	c := &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: "bench lab " + machine()},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().Add(lasts),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}}
	if ip := net.ParseIP(host); ip != nil {
		c.IPAddresses = append(c.IPAddresses, ip)
	} else {
		c.DNSNames = append(c.DNSNames, host)
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: der}) // a buffer accepts everything
	pem.Encode(&text, &pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	return files.Write(path, text.Bytes(), files.Private)
}
