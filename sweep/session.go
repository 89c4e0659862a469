package sweep

import (
	"cmp"
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

// A Session is a sweep with its journal and certificate. Fill in the fields, call Begin, Run and Keep, and always call
// Close. Only errors of Begin are usage errors.
type Session struct {
	Runner
	Head        Head   // replaced by the journal's in Begin
	Certificate string // its file; "" for none
	Force       bool   // replace an existing certificate
	State       string // the journal's file; "" for none

	Idle []string // injected faults that never acted, for the output

	journal      *Journal      // nil without a State
	steps, cases int           // of earlier runs
	took         time.Duration // duration of Run
}

// CertificateMode returns the mode for writing a certificate; only force allows replacing an existing file.
func CertificateMode(force bool) files.Mode {
	if force {
		return 0
	}
	return files.New
}

// Select sets the space of a scope, with Tile as the reference, and the shard parsed by ParseShard. Its errors are
// usage errors.
func (s *Session) Select(scope tile.Scope, shard string) (err error) {
	if s.Space, _, err = Open(s.Tile, scope); err != nil {
		return err
	}
	s.Range, err = ParseShard(shard, s.Space.Blocks())
	return err
}

// Gather sets Chips to first and others opened with another, in total up to most chips. another is nil for a single
// chip.
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

// Begin starts or resumes the journal. Done then holds the journal's blocks, but no signed ones with CarryAll.
func (s *Session) Begin() (err error) {
	if s.State == "" {
		return nil
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

// CheckCertificate checks that the certificate can be written.
func (s *Session) CheckCertificate() error {
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

// stateError returns the error for an unusable journal, with a remedy.
func stateError(path string, err error) error {
	var stranger *OtherSweepError
	var file *fs.PathError
	switch {
	case errors.Is(err, ErrInUse):
		return failure.Usagef("%s: %w; wait until it ends, or name another file with --state", path, err)
	case errors.As(err, &stranger):
		return failure.Usagef("%s: %w; remove the file to start over, or name another with --state", path, err)
	case errors.As(err, &file) && !errors.Is(err, fs.ErrNotExist): // otherwise the folder is missing
		return err
	}
	return failure.Usagef("%s: %w", path, err)
}

// Run sweeps the remaining blocks on Chips, calls each, and parks the chips. Its results are Sweep's.
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

// Sweep calls work, which uses Runner.Work. It calls each for each result before adding it to the journal. After an
// error the certificate covers the finished blocks.
func (s *Session) Sweep(each func(Answer), work func() error) (*Certificate, error) {
	s.Finished = func(a Answer) error {
		each(a)
		if s.journal == nil {
			return nil
		}
		return s.journal.Add(a)
	}
	began := time.Now()
	err := cmp.Or(work(), s.queue.err) // which a fleet takes for the loss of a board
	s.took = time.Since(began)
	made := &Certificate{Head: s.Head, Blocks: s.Blocks()}
	if by := s.By(); len(by) > 0 {
		made.Head.Made = by
	}
	return made, err
}

// Unfinished returns the error of a sweep that ended early, with the command that resumes it. flags are as in Left.
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

// Close parks all chips except the first, which its opener closes, and keeps the journal.
func (s *Session) Close() {
	for _, t := range s.Chips[min(1, len(s.Chips)):] {
		t.Close()
	}
	if s.journal != nil {
		s.journal.Close()
	}
}
