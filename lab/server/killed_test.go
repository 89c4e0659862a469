package server

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/transport/lab"
)

// dies is the environment variable with the folder of the server process to be killed.
const dies = "LAB_SERVER_DIES_IN"

// TestMain acts as that process if the variable is set.
func TestMain(m *testing.M) {
	if data := os.Getenv(dies); data != "" {
		s, err := Start(context.Background(), Config{Data: data, Listen: "127.0.0.1:0"})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("up")
		<-make(chan bool)
		s.Close()
	}
	os.Exit(m.Run())
}

// victim starts a server process, and waits until it serves.
func victim(t *testing.T, data string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), dies+"="+data)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "up\n" {
		t.Fatal(line, err)
	}
	return cmd
}

// A deadly content kills the server after a number of reads, counted over all contents.
type deadly struct {
	io.ReaderAt
	left *atomic.Int32
	kill func()
}

func (d *deadly) ReadAt(b []byte, at int64) (int, error) {
	if d.left.Add(-1) == 0 {
		d.kill()
	}
	return d.ReaderAt.ReadAt(b, at)
}

// A killed server releases its folder. At the next start the history has every acknowledged run, whole. Any other run
// is absent, does no harm, and can be handed in again.
func TestKilled(t *testing.T) {
	cfg := config(t)
	random := rand.New(rand.NewPCG(1, uint64(os.Getpid())))
	answered := map[int]int{} // run by number
	runs := 0
	for range testkit.Pick(5, 50) {
		runs = killed(t, cfg.Data, random, answered, runs)
		s := start(t, cfg)
		if !s.Invited() {
			t.Error("the first invitation is gone")
		}
		inv := testkit.Must(lab.ReadInvitation(InviteFile(cfg.Data)))(t)
		conn := dial(t, inv)
		for n := 1; n <= runs; n++ {
			number, had := handIn(t, conn, recorded(t, n, 300<<10))
			if old := answered[n]; old != 0 && (number != old || !had) {
				t.Errorf("run %d was %d, and is %d", n, old, number)
			}
			answered[n] = number
		}
		kept(t, s, runs)
		s.Close()
	}
}

// killed hands in runs until the server dies, and returns the number begun.
func killed(t *testing.T, data string, random *rand.Rand, answered map[int]int, from int) int {
	t.Helper()
	cmd := victim(t, data)
	inv := testkit.Must(lab.ReadInvitation(InviteFile(data)))(t)
	conn := dial(t, inv)
	ctx, stop := context.WithCancel(t.Context())
	left, pause := new(atomic.Int32), time.Duration(random.IntN(3000))*time.Microsecond
	left.Store(1 + random.Int32N(9))
	kill := func() {
		time.AfterFunc(pause, func() {
			_ = cmd.Process.Kill()
			stop()
		})
	}
	for n := from + 1; ; n++ {
		text := recorded(t, n, 300<<10)
		number, _, err := conn.HandIn(ctx, offer(text), &deadly{bytes.NewReader(text), left, kill})
		if err != nil {
			_ = cmd.Wait() // it was killed
			return n
		}
		answered[n] = number
	}
}

// kept checks that a history has a number of runs, each with its whole recording, and that the folder has no other.
func kept(t *testing.T, s *Server, runs int) {
	t.Helper()
	h := s.History()
	if n, err := h.Count(); n != runs || err != nil {
		t.Errorf("%d runs, %v; want %d", n, err, runs)
	}
	for n := 1; n <= runs; n++ {
		text, err := os.ReadFile(h.Recording(n))
		sum, serr := h.SHA256(n)
		if err != nil || serr != nil || offer(text).SHA256 != sum {
			t.Errorf("run %d: %v, %v, its SHA-256 is not %s", n, err, serr, sum)
		}
	}
	for pattern, want := range map[string]int{HistoryFile(s.cfg.Data) + "-runs/*.rec*": runs,
		spoolFolder(s.cfg.Data) + "/*": 0} {
		if files, err := filepath.Glob(pattern); len(files) != want || err != nil {
			t.Errorf("%s are %v, %v; want %d", pattern, files, err, want)
		}
	}
}
