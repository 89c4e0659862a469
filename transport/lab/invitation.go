package lab

import (
	"bytes"
	"encoding/json"

	"github.com/nats-io/nkeys"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// An Invitation admits a machine to a lab. It is a secret that gives access to the lab's boards.
type Invitation struct {
	Place
	Name string `json:"name"` // of the key
	Seed string `json:"seed"` // of the key, as encoded by nkeys
}

// ParseInvitation parses an invitation file; file is its name in messages.
func ParseInvitation(file string, text []byte) (*Invitation, error) {
	var inv Invitation
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&inv); err != nil {
		return nil, failure.Usagef("%s is no invitation to a lab (%w): benchlab serve and benchlab invite write them",
			file, err)
	}
	if err := inv.check(); err != nil {
		return nil, failure.Usagef("%s: %w", file, err)
	}
	return &inv, nil
}

// ReadInvitation reads an invitation file.
func ReadInvitation(path string) (*Invitation, error) {
	text, err := files.Invitation.Read(path)
	if err != nil {
		return nil, failure.Usagef("invitation: %w", err)
	}
	return ParseInvitation(path, text)
}

func (i *Invitation) check() error {
	if err := CheckName("the key's name", i.Name); err != nil {
		return err
	}
	if err := i.Place.check(); err != nil {
		return err
	}
	if _, err := i.key(); err != nil {
		return failure.Usagef("the key: %w", err)
	}
	return nil
}

func (i *Invitation) key() (nkeys.KeyPair, error) {
	pair, err := nkeys.FromSeed([]byte(i.Seed))
	if err != nil {
		return nil, err
	}
	if public, err := pair.PublicKey(); err != nil || !nkeys.IsValidPublicUserKey(public) {
		return nil, failure.Usagef("it is not that of a user")
	}
	return pair, nil
}

// Text returns the contents of the invitation's file.
func (i *Invitation) Text() []byte {
	text, err := json.MarshalIndent(i, "", "  ")
	if err != nil {
		panic(err) // never: it has only strings
	}
	return append(text, '\n')
}
