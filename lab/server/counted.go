package server

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"utfbench/internal/files"
)

// countedFile returns the path of the list of loaded keys: a name and a public half per line.
func countedFile(data string) string { return filepath.Join(data, "counted") }

var kindCounted = files.Kind{Name: "the keys that a lab's server counts", Limit: 1 << 20}

// noteKeys writes the loaded keys to a file for commands that wait for it. If that fails, they wait longer.
func (s *Server) noteKeys() {
	var text strings.Builder
	for _, k := range s.keys.count() {
		fmt.Fprintf(&text, "%s %s\n", k.Name, k.Public)
	}
	_ = files.Write(countedFile(s.cfg.Data), []byte(text.String()), files.Private)
}

// Times of Counted.
const (
	countSoon = time.Second // a running server has loaded a key by then
	countLate = 5 * time.Second
)

// ErrNotCounted reports that a running server has not loaded its folder's keys.
var ErrNotCounted = errors.New("the lab's server runs and has not read the file of keys yet")

// Counted waits until the server that runs in a folder has loaded the named key, or dropped it if revoked. Without a
// server it returns at once, or a second after one was killed.
func Counted(data, name string) error {
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		keys, err := ReadKeys(data)
		if err != nil {
			return err
		}
		counted, err := kindCounted.Read(countedFile(data))
		took := time.Since(begun)
		switch {
		case errors.Is(err, os.ErrNotExist), byName(keys)[name] == publicOf(name, counted):
			return nil
		case took > countSoon && !serves(data):
			return nil
		case took > countLate:
			return ErrNotCounted
		}
	}
}

// publicOf returns the public half of a key in a file of loaded keys, or "".
func publicOf(name string, counted []byte) string {
	for line := range strings.Lines(string(counted)) {
		if of, public, _ := strings.Cut(strings.TrimSpace(line), " "); of == name {
			return public
		}
	}
	return ""
}
