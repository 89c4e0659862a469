package page

import (
	"testing"
	"testing/synctest"
	"time"

	"utfbench/internal/testkit"
)

// A token admits one browser, once, until it expires.
func TestToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(newFake().Key)
		enter := func(lasts bool, after time.Duration) (session string, err error) {
			token := testkit.Must(g.token("first", lasts))(t)
			time.Sleep(after)
			if session, err = g.enter(token); err != nil {
				return "", err
			}
			if _, again := g.enter(token); again == nil {
				t.Error("a token counts twice")
			}
			return session, nil
		}
		for _, c := range []struct {
			lasts bool
			after time.Duration
			ok    bool
		}{{false, 0, true}, {false, tokenLasts - 1, true}, {false, tokenLasts, false},
			{true, 90 * 24 * time.Hour, true}} {
			session, err := enter(c.lasts, c.after)
			if (err == nil) != c.ok || err == nil && g.session(session) == nil {
				t.Errorf("one that lasts: %v, after %s: %v", c.lasts, c.after, err)
			}
		}
		session := testkit.Must(enter(false, 0))(t)
		time.Sleep(sessionLasts - 1)
		if p := g.session(session); p == nil || p.Key != "first" {
			t.Errorf("a session that is not too old: %+v", p)
		}
		time.Sleep(time.Nanosecond)
		if g.session(session) != nil {
			t.Error("a session lasts for ever")
		}
	})
	for _, wrong := range []string{"", "x", string(make([]byte, 26))} {
		if _, err := newGate(newFake().Key).enter(wrong); err == nil {
			t.Errorf("%q lets in", wrong)
		}
	}
}

// A session ends with its key, and a new key of the same name does not revive it.
func TestRevokedKey(t *testing.T) {
	f := newFake()
	g := newGate(f.Key)
	waiting, err := g.token("pi1", true)
	if err != nil {
		t.Fatal(err)
	}
	token := testkit.Must(g.token("pi1", false))(t)
	session, err := g.enter(token)
	if err != nil || g.session(session) == nil {
		t.Fatal(err)
	}
	for _, now := range []string{"", "another"} {
		f.keys["pi1"] = now
		if g.session(session) != nil {
			t.Errorf("a session outlives its key, which is %q now", now)
		}
	}
	if _, err := g.enter(waiting); err == nil {
		t.Error("a token outlives its key")
	}
	if _, err := g.token("nobody", false); err == nil {
		t.Error("a token in the name of nobody")
	}
}

// A key has a limited number of sessions: the oldest ends. Other keys are not affected.
func TestManySessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(newFake().Key)
		var sessions []string
		come := func(key string) {
			time.Sleep(time.Second)
			token := testkit.Must(g.token(key, false))(t)
			session := testkit.Must(g.enter(token))(t)
			sessions = append(sessions, session)
		}
		come("first")
		for range mostOfKey + 5 {
			come("pi1")
		}
		for range 3 * mostOfKey {
			if _, err := g.token("pi1", false); err != nil {
				t.Fatal(err)
			}
		}
		for i, s := range sessions {
			if there := g.session(s) != nil; there != (i == 0 || i > 5) {
				t.Errorf("session %d: %v", i, there)
			}
		}
		if len(g.sessions) != mostOfKey+1 || len(g.tokens) != mostOfKey {
			t.Errorf("%d sessions, %d tokens", len(g.sessions), len(g.tokens))
		}
	})
}
