package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"utfbench/driver"
	"utfbench/internal/crash"
	"utfbench/internal/printable"
	"utfbench/lab/server"
	"utfbench/transport/lab"
)

// A Smoker asks boards of the lab that this process serves the short list of vectors. Each such run is a process of its
// own, which comes in by the lab's first invitation as any user does, and ends with this process.
type Smoker struct {
	ctx    context.Context
	end    context.CancelFunc
	server *server.Server
	data   string
	bench  string // the program; "" where there is none

	mu  sync.Mutex
	on  map[string]bool // boards that are asked now
	all crash.Group
}

// NewSmoker returns that of a server. Close it.
func NewSmoker(ctx context.Context, s *server.Server, data, bench string) (*Smoker, error) {
	whole, err := filepath.Abs(data)
	if err != nil {
		return nil, fmt.Errorf("the folder of the lab: %w", err)
	}
	m := &Smoker{server: s, data: whole, bench: bench, on: map[string]bool{}}
	m.ctx, m.end = context.WithCancel(ctx)
	return m, nil
}

// parting is how long a run has to give its board back.
const parting = 2 * time.Second

// Why says why no run can begin; "" while one can.
func (s *Smoker) Why() string {
	switch {
	case s.bench == "":
		return "No smoke run begins from here: the program bench is neither beside benchlab nor in the PATH."
	case !s.server.Invited():
		return "No smoke run begins from here: the lab's first invitation, by which it would come in, was taken away."
	case s.server.Key(server.First) == "":
		return "No smoke run begins from here: the lab's first invitation, by which it would come in, was revoked."
	}
	return ""
}

// Begin begins a run on a board, in the name of a key. All hear of its begin and its end.
func (s *Smoker) Begin(b *lab.Board, by string) error {
	if why := s.Why(); why != "" {
		return errors.New(why)
	}
	name := b.String()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.on[name] {
		return fmt.Errorf("a smoke run goes on there already: %s", name)
	}
	own, err := os.MkdirTemp("", "bench-smoke") // for the run's own history: it is handed in to the lab's
	if err != nil {
		return fmt.Errorf("the run does not begin: %w", err)
	}
	said, told := new(bytes.Buffer), new(ending)
	cmd := s.command(name, own)
	cmd.Stdout, cmd.Stderr = said, told
	if err := cmd.Start(); err != nil {
		_ = os.RemoveAll(own) // as the machine does now and then
		return fmt.Errorf("the run does not begin: %w", err)
	}
	s.on[name] = true
	tell := func(what string) { s.server.Tell(lab.Event{Host: b.Host, Board: b.Name, What: what}) }
	tell("a smoke run was begun by " + by + " from the page")
	s.all.Go(func() {
		err := cmd.Wait()
		_ = os.RemoveAll(own)
		s.mu.Lock()
		delete(s.on, name)
		s.mu.Unlock()
		tell("the smoke run that " + by + " began: " + smoked(said, told, err))
	})
	return nil
}

// Close ends all runs, and returns when they have.
func (s *Smoker) Close() {
	s.end()
	s.all.Wait()
}

// command is the run as a process, with a folder of its own.
func (s *Smoker) command(board, own string) *exec.Cmd {
	cmd := exec.CommandContext(s.ctx, s.bench, "run", "--smoke", "-t", "lab:"+board, "--json", "-")
	cmd.Args[0] = "bench"
	cmd.Dir, cmd.WaitDelay = s.data, parting
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(os.Interrupt); err != nil { // which Windows has not
			return cmd.Process.Kill()
		}
		return nil
	}
	cmd.Env = append(plainEnv(), lab.Variable+"="+server.InviteFile(s.data),
		"BENCH_DB="+filepath.Join(own, "history.db"), "BENCH_CONFIG=none")
	return cmd
}

// smoked says what came of a run: the verdict and the first failure, of its events, or why there is no verdict.
func smoked(events io.Reader, told *ending, ended error) string {
	verdict, first := "", ""
	for dec := json.NewDecoder(events); verdict == ""; {
		var e struct {
			Event, Name, Verdict, Reason string
			Mismatch                     *struct {
				Step  int
				Words string
			}
		}
		if dec.Decode(&e) != nil {
			break
		}
		switch {
		case e.Event == "end":
			verdict = e.Verdict
		case first == "" && (e.Verdict == driver.Fail.String() || e.Verdict == driver.Error.String()):
			if first = e.Name + ": " + e.Reason; e.Mismatch != nil {
				first = fmt.Sprintf("%s, step %d: %s", e.Name, e.Mismatch.Step, e.Mismatch.Words)
			}
		}
	}
	switch {
	case verdict == "":
		return "no verdict: " + cmp.Or(told.line(), fmt.Sprint(ended))
	case first != "":
		return verdict + "; first failure: " + first
	}
	return verdict
}

// An ending is the last that was written to it.
type ending struct{ text []byte }

// mostEnding is how much of it is kept, in bytes.
const mostEnding = 2 << 10

// Write implements io.Writer.
func (e *ending) Write(text []byte) (int, error) {
	e.text = append(e.text, text...)
	e.text = e.text[max(0, len(e.text)-mostEnding):]
	return len(text), nil
}

// line is the last line.
func (e *ending) line() string {
	text := strings.TrimSpace(string(e.text))
	return printable.Text(text[strings.LastIndexByte(text, '\n')+1:])
}
