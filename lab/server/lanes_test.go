package server

import (
	"testing"

	"github.com/nats-io/nats.go"
)

// Each of a few reports of a host is handled, since each may have an event. Of many that wait the latest remains.
func TestReportsWait(t *testing.T) {
	l := newLanes(nil)
	for i := range 2 * maxUnmerged {
		l.add("first", &nats.Msg{Subject: "is.first", Data: []byte{byte(i)}})
		waiting := l.all["first"].waiting
		if n := len(waiting); n != min(i+1, maxUnmerged+1) || waiting[n-1].Data[0] != byte(i) {
			t.Fatalf("after %d reports %d wait, the last is report %d", i+1, n, waiting[n-1].Data[0]+1)
		}
	}
	if l.all["first"].bytes != maxUnmerged+1 {
		t.Errorf("%d bytes wait", l.all["first"].bytes)
	}
}
