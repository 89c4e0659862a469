package server

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/nats-io/nkeys"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/transport/lab"
)

// MaxKeys is the maximum number of keys, and thus hosts, in a lab.
const MaxKeys = 1000

// A Key admits a machine.
type Key struct {
	Name   string    `json:"name"`
	Public string    `json:"key"` // its public half, in the form of nkeys
	Made   time.Time `json:"made"`
}

// Command returns a command of benchlab for the lab in a folder, to be pasted into a shell.
func Command(data string, words ...string) string {
	if dir, err := lab.ServerFolder(); err != nil || dir != data {
		words = append(words, "--data", data)
	}
	return printable.CommandOf("benchlab", words...)
}

// ReadKeys returns the keys of a lab by name, whether it runs or not. It fails for a lab that never ran.
func ReadKeys(data string) ([]Key, error) {
	text, err := kindKeys.Read(keysFile(data))
	if errors.Is(err, fs.ErrNotExist) {
		_, err = readPlace(data)
		return nil, cmp.Or(err, failure.Usagef("%s does not exist: start benchlab serve, which makes a key",
			keysFile(data)))
	}
	if err != nil {
		return nil, fault("the keys of the lab: %w", err)
	}
	keys, err := parseKeys(text)
	if err != nil {
		return nil, failure.Usagef("%s: %w: restore it from a copy, or remove it so that benchlab serve creates a "+
			"new key", keysFile(data), err)
	}
	return keys, nil
}

var kindKeys = files.Kind{Name: "a file of keys", Limit: 1 << 20}

// keysDocument is the contents of the file of keys.
type keysDocument struct {
	Keys []Key `json:"keys"`
}

func parseKeys(text []byte) ([]Key, error) {
	var d keysDocument
	if err := strict(text, &d); err != nil {
		return nil, fmt.Errorf("it was not written by benchlab (%w)", err)
	}
	if len(d.Keys) > MaxKeys {
		return nil, fmt.Errorf("%d keys: at most %d are allowed", len(d.Keys), MaxKeys)
	}
	seen := map[string]bool{}
	for _, k := range d.Keys {
		if err := lab.CheckName("the key's name", k.Name); err != nil {
			return nil, err
		}
		if !nkeys.IsValidPublicUserKey(k.Public) {
			return nil, fmt.Errorf("the key %s is invalid", k.Name)
		}
		if seen[k.Name] || seen[k.Public] {
			return nil, fmt.Errorf("the key %s exists twice", k.Name)
		}
		seen[k.Name], seen[k.Public] = true, true
	}
	slices.SortFunc(d.Keys, func(a, b Key) int { return printable.Natural(a.Name, b.Name) })
	return d.Keys, nil
}

func writeKeys(data string, keys []Key) error {
	return write(keysFile(data), keysDocument{keys})
}

// changeKeys applies a change under a lock.
func changeKeys(data string, change func([]Key) ([]Key, error)) error {
	path := filepath.Join(data, "keys.lock")
	release, err := lockSoon(path, 10*time.Second,
		path+" has been locked for 10s: another benchlab invite or revoke hangs")
	if err != nil {
		return err
	}
	defer release()
	keys, err := ReadKeys(data)
	if err == nil {
		keys, err = change(keys)
	}
	if err != nil {
		return err
	}
	return writeKeys(data, keys)
}

// newKey creates a key, and the invitation with its secret half.
func newKey(at lab.Place, name string) (Key, *lab.Invitation, error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return Key{}, nil, fault("making a key: %w", err)
	}
	public, err := pair.PublicKey()
	seed, serr := pair.Seed()
	if err = cmp.Or(err, serr); err != nil {
		return Key{}, nil, fault("making a key: %w", err)
	}
	return Key{name, public, time.Now().UTC().Truncate(time.Second)},
		&lab.Invitation{Place: at, Name: name, Seed: string(seed)}, nil
}

// Invite creates a key and returns its invitation, which is stored nowhere. A running server notices the key.
func Invite(data, name string) (*lab.Invitation, error) {
	if err := lab.CheckName("the key's name", name); err != nil {
		return nil, err
	}
	at, err := readPlace(data)
	if err != nil {
		return nil, err
	}
	key, inv, err := newKey(at, name)
	if err != nil {
		return nil, err
	}
	return inv, changeKeys(data, func(keys []Key) ([]Key, error) {
		if find(keys, name) >= 0 {
			return nil, failure.Usagef("the lab already has a key %q: choose another name, or first revoke its "+
				"invitation with %s", name, Command(data, "revoke", name))
		}
		if len(keys) >= MaxKeys {
			return nil, failure.Usagef("the lab has the maximum of %d keys: benchlab revoke removes one", MaxKeys)
		}
		return append(keys, key), nil
	})
}

// Revoke removes a key. A running server disconnects its users.
func Revoke(data, name string) error {
	if _, err := readPlace(data); err != nil {
		return err
	}
	return changeKeys(data, func(keys []Key) ([]Key, error) {
		at := find(keys, name)
		if at < 0 {
			return nil, failure.Usagef("the lab has no key %q%s: see %s", name,
				failure.Hint(name, names(keys)), Command(data, "hosts"))
		}
		return slices.Delete(keys, at, at+1), nil
	})
}

func find(keys []Key, name string) int {
	return slices.IndexFunc(keys, func(k Key) bool { return k.Name == name })
}

func names(keys []Key) (all []string) {
	for _, k := range keys {
		all = append(all, k.Name)
	}
	return all
}
