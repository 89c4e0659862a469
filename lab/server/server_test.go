package server_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"utfbench/internal/failure"
	"utfbench/internal/testkit"
	"utfbench/lab"
	"utfbench/lab/labtest"
	"utfbench/lab/server"
)

// An invitation is valid once, until it expires or is revoked. A revoked key is rejected at once.
func TestInvitations(t *testing.T) {
	l := labtest.Serve(t, nil)
	inv, err := server.Invite(l.Data, "alice", lab.UserRole, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.Invite(l.Data, "alice", lab.UserRole, time.Hour); err == nil {
		t.Error("two keys of one name")
	}
	own, err := lab.Enrol(t.Context(), inv)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(c *lab.Credential, what string) {
		t.Helper()
		if nc, err := lab.Dial(t.Context(), c); err == nil {
			nc.Close()
			t.Errorf("%s is admitted", what)
		} else if !strings.Contains(err.Error(), "the lab refuses the") {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused(inv, "a used invitation")
	late, err := server.Invite(l.Data, "late", lab.UserRole, -time.Second)
	if err != nil {
		t.Fatal(err)
	}
	refused(late, "an expired invitation")
	nc := l.Dial(own)
	closed := make(chan struct{})
	nc.SetDisconnectErrHandler(func(*nats.Conn, error) { close(closed) })
	if err := server.Revoke(l.Data, "alice"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-closed:
	case <-time.After(20 * time.Second):
		t.Error("a revoked key's connection is open")
	}
	refused(own, "a revoked key")
	stranger := *own
	stranger.Fingerprint = strings.Repeat("0", 64)
	if _, err := lab.Dial(t.Context(), &stranger); err == nil || !strings.Contains(err.Error(), "another server") {
		t.Errorf("another certificate: %v", err)
	}
	if err := server.Revoke(l.Data, "nobody"); err == nil {
		t.Error("nobody is revoked")
	}
}

// A key can publish and subscribe only to its own subjects.
func TestPermissions(t *testing.T) {
	l := labtest.Serve(t, nil)
	own := map[string]*lab.Credential{lab.UserRole: l.NewKey("alice", lab.UserRole),
		lab.HostRole: l.NewKey("pi1", lab.HostRole)}
	all := []string{"job.pi1.a.alice", "job.pi1.a.bob", "block.x1", "stop.pi1.a", "$O.inputs.M.x",
		"$KV.boards.pi1.a", "$KV.results.pi1.r.1",
		"$KV.sweeps.pi1.s.1.a", "$O.recordings.M.x", "$JS.API.CONSUMER.MSG.NEXT.BLOCKS.blocks",
		"$JS.API.CONSUMER.MSG.NEXT.JOBS.pi1_0", "$JS.API.CONSUMER.CREATE.JOBS.pi1_0.job.pi1.a.*",
		"$JS.ACK.JOBS.pi1_0.1", "$KV.boards.pi2.a", "$KV.results.pi2.r.1", "$KV.sweeps.pi2.s.1.a",
		"$JS.API.CONSUMER.MSG.NEXT.JOBS.pi2_0", "$JS.API.CONSUMER.CREATE.JOBS.pi2_0.job.pi2.a.*",
		"$JS.API.CONSUMER.CREATE.JOBS.pi1_0.job.pi2.a.*", "$JS.API.CONSUMER.CREATE.JOBS.x", "$JS.ACK.JOBS.pi2_0.1",
		"$JS.API.STREAM.CREATE.X", "$JS.API.STREAM.DELETE.JOBS", "$JS.API.STREAM.PURGE.JOBS",
		"$JS.API.STREAM.UPDATE.JOBS", "$JS.API.STREAM.MSG.GET.JOBS", "$JS.API.STREAM.MSG.DELETE.KV_results",
		"$JS.API.CONSUMER.CREATE.OBJ_inputs.x", "$JS.API.CONSUMER.CREATE.KV_results.x",
		"$JS.API.CONSUMER.DELETE.JOBS.pi1_0",
		"$JS.API.META.LEADER.STEPDOWN", "$SYS.REQ.SERVER.PING", "enrol.alice", "enrol.pi1", "_INBOX.alice.x",
		"_INBOX.pi1.x", "anything"}
	may := map[string][]string{
		lab.UserRole: {"job.pi1.a.alice", "block.x1", "stop.pi1.a", "$O.inputs.M.x",
			"$JS.API.CONSUMER.CREATE.KV_results.x"},
		lab.HostRole: {"$KV.boards.pi1.a", "$KV.results.pi1.r.1", "$KV.sweeps.pi1.s.1.a",
			"$O.recordings.M.x", "$JS.API.CONSUMER.MSG.NEXT.BLOCKS.blocks", "$JS.API.CONSUMER.MSG.NEXT.JOBS.pi1_0",
			"$JS.API.CONSUMER.CREATE.JOBS.pi1_0.job.pi1.a.*", "$JS.ACK.JOBS.pi1_0.1",
			"$JS.API.CONSUMER.CREATE.OBJ_inputs.x"},
	}
	for role, key := range own {
		errs := make(chan error, 100)
		nc := l.Dial(key)
		nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { errs <- err })
		for _, subject := range append(all, "the.end") {
			if err := nc.Publish(subject, nil); err != nil {
				t.Fatal(err)
			}
		}
		refused := refusals(t, errs, `"the.end"`)
		for _, subject := range all {
			want := !slices.Contains(may[role], subject)
			if got := strings.Contains(refused, `to "`+subject+`"`); got != want {
				t.Errorf("%s publishes %s: refused %v, want %v", role, subject, got, want)
			}
		}
		listened := []string{">", "job.>", "$KV.>", "enrol.*", "_INBOX.>", "_INBOX.other.>", "stop.pi2.*"}
		for _, subject := range append(listened, "the.end") {
			if _, err := nc.SubscribeSync(subject); err != nil {
				t.Fatal(err)
			}
		}
		refused = refusals(t, errs, `"the.end"`)
		for _, subject := range listened {
			if !strings.Contains(refused, `to "`+subject+`"`) {
				t.Errorf("%s subscribes to %s", role, subject)
			}
		}
	}
}

// refusals returns the errors up to one that contains last.
func refusals(t *testing.T, errs chan error, last string) (all string) {
	t.Helper()
	for {
		select {
		case err := <-errs:
			if all += err.Error() + "\n"; strings.Contains(err.Error(), last) {
				return all
			}
		case <-time.After(time.Minute):
			t.Fatalf("no refusal of %s within a minute", last)
		}
	}
}

// Data that is too large, too many jobs, and writes to a full bucket are each rejected with one sentence.
func TestLimits(t *testing.T) {
	l := labtest.Serve(t, func(c *server.Config) { c.Sizes.Inputs = 1 << 20 })
	s := l.Enter("alice", lab.UserRole)
	put := func(n, size int) error {
		_, err := s.JetStream.Publish(t.Context(), "job.pi1.a.alice", []byte(strings.Repeat("x", size)),
			jetstream.WithMsgID(fmt.Sprint("j", n)))
		return lab.Explain(err)
	}
	if err := put(0, lab.MaxJobBytes+1024); err == nil || !strings.Contains(err.Error(), "larger than the lab allows") {
		t.Errorf("a job of 65 kB: %v", err)
	}
	for n := range lab.MaxWaitingJobs {
		if err := put(n, 10); err != nil {
			t.Fatalf("job %d: %v", n, err)
		}
	}
	if err := put(lab.MaxWaitingJobs, 10); err == nil || !strings.Contains(err.Error(), "storage refuses it") {
		t.Errorf("one job more: %v", err)
	}
	if _, err := l.Enter("bob", lab.UserRole).JetStream.Publish(t.Context(), "job.pi1.a.bob", nil); err != nil {
		t.Errorf("another user's job: %v", err)
	}
	if _, err := lab.Put(t.Context(), s.Inputs, "a.vec", make([]byte, 32<<20+1), lab.MaxInputBytes); err == nil {
		t.Error("a large input is taken")
	}
	_, err := lab.Put(t.Context(), s.Inputs, "a.vec", make([]byte, 2<<20), lab.MaxInputBytes)
	if err == nil || !strings.Contains(err.Error(), "a.vec cannot be stored: ") {
		t.Errorf("a full bucket: %v", err)
	}
}

// A full bucket drops the oldest recordings, and the error of Get for a dropped one says so.
func TestRecordings(t *testing.T) {
	l := labtest.Serve(t, func(c *server.Config) { c.Sizes.Recordings = 1 << 20 })
	host, user := l.Enter("pi1", lab.HostRole), l.Enter("alice", lab.UserRole)
	for size, kept := range map[int]int{300 << 10: 3, 100 << 10: 10} { // recordings of three chunks, and of one
		sums := make([]string, 12)
		for n := range sums {
			text := bytes.Repeat([]byte{byte(n)}, size)
			sums[n] = testkit.Must(lab.Put(t.Context(), host.Recordings, "it", text, lab.MaxRecordingBytes))(t)
		}
		for n, sum := range sums {
			_, err := lab.Get(t.Context(), user.Recordings, "it", sum, lab.MaxRecordingBytes)
			if gone := n < len(sums)-kept; gone != (err != nil) || gone &&
				!strings.Contains(err.Error(), "any more") && !strings.Contains(err.Error(), "is incomplete") {
				t.Errorf("recording %d of %d bytes: %v", n, size, err)
			}
		}
	}
}

// On a full disk the lab rejects inputs with one sentence, as the bench's fault.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("needs a small disk: %s", out)
	}
	defer func() { _ = exec.Command("umount", "-l", disk).Run() }()
	l := labtest.Serve(t, func(c *server.Config) { c.DataDir = disk })
	l.Data = disk
	s := l.Enter("alice", lab.UserRole)
	for n := 0; ; n++ {
		text := bytes.Repeat([]byte{byte(n), byte(n >> 8)}, 50<<10)
		_, err := lab.Put(t.Context(), s.Inputs, "a.vec", text, lab.MaxInputBytes)
		if err != nil {
			if !strings.Contains(err.Error(), "disk may be full") || failure.ExitCode(err) != 3 {
				t.Errorf("input %d: %v", n, err)
			}
			return
		}
	}
}
