package server

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/internal/testkit"
	"utfbench/transport/lab"
)

// flooded sends many messages with one key while another key queries the lab, which must reply before the timeout. It
// returns the longest wait.
func flooded(t *testing.T, eve, alice *lab.Conn, send func() error) (worst time.Duration) {
	t.Helper()
	done := make(chan error, 1)
	go func() {
		err := send()
		if err == nil {
			err = eve.NATS().FlushTimeout(time.Minute)
		}
		done <- err
	}()
	var ended time.Time
	for ended.IsZero() || time.Since(ended) < 200*time.Millisecond {
		begun := time.Now()
		if _, err := alice.Boards(t.Context()); err != nil {
			t.Fatalf("after %s: %v", time.Since(begun), err)
		}
		if _, err := alice.Runs(t.Context(), lab.RunQuery{}); err != nil {
			t.Fatalf("after %s: %v", time.Since(begun), err)
		}
		worst = max(worst, time.Since(begun))
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			ended = time.Now()
		default:
		}
	}
	return worst
}

// No amount of messages from one key keeps another from its replies, or a host from its place.
func TestFlood(t *testing.T) {
	s := start(t, config(t))
	_, eve := invite(t, s, "eve")
	_, alice := invite(t, s, "alice")
	_, bob := invite(t, s, "bob")
	say(t, bob, reportOf("bob", board("b1", lab.Free)))
	crowd := reportOf("eve")
	for n := range maxBoards {
		b := board(fmt.Sprint("b", n), lab.Taken)
		b.What, b.Reason = strings.Repeat("w", maxWords), strings.Repeat("r", maxWords)
		crowd.Boards = append(crowd.Boards, b)
	}
	longest := text(t, crowd)
	huge := bytes.Repeat([]byte("["), int(eve.NATS().MaxPayload()))
	nested := append(append([]byte("["), bytes.Repeat([]byte("{},"), maxReport/3-2)...), "1]"...)
	repeat := func(n int, subject string, data []byte) func() error {
		return func() error {
			for range n {
				reply := lab.InboxOf("eve") + lab.Server + ".x.y"
				if err := eve.NATS().PublishMsg(&nats.Msg{Subject: subject, Reply: reply, Data: data}); err != nil {
					return err
				}
			}
			return nil
		}
	}
	few, many := testkit.Pick(12, 60), testkit.Pick(1000, 100_000)
	for _, c := range []struct {
		what string
		send func() error
	}{
		{"reports of the longest message", repeat(few, "is.eve", huge)},
		{"requests of the longest message", repeat(few, "lab.eve.boards", huge)},
		{"offers of the longest message", repeat(few, "lab.eve.run.offer", huge)},
		{"reports of the longest that are read", repeat(5*few, "is.eve", longest)},
		{"reports of the longest that are not read", repeat(2*few, "is.eve", nested)},
		{"empty requests", repeat(many, "lab.eve.boards", nil)},
		{"empty questions for runs", repeat(many, "lab.eve.run.list", []byte(`{"protocol":1}`))},
	} {
		worst := flooded(t, eve, alice, c.send)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		t.Logf("%s: another key waited %s at most; %d MB of heap", c.what, worst.Round(time.Millisecond), m.HeapSys>>20)
	}
	if got := boards(t, alice); !strings.Contains(got, "bob/b1 free") {
		t.Errorf("%.200s", got)
	}
}
