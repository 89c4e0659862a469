package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/transport/lab"
)

// InviteFile returns the path of the first invitation.
func InviteFile(data string) string { return filepath.Join(data, lab.FirstInvite) }

func keysFile(data string) string { return filepath.Join(data, "keys") }

func placeFile(data string) string { return filepath.Join(data, "address") }

func certFile(data string) string { return filepath.Join(data, "tls.pem") }

// HistoryFile returns the path of the lab's history; see package history.
func HistoryFile(data string) string { return filepath.Join(data, "history.db") }

func spoolFolder(data string) string { return filepath.Join(data, "history-in") }

// take reserves a folder for one server until release.
func take(data string) (release func(), err error) {
	release, mine, err := lock(filepath.Join(data, "serve.lock"))
	if err == nil && !mine {
		err = fault("%s is in use by another benchlab serve: give this one another --data", data)
	}
	return release, err
}

// lock locks a file, which is never removed, and reports whether it was free.
func lock(path string) (release func(), mine bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, fault("the folder of the lab cannot be written: %w", err)
	}
	mine, err = files.Lock(f)
	if err != nil || !mine {
		f.Close()
		if err != nil {
			err = fault("%s cannot be locked: %w", path, err)
		}
		return nil, false, err
	}
	return func() { f.Close() }, true, nil
}

// lockSoon waits for a lock that others hold only briefly; after the patience the error is why.
func lockSoon(path string, patience time.Duration, why string) (release func(), err error) {
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		release, mine, err := lock(path)
		switch {
		case err != nil || mine:
			return release, err
		case time.Now().After(end):
			return nil, fault("%s", why)
		}
	}
}

// writePlace stores the server's address for invitations.
func writePlace(data string, p lab.Place) error {
	if old, err := readPlace(data); err == nil && reflect.DeepEqual(old, p) {
		return nil
	}
	return write(placeFile(data), p)
}

// readPlace reads the lab's address for commands that change a lab, which may be down.
func readPlace(data string) (p lab.Place, err error) {
	text, err := kindPlace.Read(placeFile(data))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, failure.Usagef("no lab in %s: benchlab serve --data %s makes one, or give the --data of one", data,
			data)
	case err != nil:
		return p, fault("the lab's address: %w", err)
	}
	if err := strict(text, &p); err != nil || p.Lab == "" {
		return p, failure.Usagef("%s was not written by benchlab serve: restart it to rewrite the file",
			placeFile(data))
	}
	return p, nil
}

var kindPlace = files.Kind{Name: "the address of a lab", Limit: 4 << 10}

// firstKey creates the first key and its invitation in a new lab. In an existing lab it updates the invitation's
// address.
func firstKey(data string, at lab.Place) error {
	_, err := os.Stat(keysFile(data))
	if err == nil {
		return followAddress(data, at)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fault("the keys of the lab: %w", err)
	}
	key, inv, err := newKey(at, First)
	if err != nil {
		return err
	}
	// In this order, since a killed first start must be a first start again.
	if err := files.Write(InviteFile(data), inv.Text(), files.Private); err != nil {
		return fault("the first invitation: %w", err)
	}
	return writeKeys(data, []Key{key})
}

// followAddress updates the address in the first invitation, if that still exists.
func followAddress(data string, at lab.Place) error {
	inv, err := lab.ReadInvitation(InviteFile(data))
	if err != nil || reflect.DeepEqual(inv.Place, at) {
		return nil // it may have been given away, or be another file
	}
	inv.Place = at
	if err := files.Write(InviteFile(data), inv.Text(), files.Private); err != nil {
		return fault("the first invitation: %w", err)
	}
	return nil
}

func write(path string, document any) error {
	text, err := json.MarshalIndent(document, "", "  ")
	if err == nil {
		err = files.Write(path, append(text, '\n'), files.Private)
	}
	return failure.New(failure.Bench, err)
}

func strict(text []byte, value any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	return dec.Decode(value)
}
