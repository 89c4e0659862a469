package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/lab/fleet"
	"utfbench/lab/server"
	"utfbench/runs/history"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport/lab"
)

// A Smoker runs the smoke vectors on boards of the lab that this process serves. Each run uses the first invitation, as
// a user would, and ends with this process.
type Smoker struct {
	ctx     context.Context
	end     context.CancelFunc
	server  *server.Server
	data    string
	version string // the program's

	mu  sync.Mutex
	on  map[string]bool // boards with a run in progress
	all failure.Group
}

// NewSmoker returns the smoker of a server with the folder data. The caller must close it.
func NewSmoker(ctx context.Context, s *server.Server, data, version string) (*Smoker, error) {
	whole, err := filepath.Abs(data)
	if err != nil {
		return nil, fmt.Errorf("the folder of the lab: %w", err)
	}
	m := &Smoker{server: s, data: whole, version: version, on: map[string]bool{}}
	m.ctx, m.end = context.WithCancel(ctx)
	return m, nil
}

// Why returns the reason why no run can begin, or "".
func (s *Smoker) Why() string {
	switch {
	case !s.server.Invited():
		return "No smoke run can start here: it needs the lab's first invitation, which was removed."
	case s.server.Key(server.First) == "":
		return "No smoke run can start here: it needs the lab's first invitation, which was revoked."
	}
	return ""
}

// Begin starts a run on a board in the name of a key. Its start and its end are published as events.
func (s *Smoker) Begin(b *lab.Board, by string) error {
	if why := s.Why(); why != "" {
		return errors.New(why)
	}
	name := b.String()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ctx.Err() != nil:
		return errors.New("the run does not start: the lab is shutting down")
	case s.on[name]:
		return fmt.Errorf("a smoke run is in progress there: %s", name)
	}
	own, err := os.MkdirTemp("", "bench-smoke") // for a history of its own: the run is handed in to the lab's
	if err != nil {
		return fmt.Errorf("the run does not start: %w", err)
	}
	s.on[name] = true
	tell := func(what string) { s.server.Tell(lab.Event{Host: b.Host, Board: b.Name, What: what}) }
	tell("a smoke run was started by " + by + " from the page")
	s.all.Go(func() {
		said, err := s.run(name, filepath.Join(own, "history.db"))
		_ = os.RemoveAll(own)
		s.mu.Lock()
		delete(s.on, name)
		s.mu.Unlock()
		if err != nil {
			said = "no verdict: " + err.Error()
		}
		tell("the smoke run started by " + by + ": " + printable.Text(said))
	})
	return nil
}

// Close stops all runs and waits for them.
func (s *Smoker) Close() {
	s.end()
	s.all.Wait()
}

// run runs the smoke vectors on a board, hands the run in, and describes the result.
func (s *Smoker) run(board, db string) (said string, err error) {
	t := native.New("lab:" + board)
	t.Lab.Invitation, t.Lab.Bench, t.Lab.Does = server.InviteFile(s.data), s.version, "bench run --smoke"
	r := station.Run{Target: t, Vectors: plan.Selection{Smoke: true}, Version: s.version,
		See: func(*station.Chip) string { return "bench wiring -t lab:" + board }}
	defer r.Close()
	if err := r.Open(s.ctx); err != nil {
		return "", err
	}
	kept := history.NewWriter(db, r.Asked.Suites...)
	if inv, err := lab.Open(t.Lab.Invitation); err == nil {
		kept.Due = inv.Lab
	}
	first := new(firstFailure)
	o, err := r.Judge(s.ctx, append(report.All{kept, report.Each(first.result)}, native.Followed(r.Chip)...))
	switch {
	case err != nil:
		return "", err
	case o.Interrupted:
		return "", errors.New("stopped")
	}
	if err := s.handIn(t.Lab.Invitation, db, kept.Number()); err != nil {
		return "", err
	}
	if o.Trouble != "" {
		return "", errors.New(o.Trouble)
	}
	return o.Verdict().String() + first.said, nil
}

func (s *Smoker) handIn(invitation, db string, number int) error {
	h, err := history.OpenOld(db)
	if err != nil {
		return err
	}
	l, err := fleet.OpenHistory(s.ctx, invitation, s.version, io.Discard)
	if err != nil {
		return err
	}
	defer l.Close()
	var refused error
	err = l.HandInDue(h, func(g *fleet.Given) { refused = cmp.Or(refused, g.Err) }, number)
	return cmp.Or(err, refused)
}

type firstFailure struct{ said string }

func (f *firstFailure) result(r *driver.Result) error {
	if f.said != "" || r.Verdict != driver.Fail && r.Verdict != driver.Error {
		return nil
	}
	f.said = fmt.Sprintf("; first failure: %s: %s", r.Vector.Name, r.Reason)
	if r.First != nil {
		f.said = fmt.Sprintf("; first failure: %s, step %d: %s", r.Vector.Name, r.First.Index+1,
			report.Words(r))
	}
	return nil
}
