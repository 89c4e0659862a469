package server

import (
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"sync"

	natsd "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"utfbench/transport/lab"
)

// A keyring is the set of valid keys of a running server. It authenticates clients for NATS, whose own list of keys
// cannot change without a data race with connecting clients (nats-server 2.15.2).
type keyring struct {
	data    string
	seen    os.FileInfo // the file's state when it was read
	trouble string      // its error, once published
	own     string      // the public half of the server's key, which permits everything
	look    func()      // loads changed keys
	looking sync.Mutex  // of look

	mu   sync.Mutex // guards keys
	keys []Key
}

func newKeyring(data string) (*keyring, error) {
	k := &keyring{data: data}
	k.seen, _ = os.Stat(keysFile(data)) // before reading, to notice later changes
	var err error
	k.keys, err = ReadKeys(data)
	return k, err
}

// again reads the file if it has changed. A persistent error is returned only once.
func (k *keyring) again() (keys []Key, changed bool, err error) {
	info, serr := os.Stat(keysFile(k.data))
	if serr == nil && k.seen != nil && os.SameFile(info, k.seen) && info.ModTime().Equal(k.seen.ModTime()) &&
		info.Size() == k.seen.Size() {
		return nil, false, nil
	}
	keys, err = ReadKeys(k.data)
	if err != nil {
		if k.trouble == err.Error() {
			return nil, false, nil
		}
		k.trouble = err.Error()
		return nil, false, err
	}
	k.seen, k.trouble = info, ""
	return keys, !slices.Equal(keys, k.count()), nil
}

// count returns the valid keys.
func (k *keyring) count() []Key {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.keys
}

// take replaces the valid keys.
func (k *keyring) take(keys []Key) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.keys = keys
}

// may returns the permissions of a key by its public half; nil permits everything.
func (k *keyring) may(public string) (may *natsd.Permissions, known bool) {
	if public == k.own {
		return nil, true
	}
	for _, key := range k.count() {
		if key.Public == public {
			return permissions(key.Name), true
		}
	}
	return nil, false
}

// Check implements natsd.Authentication: a client is admitted if it signed NATS's nonce with a valid key.
func (k *keyring) Check(c natsd.ClientAuthentication) bool {
	said, nonce := c.GetOpts(), c.GetNonce()
	may, known := k.may(said.Nkey)
	if !known { // perhaps it is new
		k.look()
		may, known = k.may(said.Nkey)
	}
	if !known || len(nonce) == 0 {
		return false
	}
	signature, err := base64.RawURLEncoding.DecodeString(said.Sig)
	if err != nil {
		return false
	}
	key, err := nkeys.FromPublicKey(said.Nkey)
	if err != nil || key.Verify(nonce, signature) != nil {
		return false
	}
	c.RegisterUser(&natsd.User{Permissions: may})
	return true
}

// lookAtKeys loads changed keys from the file, and disconnects clients with revoked ones.
func (s *Server) lookAtKeys() {
	s.keys.looking.Lock()
	defer s.keys.looking.Unlock()
	keys, changed, err := s.keys.again()
	if err != nil {
		s.hub.tell(lab.Event{What: fmt.Sprintf("the keys are unchanged: %v", err)})
	}
	if !changed {
		return
	}
	s.hub.keys(keys) // before clients can connect with new keys
	s.keys.take(keys)
	s.cutOff()
}

// cutOff closes the connections of invalid keys. A connecting client sends its key before the key is checked, so none
// is missed.
func (s *Server) cutOff() {
	all, err := s.nats.Connz(&natsd.ConnzOptions{Username: true, Limit: 1 << 20})
	if err != nil {
		s.hub.tell(lab.Event{What: fmt.Sprintf("revoked keys stay connected until the lab ends: %v", err)})
		return
	}
	for _, c := range all.Conns {
		if _, known := s.keys.may(c.AuthorizedUser); c.AuthorizedUser != "" && !known {
			_ = s.nats.DisconnectClientByID(c.Cid) // an error means that it is gone
		}
	}
}
