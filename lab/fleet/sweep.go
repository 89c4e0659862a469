package fleet

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"utfbench/station"
	"utfbench/station/native"
	"utfbench/sweep"
)

// A Sweep distributes the blocks of a sweep over a fleet: each board takes the next block when it is free. Fill in the
// fields and call Run.
type Sweep struct {
	Fleet    *Fleet
	Session  *sweep.Session
	NoWiring bool                                  // skip the wiring check
	See      func(*station.Chip) string            // a command that shows more of bad wires
	Made     func(*station.Chip) *sweep.Provenance // the provenance of a block
	Each     func(sweep.Answer) (done, of int)     // receives each block, one at a time

	mu    sync.Mutex
	parts map[string]*part
}

// A part is a board's share of a sweep.
type part struct {
	blocks, wrong int
	tell          func(done, of int, words string) // reports to observers in the lab
}

// Run sweeps on all members, and on boards that join later.
func (s *Sweep) Run(ctx context.Context, members []Member) (*sweep.Certificate, error) {
	s.parts = map[string]*part{}
	return s.Session.Sweep(s.answered, func() error { return s.Fleet.Work(ctx, members, s.work) })
}

// answered records a board's block, and reports the progress of all boards.
func (s *Sweep) answered(a sweep.Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Fleet.progress.Done()
	done, of := s.Each(a)
	p := s.parts[a.By.Transport]
	p.blocks++
	p.wrong += a.Failed
	p.tell(done, of, fmt.Sprintf("by this board: %d, cases wrong: %d", p.blocks, p.wrong))
}

// work assigns blocks to a board. An OutError excludes it from further ones.
func (s *Sweep) work(ctx context.Context, m *Member) error {
	c := m.Chip
	if c.Wires && !s.NoWiring {
		if err := c.Vet(ctx, s.See(c)); err != nil {
			return err
		}
		if c.Broken != nil {
			return &OutError{Why: fmt.Errorf("excluded, since its wiring is at fault: %s", c.BadWires(" "))}
		}
		if doubt := c.Doubt(); doubt != "" {
			return &OutError{Why: fmt.Errorf("excluded: %s", doubt)}
		}
	}
	s.follow(c)
	err := s.Session.Work(ctx, c.Transport, s.Made(c))
	if f := new(sweep.Finding); errors.As(err, &f) {
		return &OutError{Why: fmt.Errorf("no further blocks: %w; bench run -t lab:%s says more", f, m.Name)}
	}
	return err
}

// follow reports a board's share to observers in the lab, across reconnections.
func (s *Sweep) follow(c *station.Chip) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.parts[c.String()]
	if p == nil {
		p = new(part)
		s.parts[c.String()] = p
	}
	p.tell = native.Counted(c, "blocks")
}
