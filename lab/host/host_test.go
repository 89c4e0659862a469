package host_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"utfbench/internal/testkit"
	"utfbench/lab"
	"utfbench/lab/host"
	"utfbench/lab/labtest"
	"utfbench/lab/user"
	"utfbench/station/native"
)

// smoke is a job of a few vectors.
var smoke = lab.Job{Tile: "utf", Suites: []string{"structural"}, Count: 1, Timeout: time.Minute, Seed: 1}

// judge runs a job on boards, and returns the results by board.
func judge(t *testing.T, s *lab.Store, job lab.Job, boards []lab.Board) map[string]lab.Result {
	t.Helper()
	r := user.Run{Store: s, Name: "jobs", Boards: boards, Job: job, OnResult: func(lab.Result) {}}
	if err := r.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	results, err := r.Wait(ctx)
	if err != nil {
		t.Fatalf("%d results: %v", len(results), err)
	}
	all := map[string]lab.Result{}
	for _, one := range results {
		all[one.Board] = one
	}
	return all
}

// A job is a PASS on a good board, a FAIL on a faulty one, and an ERROR with the reasons of both runs on a missing one.
// PASS and FAIL have recordings.
func TestJobs(t *testing.T) {
	l := labtest.Serve(t, nil)
	boards := labtest.Mocks("", "uo3=stuck1")
	absent := native.NewTarget("rp2040:/dev/none")
	boards = append(boards, &host.Board{Name: "none", Target: absent})
	l.Join("pi1", l.Enter("pi1", lab.HostRole), boards)
	s := l.Enter("alice", lab.UserRole)
	all := l.AwaitBoards(s, 3)
	got := judge(t, s, smoke, all)
	for board, want := range map[string]string{"m0": "PASS", "m1": "FAIL", "none": "ERROR"} {
		r := got[board]
		if r.Verdict != want || (r.Recording != "") != (want != "ERROR") {
			t.Errorf("%s: %+v", board, r)
		}
	}
	if r := got["none"]; !strings.Contains(r.Text, "the host failed twice; run 1: ") ||
		!strings.Contains(r.Text, "; run 2: ") || len(r.Attempts) != 2 {
		t.Errorf("%+v", r)
	}
	if _, err := lab.Get(t.Context(), s.Recordings, "it", got["m1"].Recording, lab.MaxRecordingBytes); err != nil {
		t.Error(err)
	}
}

// A job with a result is not run again.
func TestRepeatedJob(t *testing.T) {
	l := labtest.Serve(t, nil)
	l.Join("pi1", l.Enter("pi1", lab.HostRole), labtest.Mocks(""))
	s := l.Enter("alice", lab.UserRole)
	l.AwaitBoards(s, 1)
	for n, id := range []string{"again.0", "again.0", "again.1"} {
		j := smoke
		j.ID = id
		if n == 1 {
			j.Suites = []string{"nosuch"} // would be an ERROR if it ran
		}
		subject := lab.JobSubject("pi1", "m0", "alice")
		if _, err := s.JetStream.Publish(t.Context(), subject, lab.Encode(&j)); err != nil {
			t.Fatal(err)
		}
	}
	for {
		all, err := user.Results(t.Context(), s, "again")
		if err != nil {
			t.Fatal(err)
		}
		if len(all) == 2 && !all[1].Ended.IsZero() { // a board runs jobs in order
			if all[0].Verdict != "PASS" || len(all[0].Attempts) != 1 {
				t.Errorf("%+v", all[0])
			}
			return
		}
	}
}

// A job with unusable data is an ERROR with the reason, without a second run.
func TestUnfitJobs(t *testing.T) {
	l := labtest.Serve(t, nil)
	l.Join("pi1", l.Enter("pi1", lab.HostRole), labtest.Mocks(""))
	s := l.Enter("alice", lab.UserRole)
	boards := l.AwaitBoards(s, 1)
	other := testkit.Must(lab.Put(t.Context(), s.Inputs, "a.vec", []byte("suite a\n"), lab.MaxInputBytes))(t)
	info := jetstream.ObjectMeta{Name: strings.Repeat("0", 64)} // a digest that the stored text does not have
	if _, err := s.Inputs.Put(t.Context(), info, strings.NewReader("suite b\n")); err != nil {
		t.Fatal(err)
	}
	for n, c := range []struct {
		change func(*lab.Job)
		want   string
	}{
		{func(j *lab.Job) { j.Suites = []string{"nosuch"} }, "nosuch"},
		{func(j *lab.Job) { j.Tile = "../etc/passwd" }, "built in are"},
		{func(j *lab.Job) { j.Files = []lab.Input{{Name: "/etc/passwd", SHA256: strings.Repeat("1", 64)}} },
			"has no object"},
		{func(j *lab.Job) { j.Files = []lab.Input{{Name: "b.vec", SHA256: info.Name}} }, "its SHA-256 is another"},
		{func(j *lab.Job) { j.Files = []lab.Input{{Name: "a.vec", SHA256: other}} }, "a.vec"},
		{func(j *lab.Job) {
			j.Tile, j.Gates = "tt_um_x", &lab.Gates{Info: lab.Input{Name: "i", SHA256: other},
				Netlist: lab.Input{Name: "n", SHA256: other}}
		}, ""},
	} {
		job := smoke
		c.change(&job)
		r := user.Run{Store: s, Name: "unfit" + string(rune('a'+n)), Boards: boards, Job: job,
			OnResult: func(lab.Result) {}}
		if err := r.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
		results, err := r.Wait(t.Context())
		if err != nil || results[0].Verdict != "ERROR" || !strings.Contains(results[0].Text, c.want) ||
			len(results[0].Attempts) != 1 {
			t.Errorf("%d: %+v, %v", n, results, err)
		}
	}
}

// A job is repeated after its host has died, and is an ERROR with both reasons after a second death.
func TestDeaths(t *testing.T) {
	l := labtest.Serve(t, nil)
	own := l.Enter("pi1", lab.HostRole)
	s := l.Enter("alice", lab.UserRole)
	boards := []lab.Board{{Host: "pi1", Name: "m0"}}
	r := user.Run{Store: s, Name: "died", Boards: boards, Count: 2, Job: smoke, OnResult: func(lab.Result) {}}
	for n := range 2 { // the record of a host that was killed during a run
		left := lab.Result{Job: "died." + string(rune('0'+n)), Host: "pi1", Board: "m0"}
		for range n + 1 {
			left.Attempts = append(left.Attempts, lab.Attempt{Began: time.Unix(1e9, 0)})
		}
		if _, err := own.Results.Put(t.Context(), lab.ResultKey("pi1", left.Job), lab.Encode(&left)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.Join("pi1", own, labtest.Mocks(""))
	results, err := r.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range results {
		if want := map[string]string{"died.0": "PASS", "died.1": "ERROR"}[one.Job]; one.Verdict != want {
			t.Errorf("%+v", one)
		} else if strings.Count(one.Text, "did not end") != map[string]int{"PASS": 1, "ERROR": 2}[want] {
			t.Errorf("%+v", one)
		}
	}
}

// After a restart of the server, the published jobs are judged, and each has one result.
func TestServerIsBack(t *testing.T) {
	l := labtest.Serve(t, nil)
	l.Join("pi1", l.Enter("pi1", lab.HostRole), labtest.Mocks("", ""))
	s := l.Enter("alice", lab.UserRole)
	r := user.Run{Store: s, Name: "back", Boards: l.AwaitBoards(s, 2), Count: 20, Job: smoke,
		OnResult: func(lab.Result) {}}
	if err := r.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.Server.Close()
	l.Start()
	results, err := r.Wait(t.Context())
	if err != nil || len(results) != 40 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	for _, one := range results {
		if one.Verdict != "PASS" {
			t.Errorf("%+v", one)
		}
	}
	if again, err := user.Results(t.Context(), s, "back"); err != nil || len(again) != 40 {
		t.Errorf("%d results, %v", len(again), err)
	}
}
