package fleet

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"utfbench/lab/host"
	"utfbench/lab/server"
	"utfbench/station/native"
	"utfbench/transport"
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
		Stuck: 3 * time.Second}
}

// A fleet that only loses boards ends with a message. One that makes progress, or has a slow but responsive board, does
// not.
func TestStuck(t *testing.T) {
	f := aLab(t)
	lost := errors.New("the lease has ended")
	for _, c := range []struct {
		what  string
		work  func(context.Context, *Member) error
		stuck bool
	}{
		{"lost", func(context.Context, *Member) error { return lost }, true},
		{"deaf", func(ctx context.Context, _ *Member) error { <-ctx.Done(); return ctx.Err() }, true},
		{"gets on", func(_ context.Context, m *Member) error {
			for range 6 {
				time.Sleep(f.Stuck / 4)
				f.Done()
			}
			return nil
		}, false},
		{"slow", func(ctx context.Context, m *Member) error {
			for range 40 {
				time.Sleep(f.Stuck / 20)
				if _, err := m.Chip.Apply(ctx, make([]transport.Step, 1), make([]transport.Sample, 1)); err != nil {
					return err
				}
			}
			return nil
		}, false},
	} {
		all, err := f.Muster(t.Context())
		if err != nil {
			t.Fatal(c.what, err)
		}
		err = f.Work(t.Context(), all, c.work)
		if stuck := errors.As(err, new(*StuckError)); stuck != c.stuck || !c.stuck && err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		if c.what == "lost" && !strings.Contains(err.Error(), "first/a: the lease has ended") {
			t.Error(err)
		}
	}
}
