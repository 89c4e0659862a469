package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// Variable is the environment variable that replaces the remembered invitation.
const Variable = "BENCH_LAB"

// Remembered returns the path of the remembered invitation, which may not exist: the file in BENCH_LAB, or else
// utfbench/lab.json in the user's configuration folder.
func Remembered() (path string, err error) {
	if path := os.Getenv(Variable); path != "" {
		return path, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("the folder for configuration is not known (%w), so no lab is remembered: set %s to the "+
			"file of an invitation", err, Variable)
	}
	return filepath.Join(dir, "utfbench", "lab.json"), nil
}

// Open reads an invitation; "" stands for the remembered one, or else the first one of a server here.
func Open(path string) (*Invitation, error) {
	if path != "" {
		return ReadInvitation(path)
	}
	path, err := Remembered()
	if err != nil {
		return nil, err
	}
	inv, err := ReadInvitation(path)
	if !errors.Is(err, fs.ErrNotExist) || os.Getenv(Variable) != "" {
		return inv, err
	}
	if folder, err := ServerFolder(); err == nil {
		if inv, err := ReadInvitation(filepath.Join(folder, FirstInvite)); err == nil {
			return inv, nil
		}
	}
	return nil, failure.Usagef("no lab is remembered on this machine: benchlab serve starts one; name an "+
		"invitation once, as in bench lab boards INVITE (the server's own is the file %s in its folder), or set %s to "+
		"its file", FirstInvite, Variable)
}

// FirstInvite is the name of the first invitation's file in the server's folder.
const FirstInvite = "invite"

// ServerFolder returns the default folder of a server on this machine.
func ServerFolder() (string, error) {
	dir, err := files.Data()
	return filepath.Join(dir, "lab"), err
}

// Enter connects a user to the lab of an invitation, or of the remembered one for "", and remembers it. It writes to
// note if that fails.
func Enter(ctx context.Context, invitation string, note io.Writer) (*Conn, error) {
	return enter(ctx, invitation, note, Remember)
}

// Join is Enter for a host.
func Join(ctx context.Context, invitation string, note io.Writer) (*Conn, error) {
	return enter(ctx, invitation, note, rememberHost)
}

func enter(ctx context.Context, invitation string, note io.Writer, remember func(*Invitation) error) (*Conn, error) {
	inv, err := Open(invitation)
	if err != nil {
		return nil, err
	}
	conn, err := Dial(ctx, inv)
	if err != nil {
		return nil, failure.New(failure.Bench, err)
	}
	if err := remember(inv); err != nil {
		fmt.Fprintf(note, "note: %v\n", err)
	}
	return conn, nil
}

// Remember stores an invitation that worked, unless BENCH_LAB is set.
func Remember(inv *Invitation) error {
	if os.Getenv(Variable) != "" {
		return nil
	}
	path, err := Remembered()
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, inv.Text()) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("the invitation is not remembered: %w", err)
	}
	if err := files.Write(path, inv.Text(), files.Private); err != nil {
		return fmt.Errorf("the invitation is not remembered: %w", err)
	}
	return nil
}

// rememberHost stores a host's invitation that worked, unless one to the same lab is remembered: its key names this
// machine's users.
func rememberHost(inv *Invitation) error {
	if old, err := Open(""); err == nil && old.Fingerprint == inv.Fingerprint {
		return nil
	}
	return Remember(inv)
}
