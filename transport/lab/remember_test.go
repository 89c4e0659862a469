package lab

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"

	"utfbench/internal/testkit"
)

func invitation(t *testing.T, name string) *Invitation {
	t.Helper()
	pair := testkit.Must(nkeys.CreateUser())(t)
	seed := testkit.Must(pair.Seed())(t)
	return &Invitation{Place: Place{Lab: "tls://127.0.0.1:7060", Fingerprint: strings.Repeat("0", 64)}, Name: name,
		Seed: string(seed)}
}

// The last invitation that worked is remembered, and only its user can read it.
func TestRemember(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, home)
	}
	t.Setenv(Variable, "")
	if _, err := Open(""); err == nil || !strings.Contains(err.Error(), "no lab is remembered on this machine") {
		t.Error(err)
	}
	path := testkit.Must(Remembered())(t)
	for _, inv := range []*Invitation{invitation(t, "one"), invitation(t, "two")} {
		for range 2 {
			if err := Remember(inv); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := Open(""); err != nil || !reflect.DeepEqual(got, inv) {
			t.Errorf("%+v, %v", got, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
			t.Errorf("%v, %v", info, err)
		}
	}
}

// On the server's machine its first invitation stands in for a remembered one, but not for the one in BENCH_LAB.
func TestServersOwn(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData", "XDG_DATA_HOME", "LocalAppData"} {
		t.Setenv(name, home)
	}
	t.Setenv(Variable, "")
	folder := testkit.Must(ServerFolder())(t)
	own, other := invitation(t, "first"), invitation(t, "other")
	if err := errors.Join(os.MkdirAll(folder, 0o700),
		os.WriteFile(filepath.Join(folder, FirstInvite), own.Text(), 0o600)); err != nil {
		t.Fatal(err)
	}
	if got, err := Open(""); err != nil || !reflect.DeepEqual(got, own) {
		t.Errorf("%+v, %v", got, err)
	}
	if err := Remember(other); err != nil {
		t.Fatal(err)
	}
	if got, err := Open(""); err != nil || !reflect.DeepEqual(got, other) {
		t.Errorf("%+v, %v", got, err)
	}
	t.Setenv(Variable, filepath.Join(home, "none"))
	if got, err := Open(""); err == nil {
		t.Errorf("%+v", got)
	}
}

// A host's invitation replaces no other to the same lab.
func TestRememberHost(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, home)
	}
	t.Setenv(Variable, "")
	elsewhere := invitation(t, "elsewhere")
	elsewhere.Fingerprint = strings.Repeat("1", 64)
	for _, c := range []struct {
		joins *Invitation
		want  string
	}{{invitation(t, "user"), "user"}, {invitation(t, "host"), "user"}, {elsewhere, "elsewhere"}} {
		if err := rememberHost(c.joins); err != nil {
			t.Fatal(err)
		}
		if got, err := Open(""); err != nil || got.Name != c.want {
			t.Errorf("after %s: %+v, %v", c.joins.Name, got, err)
		}
	}
}

// BENCH_LAB replaces the remembered invitation; its file is not changed.
func TestVariable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine")
	t.Setenv(Variable, path)
	if _, err := Open(""); err == nil || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
	mine := invitation(t, "mine")
	if err := os.WriteFile(path, mine.Text(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Remember(invitation(t, "other")); err != nil {
		t.Fatal(err)
	}
	if got, err := Open(""); err != nil || !reflect.DeepEqual(got, mine) {
		t.Errorf("%+v, %v", got, err)
	}
}
