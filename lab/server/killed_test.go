package server

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// dies names the folder of a server that is a process of its own, and is killed.
const dies = "LAB_SERVER_DIES_IN"

// TestMain is that process too.
func TestMain(m *testing.M) {
	if data := os.Getenv(dies); data != "" {
		if err := keepOn(data); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// stream is one for what has to last.
func stream(ctx context.Context, s *Server) (jetstream.JetStream, jetstream.Stream, error) {
	js, err := jetstream.New(s.nc)
	if err != nil {
		return nil, nil, err
	}
	st, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: "KEPT", Subjects: []string{"kept"}})
	return js, st, err
}

// keepOn keeps one message after another, and says after each that it is kept.
func keepOn(data string) error {
	ctx := context.Background()
	s, err := Start(ctx, Config{Data: data, Listen: "127.0.0.1:0"})
	if err != nil {
		return err
	}
	js, _, err := stream(ctx, s)
	for err == nil {
		var ack *jetstream.PubAck
		if ack, err = js.Publish(ctx, "kept", []byte("x")); err == nil {
			fmt.Println(ack.Sequence)
		}
	}
	return err
}

// A server that is killed lets go of its folder, and what was kept in it is there at the next start.
func TestKilled(t *testing.T) {
	cfg := config(t)
	var last uint64
	for range 3 {
		last = max(last, killed(t, cfg.Data))
		s := start(t, cfg)
		_, st, err := stream(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := st.Info(t.Context()); err != nil || info.State.LastSeq < last || info.State.FirstSeq != 1 {
			t.Errorf("%+v, %v; %d were kept", info, err, last)
		}
		if !s.Invited() {
			t.Error("the first invitation is gone")
		}
		s.Close()
	}
}

// killed gives how many messages were kept before the end.
func killed(t *testing.T, data string) (last uint64) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = append(os.Environ(), dies+"="+data)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	before, lines := uint64(0), bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		if last, err = strconv.ParseUint(strings.TrimSpace(lines.Text()), 10, 64); err != nil {
			t.Fatal(lines.Text())
		}
		if before == 0 {
			before = last
		}
		if n == 50 {
			cmd.Process.Kill()
		}
	}
	if cmd.Wait() == nil || last < before+50 {
		t.Fatalf("it ended after %d", last)
	}
	return last
}
