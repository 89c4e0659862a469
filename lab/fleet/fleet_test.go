package fleet

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"utfbench/lab/host"
	"utfbench/lab/server"
	"utfbench/station/native"
	"utfbench/transport/lab"
)

// aLab serves a lab with a mock until the test ends.
func aLab(t *testing.T) *Fleet {
	t.Helper()
	data := t.TempDir()
	s, err := server.Start(context.Background(), server.Config{Data: data, Listen: "127.0.0.1:0", Bench: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	t.Setenv(lab.Variable, filepath.Join(data, "invite"))
	inv, err := lab.ReadInvitation(os.Getenv(lab.Variable))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := lab.Dial(t.Context(), inv)
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(context.Background())
	h := host.Host{Bench: "test", Tell: func(string) {},
		Find: func() []host.Offer { return []host.Offer{{Name: "a", Target: native.New("mock")}} }}
	left := make(chan error, 1)
	go func() { left <- h.Run(ctx, conn) }()
	t.Cleanup(func() {
		leave()
		<-left
		conn.Close()
	})
	for len(s.Boards().Boards) == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	return &Fleet{Target: native.New("lab:*"), Tell: func(board, text string) { t.Log(board, text) },
		Stuck: time.Second}
}

// A fleet that only loses its boards, or whose board does not answer, ends with a message.
func TestStuck(t *testing.T) {
	f := aLab(t)
	lost := errors.New("the lease has ended")
	for _, c := range []struct {
		what string
		work func(context.Context, *Member) error
	}{
		{"lost", func(context.Context, *Member) error { return lost }},
		{"deaf", func(ctx context.Context, _ *Member) error { <-ctx.Done(); return ctx.Err() }},
	} {
		all, err := f.Muster(t.Context())
		if err != nil {
			t.Fatal(c.what, err)
		}
		err = f.Work(t.Context(), all, c.work)
		if !errors.As(err, new(*StuckError)) {
			t.Errorf("%s: %v", c.what, err)
		} else if c.what == "lost" && !strings.Contains(err.Error(), "first/a: the lease has ended") {
			t.Error(err)
		}
	}
}

// A fleet is stalled if no board finishes a part for its patience. A slow board that answers keeps it from that, but
// only after it has been busy for as long.
func TestStalled(t *testing.T) {
	const patience = time.Minute
	never := func() time.Time { return time.Time{} }
	for _, c := range []struct {
		what     string
		answered func() time.Time
		finishes bool
		stalled  bool
	}{
		{"idle", nil, false, true},
		{"deaf", never, false, true},
		{"finishes parts", never, true, false},
		{"slow", time.Now, false, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var p progress
			p.start()
			if c.answered != nil {
				defer p.begin("a", c.answered)()
			}
			for range 5 {
				time.Sleep(patience/4 + time.Nanosecond)
				if c.finishes {
					p.Done()
				}
			}
			if got := p.stalled(patience); got != c.stalled {
				t.Errorf("%s: stalled: %t", c.what, got)
			}
		})
	}
}
