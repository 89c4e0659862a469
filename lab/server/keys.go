package server

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	natsd "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/lab"
)

// A Key is the public half of a machine's key, with its role.
type Key struct {
	Name    string    `json:"name"`
	Role    string    `json:"role"`
	Public  string    `json:"public"`
	Invited bool      `json:"invited,omitempty"` // the key of an invitation, valid only for enrolling
	Expires time.Time `json:"expires,omitzero"`  // of an invitation
}

// expired reports whether an invitation is no longer valid.
func (k *Key) expired() bool { return k.Invited && time.Now().After(k.Expires) }

func keysFile(data string) string  { return filepath.Join(data, "keys.json") }
func placeFile(data string) string { return filepath.Join(data, "place.json") }

var kindKeys = files.Kind{Name: "the keys of a lab", Limit: 1 << 20}

// MaxKeys is the maximum number of keys.
const MaxKeys = 1000

// ReadKeys reads the keys of a lab. A lab without a file of keys has no keys.
func ReadKeys(data string) (keys []Key, err error) {
	text, err := kindKeys.Read(keysFile(data))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = lab.Decode(text, &keys)
	}
	return keys, err
}

// change applies make to the keys of a lab, under a lock that the server and the commands share.
func change(data string, make func([]Key) ([]Key, error)) error {
	f, err := os.OpenFile(keysFile(data)+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return failure.New(failure.Bench, err)
	}
	defer f.Close()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		mine, err := files.Lock(f)
		if err != nil || !mine && time.Now().After(end) {
			return failure.Newf(failure.Bench, "the keys in %s are locked, by another command: %v", data, err)
		}
		if mine {
			break
		}
	}
	keys, err := ReadKeys(data)
	if err != nil {
		return failure.Newf(failure.Bench, "the keys in %s cannot be read: %w", data, err)
	}
	if keys, err = make(keys); err != nil {
		return err
	}
	return failure.New(failure.Bench, files.Write(keysFile(data), lab.Encode(keys), files.Private))
}

// Invite adds a key and returns its invitation, with the address at which the folder's lab was last served.
func Invite(data, name, role string, good time.Duration) (*lab.Credential, error) {
	if err := lab.CheckName("the key's name", name); err != nil {
		return nil, err
	}
	text, err := kindKeys.Read(placeFile(data))
	if err != nil {
		return nil, failure.Usagef("no lab in %s: benchlab serve --data %s makes one", data, data)
	}
	var inv lab.Credential
	if err := lab.Decode(text, &inv); err != nil {
		return nil, failure.Usagef("%s was not written by benchlab serve: start it again", placeFile(data))
	}
	seed, public, err := lab.NewKey()
	if err != nil {
		return nil, failure.New(failure.Bench, err)
	}
	inv.Name, inv.Role, inv.Invitation, inv.Seed = name, role, true, seed
	return &inv, change(data, func(keys []Key) ([]Key, error) {
		keys = slices.DeleteFunc(keys, func(k Key) bool { return k.expired() })
		if slices.ContainsFunc(keys, func(k Key) bool { return k.Name == name }) {
			return nil, failure.Usagef("there is a key %s already: benchlab revoke %[1]s first, or give another name",
				name)
		}
		if len(keys) >= MaxKeys {
			return nil, failure.Usagef("the lab has %d keys: revoke some first", MaxKeys)
		}
		return append(keys, Key{name, role, public, true, time.Now().Add(good).UTC()}), nil
	})
}

// Revoke removes a key or an invitation. The server closes its connections within a second.
func Revoke(data, name string) error {
	return change(data, func(keys []Key) ([]Key, error) {
		var names []string
		for i, k := range keys {
			if k.Name == name {
				return slices.Delete(keys, i, i+1), nil
			}
			names = append(names, k.Name)
		}
		return nil, failure.Usagef("the lab has no key %s%s", name, failure.DidYouMean(name, names))
	})
}

// enrol replaces an invitation's key with the machine's own key.
func enrol(data, name, public string) error {
	if !nkeys.IsValidPublicUserKey(public) {
		return failure.Usagef("that is no key")
	}
	return change(data, func(keys []Key) ([]Key, error) {
		for i := range keys {
			if k := &keys[i]; k.Name == name && k.Invited && !k.expired() {
				*k = Key{Name: name, Role: k.Role, Public: public}
				return keys, nil
			}
		}
		return nil, failure.Usagef("it was used, has expired, or was revoked")
	})
}

// read returns the subjects that a key needs to read buckets and to watch the named streams. A consumer delivers to any
// subject that its creator names, regardless of permissions. So users may not create consumers on streams to which they
// can publish: a message delivered to another subject could pass for another user's result.
func read(watched ...string) (all []string) {
	all = []string{"$JS.API.INFO"}
	for _, stream := range []string{"KV_" + lab.BoardsBucket, "KV_" + lab.ResultsBucket, "KV_" + lab.SweepsBucket,
		"OBJ_" + lab.InputsBucket, "OBJ_" + lab.RecordingsBucket} {
		all = append(all, "$JS.API.STREAM.INFO."+stream, "$JS.API.DIRECT.GET."+stream,
			"$JS.API.DIRECT.GET."+stream+".>", "$JS.API.STREAM.MSG.GET."+stream)
	}
	for _, stream := range watched {
		all = append(all, "$JS.API.STREAM.INFO."+stream, "$JS.API.CONSUMER.CREATE."+stream,
			"$JS.API.CONSUMER.CREATE."+stream+".>", "$JS.API.CONSUMER.INFO."+stream+".*",
			"$JS.API.CONSUMER.DELETE."+stream+".*", "$JS.API.CONSUMER.MSG.NEXT."+stream+".*")
	}
	return all
}

// permissions returns the subjects to which a key may publish and subscribe. Package lab defines them.
func permissions(k *Key) *natsd.Permissions {
	inbox := "_INBOX." + k.Name + ".>"
	may := &natsd.Permissions{Publish: new(natsd.SubjectPermission),
		Subscribe: &natsd.SubjectPermission{Allow: []string{inbox}}}
	switch {
	case k.Invited:
		may.Publish.Allow = []string{lab.EnrolSubject(k.Name)}
	case k.Role == lab.UserRole:
		may.Publish.Allow = append(read("KV_"+lab.BoardsBucket, "KV_"+lab.ResultsBucket, "KV_"+lab.SweepsBucket,
			"OBJ_"+lab.RecordingsBucket), lab.JobSubject("*", "*", k.Name), "block.>", "stop.>",
			"$O."+lab.InputsBucket+".>")
	default:
		may.Publish.Allow = append(read("OBJ_"+lab.InputsBucket), "$O."+lab.RecordingsBucket+".>",
			"$KV."+lab.BoardsBucket+"."+k.Name+".>", "$KV."+lab.ResultsBucket+"."+k.Name+".>",
			"$KV."+lab.SweepsBucket+"."+k.Name+".>",
			"$JS.API.STREAM.INFO."+lab.JobsStream, "$JS.API.STREAM.INFO."+lab.BlocksStream,
			"$JS.API.CONSUMER.INFO."+lab.BlocksStream+"."+lab.BlocksConsumer,
			"$JS.API.CONSUMER.MSG.NEXT."+lab.BlocksStream+"."+lab.BlocksConsumer,
			"$JS.ACK."+lab.BlocksStream+"."+lab.BlocksConsumer+".>")
		for n := range lab.MaxBoards {
			own := lab.ConsumerName(k.Name, n)
			may.Publish.Allow = append(may.Publish.Allow,
				"$JS.API.CONSUMER.CREATE."+lab.JobsStream+"."+own+"."+lab.JobSubject(k.Name, "*", "*"),
				"$JS.API.CONSUMER.INFO."+lab.JobsStream+"."+own, "$JS.API.CONSUMER.MSG.NEXT."+lab.JobsStream+"."+own,
				"$JS.ACK."+lab.JobsStream+"."+own+".>")
		}
		may.Subscribe.Allow = append(may.Subscribe.Allow, lab.StopSubject(k.Name, "*"))
	}
	return may
}
