package main

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"utfbench/internal/testkit"
)

// A killable is a bench that can be killed as the machine's power does it, and started again.
type killable struct {
	name    string
	program string // "" is bench
	args    []string
	env     []string
	cmd     *exec.Cmd
	said    bytes.Buffer
}

func (k *killable) start(t *testing.T) {
	t.Helper()
	k.said.Reset()
	k.cmd = exec.Command(cmp.Or(k.program, "bench"), k.args...)
	k.cmd.Env = append(os.Environ(), k.env...)
	k.cmd.Stdout, k.cmd.Stderr = &k.said, &k.said
	if err := k.cmd.Start(); err != nil {
		t.Fatal(err)
	}
}

func (k *killable) kill() {
	k.cmd.Process.Kill() // fails where it has ended
	k.cmd.Wait()
}

// killedLab is a lab of processes with two hosts, of two boards and of one, that is given a sweep.
type killedLab struct {
	dir         string
	server      *killable
	hosts       []*killable
	asker       *killable
	certificate string
}

func newKilledLab(t *testing.T) *killedLab {
	t.Helper()
	dir := t.TempDir()
	data := filepath.Join(dir, "lab")
	free, err := net.Listen("tcp", "127.0.0.1:0") // which the server has to find free again after it was killed
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	l := &killedLab{dir: dir, certificate: filepath.Join(dir, "cert")}
	l.server = &killable{name: "the server", program: "benchlab",
		args: []string{"serve", "--data", data, "--listen", address}}
	l.server.start(t)
	awaitFile(t, l.server, filepath.Join(data, "invite"))
	second := filepath.Join(dir, "second")
	invite := exec.Command("benchlab", "invite", "second", "--data", data, "--out", second)
	if out, err := invite.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	env := []string{"BENCH_LAB=" + filepath.Join(data, "invite")}
	l.hosts = []*killable{
		{name: "the first host", env: env, args: []string{"lab", "join", "-t", "mock", "--name", "a", "-t", "mock",
			"--name", "b"}},
		{name: "the second host", env: env, args: []string{"lab", "join", second, "-t", "mock", "--name", "c"}},
	}
	for _, h := range l.hosts {
		h.start(t)
	}
	l.asker = &killable{name: "who asks", env: env, args: []string{"lab", "sweep", "--wait", "--space", "ops",
		"--depth", "4", "--certificate", l.certificate}}
	t.Cleanup(func() {
		for _, k := range append(l.hosts, l.server, l.asker) {
			if k.cmd != nil {
				k.kill()
			}
		}
	})
	return l
}

func awaitFile(t *testing.T, of *killable, file string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			return
		}
	}
	t.Fatalf("%s made no %s:\n%s", of.name, file, &of.said)
}

// sweep asks for a sweep until it is done. Kill says what is killed next and after how long; nil leaves it in peace.
func (l *killedLab) sweep(t *testing.T, kill func() (*killable, time.Duration)) {
	t.Helper()
	for tries := 0; ; {
		l.asker.start(t)
		ended := make(chan error, 1)
		go func() { ended <- l.asker.cmd.Wait() }()
		for asking := true; asking; {
			victim, after := kill()
			if victim == nil {
				after = 5 * time.Minute
			}
			select {
			case err := <-ended:
				if err == nil {
					return
				}
				if tries++; tries > 20 { // as when there is no server at its start
					t.Fatalf("%v\n%s", err, &l.asker.said)
				}
				time.Sleep(time.Second)
				asking = false
			case <-time.After(after):
				if victim == nil {
					t.Fatalf("it does not end:\n%s", &l.asker.said)
				}
				victim.cmd.Process.Kill()
				if victim == l.asker {
					<-ended
					asking = false
					continue
				}
				victim.cmd.Wait()
				victim.start(t)
			}
		}
	}
}

// A lab whose server, hosts and asker are killed again and again at random moments leaves the certificate that one
// bench leaves alone, but for who made it.
func TestKilledLabSweep(t *testing.T) {
	t.Parallel()
	l := newKilledLab(t)
	alone := filepath.Join(l.dir, "alone")
	if out, err := exec.Command("bench", "sweep", "--space", "ops", "--depth", "4", "--certificate", alone).
		CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := blocksIn(t, alone)
	victims := append([]*killable{l.server, l.asker}, l.hosts...)
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	most := testkit.Pick(4, 50)
	for kills := 0; kills < most; {
		l.sweep(t, func() (*killable, time.Duration) {
			if kills >= most {
				return nil, 0
			}
			kills++
			victim, after := victims[kills%len(victims)], time.Duration(rng.Int64N(int64(2*time.Second)))
			t.Logf("kill %d: %s after %s", kills, victim.name, after)
			return victim, after
		})
		if got := blocksIn(t, l.certificate); !bytes.Equal(got, want) {
			t.Fatalf("after %d kills the certificate has other blocks", kills)
		}
		if err := os.Remove(l.certificate); err != nil {
			t.Fatal(err)
		}
	}
}

// What a sweep by a lab says for other programs is what the schema of a sweep says, with the boards.
func TestLabSweepDocument(t *testing.T) {
	t.Parallel()
	lab, invite := aLab(t, "-t", "mock", "--name", "a", "-t", "mock", "--name", "b")
	inLab(t, lab, "b", "free")
	file := filepath.Join(t.TempDir(), "json")
	code, said := bench(t, "lab", "sweep", invite, "--space", "ops", "--depth", "3", "--json", file)
	if code != exitPass {
		t.Fatalf("exit code %d, and it says\n%s", code, said)
	}
	text := testkit.Must(os.ReadFile(file))(t)
	if err := testkit.Conforms(testkit.Schema(t, "sweep"), string(text)); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	if !bytes.Contains(text, []byte(`"board": "lab:first/a"`)) {
		t.Errorf("it does not say which boards they were: %s", text)
	}
}

// blocksIn are the lines of a certificate between its head and its end.
func blocksIn(t *testing.T, path string) []byte {
	t.Helper()
	text := testkit.Must(os.ReadFile(path))(t)
	lines := bytes.SplitAfter(text, []byte("\n"))
	if len(lines) < 4 {
		t.Fatalf("%d lines in %s", len(lines), path)
	}
	return bytes.Join(lines[1:len(lines)-2], nil)
}
