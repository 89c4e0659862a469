//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/lab"
	"utfbench/lab/user"
)

// TestMain runs main in a process that a test starts.
func TestMain(m *testing.M) {
	if os.Getenv("BENCHLAB_MAIN") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// A program is benchlab as a separate process.
type program struct {
	args []string
	cmd  *exec.Cmd
}

func (p *program) start(t *testing.T, dir string) {
	t.Helper()
	self := testkit.Must(os.Executable())(t)
	p.cmd = exec.Command(self, p.args...)
	p.cmd.Dir, p.cmd.Env = dir, append(os.Environ(), "BENCHLAB_MAIN=1")
	testkit.Must(0, p.cmd.Start())(t)
}

func (p *program) kill() {
	_ = p.cmd.Process.Kill() // it may have ended already
	_ = p.cmd.Wait()
}

// Each job has one result, PASS or ERROR with the reasons of both attempts, even if servers, hosts or users are killed.
func TestKills(t *testing.T) {
	dir, listen := t.TempDir(), fmt.Sprint("127.0.0.1:", 20000+rand.IntN(20000))
	benchlab := func(args ...string) {
		t.Helper()
		p := program{args: args}
		p.start(t, dir)
		if err := p.cmd.Wait(); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
	}
	serve := &program{args: []string{"serve", "--data", "data", "--listen", listen}}
	serve.start(t, dir)
	defer func() { serve.kill() }()
	await := func(is func() error) {
		for is() != nil {
			time.Sleep(50 * time.Millisecond)
		}
	}
	await(func() error { _, err := os.Stat(filepath.Join(dir, "data", "place.json")); return err })
	benchlab("invite", "alice", "--data", "data")
	benchlab("boards", "--invite", "alice.invite", "--creds", "alice.key")
	victims := []*program{serve}
	for _, name := range []string{"pi1", "pi2"} {
		benchlab("invite", name, "--host", "--data", "data")
		inv := testkit.Must(lab.ReadCredential(filepath.Join(dir, name+".invite")))(t)
		own := testkit.Must(lab.Enrol(t.Context(), inv))(t)
		testkit.Must(own, own.Write(filepath.Join(dir, name+".key")))(t)
		h := &program{args: strings.Fields("join --creds " + name + ".key -t mock -t mock --name a --name b")}
		h.start(t, dir)
		defer func() { h.kill() }()
		victims = append(victims, h)
	}
	s := enter(t, filepath.Join(dir, "alice.key"))
	r := user.Run{Store: s, Name: "kills", Count: 25, OnResult: func(lab.Result) {},
		Job: lab.Job{Tile: "utf", Count: 1, Suites: []string{"guide"}, Timeout: time.Minute, Seed: 1}}
	for _, h := range []string{"pi1", "pi2"} {
		r.Boards = append(r.Boards, lab.Board{Host: h, Name: "a"}, lab.Board{Host: h, Name: "b"})
	}
	testkit.Must(0, r.Publish(t.Context()))(t)
	for range testkit.Pick(4, 100) {
		time.Sleep(time.Duration(rand.Int64N(int64(600 * time.Millisecond))))
		v := victims[rand.IntN(len(victims))]
		v.kill()
		v.start(t, dir)
		await(func() error { _, err := net.Dial("tcp", listen); return err }) // otherwise a starting host gives up
		u := program{args: []string{"fetch", "kills", "--creds", "alice.key", "--out", "runs"}}
		u.start(t, dir)
		time.Sleep(time.Duration(rand.Int64N(int64(200 * time.Millisecond))))
		u.kill()
	}
	for _, h := range victims[1:] { // a host that was still connecting when the server was killed has given up
		h.kill()
		h.start(t, dir)
	}
	results, err := r.Wait(t.Context())
	if err != nil || len(results) != 100 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	n := map[string]int{}
	for _, one := range results {
		n[one.Verdict]++
		if one.Verdict != "PASS" && (one.Verdict != "ERROR" || !strings.Contains(one.Text, "run 2: ")) {
			t.Errorf("%+v", one)
		}
	}
	t.Logf("%v", n)
}

func enter(t *testing.T, key string) *lab.Store {
	t.Helper()
	own := testkit.Must(lab.ReadCredential(key))(t)
	nc := testkit.Must(lab.Dial(t.Context(), own))(t)
	t.Cleanup(nc.Close)
	return testkit.Must(lab.Open(t.Context(), nc))(t)
}
