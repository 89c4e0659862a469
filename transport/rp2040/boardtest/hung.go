//go:build unix

package boardtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// running maps TTYs to boards.
var running sync.Map

// Revive restarts the board at a port if it does not respond, and describes its process. It returns "" if there is no
// board, or if it responds. MicroPython's WebAssembly port hangs in about one of 1,000 openings, even on an idle
// machine. The port must not be in use.
func Revive(t testing.TB, tty string) (doing string) {
	t.Helper()
	at, there := running.Load(tty)
	if !there {
		return ""
	}
	b := at.(*Board)
	if b.answers(t) {
		return ""
	}
	doing = b.doing()
	b.powerDown()
	b.powerUp(t)
	return doing
}

// patienceOfRevival is the time that a board may take to show its prompt; tests shorten it.
var patienceOfRevival = 20 * time.Second

// answers reports whether the board shows its prompt on request.
func (b *Board) answers(t testing.TB) bool {
	t.Helper()
	tty, err := os.OpenFile(b.TTY, os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	const interrupt, plain = "\x03", "\x02"
	if _, err := tty.WriteString(strings.Repeat("\r", 16) + interrupt + interrupt + plain); err != nil {
		t.Fatal(err)
	}
	tty.SetReadDeadline(time.Now().Add(patienceOfRevival))
	said, part := "", make([]byte, 1024)
	for err == nil && !strings.Contains(said, ">>> ") {
		var n int
		n, err = tty.Read(part)
		said += string(part[:n])
	}
	return err == nil
}

// doing returns each thread's state and CPU time on Linux.
func (b *Board) doing() string {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", b.node.Process.Pid))
	said := []string{fmt.Sprintf("%d threads", len(threads))}
	for _, path := range threads {
		stat, _ := os.ReadFile(path)
		waits, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "wchan"))
		said = append(said, fmt.Sprintf("%s in %q", strings.TrimSpace(string(stat)), waits))
	}
	return strings.Join(said, "; ")
}
