package sweep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/tile"
	"utfbench/transport"
)

// A Session is a sweep with its files: a journal, and at the end the certificate. Fill in the fields, call Begin, Run
// and Keep, and always Close. Errors of Begin are bad input; others are not.
type Session struct {
	Runner
	Head        Head   // which Begin changes to that of the journal
	Certificate string // the file for it; "" is none
	Force       bool   // replace an existing certificate
	State       string // the journal's file; "" keeps nothing

	Idle []string // faults that were injected and never acted, for those who are told of its end

	journal      *Journal      // nil when nothing is kept
	steps, cases int           // before this run
	took         time.Duration // by Run
}

// CertificateMode returns the mode of a certificate's file, which replaces an existing one only with force.
func CertificateMode(force bool) files.Mode {
	if force {
		return 0
	}
	return files.New
}

// Select sets the space of a scope, compared with Tile, and the shard parsed by ParseShard. Errors are bad input.
func (s *Session) Select(scope tile.Scope, shard string) (err error) {
	if s.Space, _, err = Open(s.Tile, scope); err != nil {
		return err
	}
	s.Range, err = ParseShard(shard, s.Space.Blocks())
	return err
}

// Gather sweeps with a chip and others opened like it, at most most in all; another is nil for a single chip.
func (s *Session) Gather(ctx context.Context, first transport.Transport,
	another func(context.Context) (transport.Transport, error), most int) error {
	s.Chips = []transport.Transport{first}
	for another != nil && len(s.Chips) < most {
		t, err := another(ctx)
		if err != nil {
			return err
		}
		s.Chips = append(s.Chips, t)
	}
	return nil
}

// Begin checks that the certificate can be written, and begins or resumes the journal. Then Done has its blocks; with
// Plain without signed ones.
func (s *Session) Begin() (err error) {
	if err := s.checkCertificate(); err != nil || s.State == "" {
		return err
	}
	if s.journal, s.Head, s.Done, err = OpenJournal(s.State, s.Head); err != nil {
		return stateError(s.State, err)
	}
	if s.CarryAll {
		s.Done = slices.DeleteFunc(s.Done, func(a Answer) bool { return a.Signed+a.Unsteady > 0 })
	}
	for _, b := range s.Blocks() {
		s.steps += b.Steps
		s.cases += b.Cases
	}
	return nil
}

func (s *Session) checkCertificate() error {
	if s.Certificate == "" {
		return nil
	}
	f, err := files.Create(s.Certificate, CertificateMode(s.Force))
	if errors.Is(err, files.ErrThere) {
		return failure.Usagef("--certificate: %w: name another file, or give --force to replace it", err)
	}
	if err != nil {
		return failure.Usagef("--certificate: %w", err)
	}
	f.Discard()
	return nil
}

// stateError says what to do about a journal that is of no use.
func stateError(path string, err error) error {
	var stranger *OtherSweepError
	var file *fs.PathError
	switch {
	case errors.Is(err, ErrInUse):
		return failure.Usagef("%s: %w; wait until it ends, or name another file with --state", path, err)
	case errors.As(err, &stranger):
		return failure.Usagef("%s: %w; remove the file to start over, or name another with --state", path, err)
	case errors.As(err, &file) && !errors.Is(err, fs.ErrNotExist): // else the folder is not there
		return err
	}
	return failure.Usagef("%s: %w", path, err)
}

// Run sweeps the remaining blocks on Chips, calls each, and parks the chips. It returns as Sweep does.
func (s *Session) Run(ctx context.Context, each func(Answer)) (*Certificate, error) {
	return s.Sweep(each, func() error {
		_, err := s.Runner.Run(ctx)
		for _, t := range s.Chips {
			if cerr := t.Close(); cerr != nil && err == nil {
				err = fmt.Errorf("parking the chip: %w", cerr)
			}
		}
		return err
	})
}

// Sweep calls work, which uses Runner.Work, and adds each result to the journal after calling each. With an error the
// certificate covers the blocks so far.
func (s *Session) Sweep(each func(Answer), work func() error) (*Certificate, error) {
	s.Finished = func(a Answer) error {
		each(a)
		if s.journal == nil {
			return nil
		}
		return s.journal.Add(a)
	}
	began := time.Now()
	err := work()
	s.took = time.Since(began)
	made := &Certificate{Head: s.Head, Blocks: s.Blocks()}
	if by := s.By(); len(by) > 0 {
		made.Head.Made = by
	}
	return made, err
}

// Unfinished returns the error of a sweep that ended early, with the command that resumes it; flags are as for Left.
func (s *Session) Unfinished(ctx context.Context, made *Certificate, flags string, why error) error {
	left := s.Left(len(made.Blocks), flags)
	if ctx.Err() != nil {
		return failure.Newf(failure.Interrupted, "stopped: %s", left)
	}
	return failure.New(failure.Bench, fmt.Errorf("%w (%s)", why, left))
}

// Keep writes the certificate once all blocks are done, and removes the journal.
func (s *Session) Keep(c *Certificate) error {
	if s.Certificate == "" || len(c.Blocks) < s.Head.Count {
		return nil
	}
	if err := files.Write(s.Certificate, c.Text(), CertificateMode(s.Force)); err != nil {
		return err
	}
	j := s.journal
	s.journal = nil
	return j.Remove()
}

// Close parks all chips but the first, which is its opener's, and leaves the journal for another time.
func (s *Session) Close() {
	for _, t := range s.Chips[min(1, len(s.Chips)):] {
		t.Close()
	}
	if s.journal != nil {
		s.journal.Close()
	}
}
