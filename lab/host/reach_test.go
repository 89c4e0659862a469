package host_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/lab/host"
	"utfbench/lab/server"
)

// tells starts a host and returns what it tells people, and its end.
func (r *rig) tells(t *testing.T) (told chan string, ended chan error) {
	told, ended = make(chan string, 100), make(chan error, 1)
	h := host.Host{Bench: "test", Find: func() []host.Offer { return nil }, Tell: func(s string) { told <- s }}
	go func() { ended <- h.Run(t.Context(), r.conn) }()
	if joined := <-told; !strings.Contains(joined, " has joined the lab ") {
		t.Fatal(joined)
	}
	return told, ended
}

// A revoked host ends with that reason and the cure, and says nothing before that misleads.
func TestRevokedHost(t *testing.T) {
	r := newEmptyRig(t)
	told, ended := r.tells(t)
	if err := server.Revoke(r.data, "first"); err != nil {
		t.Fatal(err)
	}
	err := <-ended
	const cure = "ask its operator for a new one, which benchlab invite first makes there, with the --data of " +
		"benchlab serve"
	if err == nil || !strings.HasPrefix(err.Error(), "the invitation of first to the lab at ") ||
		!strings.HasSuffix(err.Error(), cure) {
		t.Error(err)
	}
	if len(told) > 0 {
		t.Errorf("it said %q", <-told)
	}
}

// A host says once that the lab is lost, and once that it is back.
func TestLostLab(t *testing.T) {
	r := newEmptyRig(t)
	told, _ := r.tells(t)
	listen := r.server.Listens()
	r.server.Close()
	all := []string{<-told}
	time.Sleep(3 * time.Second) // it repeats nothing
	r.serve(t, listen)
	all = append(all, <-told)
	if want := []string{"the lab cannot be reached; trying again", "the lab is back"}; !slices.Equal(all, want) {
		t.Errorf("%q", all)
	}
}
