package gpio

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// guardWord is the argument that starts a program as a guard.
const guardWord = "gpio-guard"

// program holds the settings of RunAsGuard and UseFakeMachine.
var program struct {
	guards bool
	host   host
}

// RunAsGuard enables a program to guard its chip. Call it first in main, and return from main if it returns true.
//
// A killed process cannot park its chip. [Open] therefore starts the program a second time. In the second process
// RunAsGuard holds one end of a pipe, waits until the other end closes, parks the chip, makes all lines inputs, and
// returns true. Close ends the second process. A program that does not call RunAsGuard has no guard.
//
// A guard does not help if it is also killed, as by a power failure, the end of a container, or a lack of memory.
func RunAsGuard() bool {
	if len(os.Args) != 2 || os.Args[1] != guardWord {
		program.guards = true
		return false
	}
	// After these signals the bench may die, or still be parking; the pipe's end shows when the bench is gone.
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	if err := stand(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "bench: guard of the GPIO lines:", err)
	}
	return true
}

// UseFakeMachine makes Open and RunAsGuard use the given file system and GPIO registers instead of the machine's until
// undo is called. Tests of whole programs call it before RunAsGuard.
func UseFakeMachine(root fs.FS, load func(word int) uint32, store func(word int, value uint32)) (undo func()) {
	program.host = host{machine: machine{root}, kernel: linux{},
		mapPage: func() (page, error) { return accesses{load, store}, nil }}
	return func() { program.host = host{} }
}

type accesses struct {
	loads  func(word int) uint32
	stores func(word int, value uint32)
}

func (a accesses) load(word int) uint32     { return a.loads(word) }
func (a accesses) store(word int, v uint32) { a.stores(word, v) }

// post starts a sentry for the lines of c if the program called RunAsGuard.
func post(c Config) (*sentry, error) {
	if !program.guards {
		return nil, nil
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("a pipe to the guard: %w", err)
	}
	defer theirs.Close()
	s := &sentry{process: exec.Command("/proc/self/exe", guardWord), link: ours}
	s.process.Args[0] = os.Args[0]
	s.process.Stdin, s.process.Stderr = theirs, os.Stderr
	s.process.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no Ctrl-C or hang-up from the bench's terminal
	if err = s.process.Start(); err != nil {
		ours.Close()
		return nil, fmt.Errorf("starting the guard that parks the chip if the bench is killed: %w", err)
	}
	if err = json.NewEncoder(ours).Encode(c); err != nil {
		s.end(true)
		return nil, fmt.Errorf("writing to the guard: %w", err)
	}
	return s, nil
}

// stand waits until the bench at the other end of the pipe has ended, and then parks the chip.
func stand(pipe io.Reader) error {
	var c Config
	d := json.NewDecoder(pipe)
	if err := d.Decode(&c); err != nil {
		return fmt.Errorf("nothing to guard (%w): only bench itself starts one", err)
	}
	_, _ = io.Copy(io.Discard, pipe) // an error of the pipe also means that the bench has ended
	return relieve(c)
}

// The kernel closes a dead bench's descriptors one after another, so its lines may stay in use for a moment.
const (
	relievePatience = 2 * time.Second
	relievePause    = 10 * time.Millisecond
)

// relieve takes over the lines, which parks the chip, and makes them inputs.
func relieve(c Config) error {
	h := thisHost()
	for began := time.Now(); ; time.Sleep(relievePause) {
		t, err := h.open(c)
		if err == nil {
			return t.Close()
		}
		if time.Since(began) > relievePatience {
			return fmt.Errorf("the bench has died, and the lines may still be driven: %w", err)
		}
	}
}
