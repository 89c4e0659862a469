package failure

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// handled installs a handler until the test ends, and returns a channel of its panics.
func handled(t *testing.T) <-chan *Panic {
	t.Helper()
	got := make(chan *Panic, 4)
	HandlePanics(func(p *Panic) { got <- p })
	t.Cleanup(func() { handler.Store(nil) })
	return got
}

func dereference(p *int) { *p++ }

func TestPanicOfGoroutines(t *testing.T) {
	got := handled(t)
	var g Group
	for name, start := range map[string]func(func()){"Go": Go, "Group": g.Go} {
		start(func() { dereference(nil) })
		p := <-got
		if !strings.HasPrefix(p.Error(), "panic: runtime error: invalid memory address") ||
			!strings.Contains(string(p.Stack), "dereference") {
			t.Errorf("%s: %v\n%s", name, p, p.Stack)
		}
	}
	g.Wait() // counts a goroutine that panicked as ended
}

func TestCloseRegistered(t *testing.T) {
	var closed []string
	open := func(name string, err error) func() {
		return CloseOnPanic(func() error { closed = append(closed, name); return err })
	}
	lost := errors.New("cable")
	open("a", nil)()
	defer open("b", lost)()
	if err := CloseRegistered(time.Minute); !errors.Is(err, lost) || !slices.Equal(closed, []string{"b"}) {
		t.Errorf("closed %q, %v; want b alone, and its error", closed, err)
	}
}

// CloseRegistered reports a Close function that fails, and still calls the others.
func TestCloseRegisteredReportsFailures(t *testing.T) {
	never := make(chan struct{})
	defer close(never)
	defer CloseOnPanic(func() error { <-never; return nil })()
	defer CloseOnPanic(func() error { dereference(nil); return nil })()
	closed := make(chan bool, 1)
	defer CloseOnPanic(func() error { closed <- true; return nil })()
	err := CloseRegistered(100 * time.Millisecond)
	var p *Panic
	if !errors.Is(err, ErrCloseTimeout) || !errors.As(err, &p) || len(closed) != 1 {
		t.Errorf("%v, %d closed; want ErrSlow, a Panic, and the third closed", err, len(closed))
	}
}
