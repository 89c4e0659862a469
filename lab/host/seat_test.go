package host_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/lab/host"
	"utfbench/station/native"
	"utfbench/transport/lab"
)

// another starts a second host with the same invitation. It ends with the test at the latest.
func (r *rig) another(t *testing.T, offers ...host.Offer) (ended chan error) {
	t.Helper()
	conn := testkit.Must(lab.Dial(t.Context(), r.conn.Invitation))(t)
	ctx, leave := context.WithCancel(context.Background())
	ended = make(chan error, 2)
	h := host.Host{Bench: "test", Find: func() []host.Offer { return offers }, Wait: time.Second,
		Tell: func(s string) {
			if t.Log(s); strings.Contains(s, "in use") {
				t.Error("the reason is also that of the end")
			}
		}}
	go func() {
		err := h.Run(ctx, conn)
		ended <- err
		ended <- err
	}()
	t.Cleanup(func() {
		leave()
		<-ended
		conn.Close()
	})
	return ended
}

func refusedSeat(t *testing.T, ended chan error) {
	t.Helper()
	select {
	case err := <-ended:
		if !errors.As(err, new(*lab.SeatError)) ||
			!strings.Contains(err.Error(), "the key first is in use by the machine") ||
			!strings.Contains(err.Error(), "(on the server's machine: benchlab invite NAME --data ") {
			t.Errorf("it ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("two hosts have one key")
	}
}

// Of two hosts with one key only one is admitted, whether or not it has boards yet.
func TestOneHostAKey(t *testing.T) {
	r := newRig(t)
	refusedSeat(t, r.another(t))
	refusedSeat(t, r.another(t, host.Offer{Name: "other", Target: native.New("mock")}))
}

// A host without a board occupies its key, too.
func TestOneHostAKeyWithoutBoards(t *testing.T) {
	r := newEmptyRig(t)
	first := r.another(t)
	for len(r.server.Hosts()) == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	refusedSeat(t, r.another(t, host.Offer{Name: "other", Target: native.New("mock")}))
	select {
	case err := <-first:
		t.Errorf("the first ended: %v", err)
	default:
	}
}

// A host that finds its place taken, as after a restart of a server that forgot it, ends and leaves its boards to the
// other.
func TestPlaceLost(t *testing.T) {
	r := newEmptyRig(t)
	ended := r.another(t, host.Offer{Name: "good", Target: native.New("mock")})
	r.wait(t, "good", lab.Free)
	listen := r.server.Listens()
	r.server.Close()
	if err := os.Remove(filepath.Join(r.data, "hosts")); err != nil {
		t.Fatal(err)
	}
	r.serve(t, listen)
	conn := testkit.Must(lab.Dial(t.Context(), r.conn.Invitation))(t)
	defer conn.Close()
	other := &lab.Report{Protocol: lab.Protocol, Host: "first", Machine: "other", Instance: "other",
		Boards: []lab.Board{}}
	if _, err := conn.Join(t.Context(), other); err != nil {
		t.Skip("the first host was there again before: ", err)
	}
	refusedSeat(t, ended)
}
