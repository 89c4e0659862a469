package server

import (
	"net"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/transport/lab"
)

// If another process takes the chosen free port before NATS opens it, another port is used, and the invitation names
// it.
func TestPortLost(t *testing.T) {
	s := &Server{cfg: config(t), name: machine()}
	s.cfg.fill()
	if err := s.prepare(); err != nil {
		t.Fatal(err)
	}
	lost := s.Listens()
	other := testkit.Must(net.Listen("tcp", lost))(t)
	defer other.Close()
	s.ctx, s.stop = t.Context(), func() {}
	t.Cleanup(s.Close)
	if err := s.serve(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := testkit.Must(lab.ReadInvitation(InviteFile(s.cfg.Data)))(t)
	if s.Listens() == lost || first.Lab != s.Address() {
		t.Errorf("it listens at %s, and %s was lost; the invitation says %s, and it is at %s", s.Listens(), lost,
			first.Lab, s.Address())
	}
	dial(t, first)
}
