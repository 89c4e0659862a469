package page

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A gate admits browsers. It stores and looks up secrets only by their hashes, so timing reveals nothing.
type gate struct {
	key func(name string) string // a key's public half; "" if the key is not valid

	mu       sync.Mutex
	tokens   map[hash]*pass
	sessions map[hash]*pass
}

type hash [sha256.Size]byte

func hashed(secret string) hash { return sha256.Sum256([]byte(secret)) }

// A pass is the state of a token or a session.
type pass struct {
	Key    string // the pass acts in its name
	public string // the key itself, since another key may get its name
	until  time.Time
	form   string // a session's secret for forms that act
}

const (
	tokenLasts   = 10 * time.Minute
	sessionLasts = 12 * time.Hour
	forEver      = 1000 * time.Hour * 24
	mostOfKey    = 20 // tokens of a key, and sessions of a key
)

func newGate(key func(string) string) *gate {
	return &gate{key: key, tokens: map[hash]*pass{}, sessions: map[hash]*pass{}}
}

// token creates a token for one use; it expires unless lasts is set.
func (g *gate) token(key string, lasts bool) (string, error) {
	p := &pass{Key: key, public: g.key(key), until: time.Now().Add(tokenLasts)}
	if p.public == "" {
		return "", fmt.Errorf("the lab has no key %q", key)
	}
	if lasts {
		p.until = time.Now().Add(forEver)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.add(g.tokens, p), nil
}

var errToken = errors.New("the token was used before, or is too old")

// enter exchanges a token, which is then void, for a session.
func (g *gate) enter(token string) (session string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := hashed(token)
	p := g.tokens[at]
	delete(g.tokens, at)
	if p == nil || !g.counts(p) {
		return "", errToken
	}
	return g.add(g.sessions, &pass{Key: p.Key, public: p.public, until: time.Now().Add(sessionLasts),
		form: rand.Text()}), nil
}

// add stores a pass under a new secret of 130 bits.
func (g *gate) add(to map[hash]*pass, p *pass) (secret string) {
	var oldest hash
	n := 0
	for at, other := range to {
		if !g.counts(other) {
			delete(to, at)
		} else if other.Key == p.Key {
			if n++; n == 1 || other.until.Before(to[oldest].until) {
				oldest = at
			}
		}
	}
	if n >= mostOfKey {
		delete(to, oldest)
	}
	secret = rand.Text()
	to[hashed(secret)] = p
	return secret
}

// session returns the session of a secret, or nil.
func (g *gate) session(secret string) *pass {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.sessions[hashed(secret)]; p != nil && g.counts(p) {
		return p
	}
	return nil
}

func (g *gate) leave(secret string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.sessions, hashed(secret))
}

// counts reports whether a pass has not expired and its key is still valid.
func (g *gate) counts(p *pass) bool { return time.Now().Before(p.until) && g.key(p.Key) == p.public }

// acts reports whether a request carries its session's form secret.
func (p *pass) acts(said string) bool {
	return subtle.ConstantTimeCompare([]byte(said), []byte(p.form)) == 1
}
