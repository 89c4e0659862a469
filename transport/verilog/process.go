package verilog

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"utfbench/internal/confine"
	"utfbench/internal/failure"
)

// A simulation is a running simulator with two pipes.
type simulation struct {
	cmd      *exec.Cmd
	in, out  *os.File
	patience time.Duration
	output   tail
	ended    chan struct{}
	status   error // result of the process, once ended is closed

	requests chan []byte // to the writer
	results  chan error  // one per request
}

// simulate starts a simulator in a folder, or in the current one for "".
func simulate(patience time.Duration, dir, name string, args ...string) (*simulation, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("a pipe to the simulation: %w", err)
	}
	defer theirIn.Close()
	out, theirOut, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, fmt.Errorf("a pipe from the simulation: %w", err)
	}
	defer theirOut.Close()
	s := &simulation{cmd: exec.Command(name, args...), in: in, out: out, patience: patience,
		ended: make(chan struct{}), requests: make(chan []byte), results: make(chan error, 1)}
	s.cmd.ExtraFiles = []*os.File{theirIn, theirOut} // descriptors 3 and 4
	s.cmd.Dir = dir
	s.cmd.Stdout, s.cmd.Stderr = &s.output, &s.output
	wait, err := confine.Start(s.cmd)
	if err != nil {
		in.Close()
		out.Close()
		return nil, fmt.Errorf("starting the simulation: %w", err)
	}
	failure.Go(func() { s.status = <-wait; close(s.ended) })
	failure.Go(s.write)
	return s, nil
}

// write runs in its own goroutine, so that the bench can read samples while the simulator is still receiving steps.
func (s *simulation) write() {
	for b := range s.requests {
		_, err := s.in.Write(b)
		s.results <- err
	}
	s.in.Close()
}

func (s *simulation) send(b []byte) { s.requests <- b }

func (s *simulation) sent() error {
	if err := <-s.results; err != nil {
		return fmt.Errorf("writing to the simulation: %w", err)
	}
	return nil
}

func (s *simulation) expect() { s.out.SetReadDeadline(time.Now().Add(s.patience)) }

func (s *simulation) interrupt() { s.out.SetReadDeadline(time.Unix(1, 0)) }

// end lets the simulator finish the steps sent so far and exit.
func (s *simulation) end() error {
	close(s.requests)
	defer s.out.Close()
	select {
	case <-s.ended:
		return nil
	case <-time.After(confine.GracePeriod):
		s.destroy()
		return fmt.Errorf("the simulation did not end within %s of its last step and was killed", confine.GracePeriod)
	}
}

// kill kills the simulator and its children. No steps may be sent afterwards.
func (s *simulation) kill() {
	s.destroy()
	close(s.requests) // a blocked write fails now
	s.out.Close()
}

func (s *simulation) destroy() {
	select {
	case <-s.ended:
	default:
		confine.Kill(s.cmd.Process)
		<-s.ended
	}
}

// epitaph describes how the simulator ended.
func (s *simulation) epitaph() string {
	select {
	case <-s.ended:
	case <-time.After(confine.GracePeriod):
		return ", and its process is still running" + s.words()
	}
	if exited, is := errors.AsType[*exec.ExitError](s.status); is && exited.ExitCode() != 0 {
		return fmt.Sprintf(" (%s)%s", exited, s.words())
	}
	return ": does the design call $finish or $stop?" + s.words()
}

// words returns the last line printed by the simulator or the design as a sentence, or "".
func (s *simulation) words() string {
	switch line := s.output.last(); {
	case strings.HasSuffix(line, "did not converge."):
		return ". Verilator could not settle the levels: use --simulator icarus"
	case line != "":
		return fmt.Sprintf(" The last that it printed is %q", line)
	}
	return ""
}

// A tail keeps the end of a process's output.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, b...)
	if extra := len(t.b) - 4096; extra > 0 {
		t.b = append(t.b[:0], t.b[extra:]...)
	}
	return len(b), nil
}

// last returns the last line, or the last one that Verilator marks as an error.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.b))
	from := strings.LastIndex(text, "%Error")
	if from < 0 {
		from = strings.LastIndexByte(text, '\n') + 1
	}
	line, _, _ := strings.Cut(text[from:], "\n")
	return strings.TrimSpace(line)
}
