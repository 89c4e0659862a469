package lab

import (
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/transport"
)

// A client without a connection does not blame the board's host.
func TestLostConnection(t *testing.T) {
	l := Lease{conn: &Conn{nc: new(nats.Conn)}} // not connected
	if err := l.lost(12 * time.Second); !errors.Is(err, transport.ErrCut) || errors.Is(err, transport.ErrLost) {
		t.Error(err)
	}
}
