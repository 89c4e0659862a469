package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"time"

	"github.com/spf13/cobra"

	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/sweep"
	"utfbench/transport"
)

// A sweeping is a sweep under way.
type sweeping struct {
	options *sweepOptions
	chip    *chip
	runner  sweep.Runner
	head    sweep.Head
	journal *sweep.Journal // nil when nothing is kept
	steps   int            // before this run
	cases   int            // before this run
	started time.Time
}

// open begins the journal, sees that the certificate can be written, and opens further chips.
func (s *sweeping) open(ctx context.Context) (err error) {
	o := s.options
	vectors, err := sweep.HashFiles(golden.FS())
	if err != nil {
		return benchFault(err)
	}
	s.head = sweep.NewHead(o.scope, s.runner.Space, s.runner.Range, vectors, sweep.Provenance{
		Bench: version(), Transport: s.chip.String(), Chip: s.chip.Asked})
	if err := o.checkCertificate(); err != nil {
		return err
	}
	if o.state != "" {
		if s.journal, s.head, s.runner.Done, err = sweep.OpenJournal(o.state, s.head); err != nil {
			return stateError(o.state, err)
		}
		if o.plain { // what a signature speaks for is done again
			maps.DeleteFunc(s.runner.Done, func(_ int, b sweep.Block) bool { return b.Signed+b.Unsteady > 0 })
		}
	}
	s.runner.Chips = []transport.Transport{s.chip.Transport}
	for s.chip.Another != nil && len(s.runner.Chips) < o.jobs {
		t, err := s.chip.Another(ctx)
		if err != nil {
			return err
		}
		s.runner.Chips = append(s.runner.Chips, t)
	}
	return nil
}

// checkCertificate finds out before the sweep whether the certificate can be written, and that none is lost by it.
func (o *sweepOptions) checkCertificate() error {
	if o.certificate == "" {
		return nil
	}
	f, err := files.Create(o.certificate, o.mode())
	if errors.Is(err, files.ErrThere) {
		return fmt.Errorf("--certificate: %w: name another file, or give --force to replace it", err)
	}
	if err != nil {
		return fmt.Errorf("--certificate: %w", err)
	}
	f.Discard()
	return nil
}

// stateError says what to do about a state that is of no use.
func stateError(path string, err error) error {
	var stranger *sweep.OtherSweepError
	var file *fs.PathError
	switch {
	case errors.Is(err, sweep.ErrInUse):
		return fmt.Errorf("%s: %w; wait until it ends, or name another file with --state", path, err)
	case errors.As(err, &stranger):
		return fmt.Errorf("%s: %w; remove the file to begin anew, or name another with --state", path, err)
	case errors.As(err, &file):
		return fmt.Errorf("--state: %w", err)
	}
	return fmt.Errorf("--state: %s: %w", path, err)
}

// close parks the further chips, and leaves the journal for another time.
func (s *sweeping) close() {
	for _, t := range s.runner.Chips[min(1, len(s.runner.Chips)):] {
		t.Close()
	}
	if s.journal != nil {
		s.journal.Close()
	}
}

func (s *sweeping) run(cmd *cobra.Command) error {
	out, r := cmd.OutOrStdout(), &s.runner
	fmt.Fprintf(out, "%s, board %s, compared with the %s model: %s, %s\n", s.head.Made[0].Transport, s.chip.Board.Name, s.chip.Tile.Revision(), s.options.scope.Space, blocksOf(r))
	for _, note := range s.chip.Notes {
		fmt.Fprintf(out, "  %s\n", note)
	}
	if len(r.Done) > 0 {
		fmt.Fprintf(out, "  %s done before, says %s\n", count(len(r.Done), "block"), s.options.state)
	}
	for _, b := range r.Done {
		s.steps += b.Steps
		s.cases += b.Cases
	}
	bar := newBlockBar(r.Range.End - r.Range.First - len(r.Done))
	r.Finished = func(b sweep.Block) error {
		bar.add(b.Steps)
		if s.journal == nil {
			return nil
		}
		return s.journal.Add(b)
	}
	s.started = time.Now()
	blocks, err := r.Run(cmd.Context())
	bar.clear()
	for _, t := range r.Chips {
		if cerr := t.Close(); cerr != nil && err == nil {
			err = fmt.Errorf("parking the chip: %w", cerr)
		}
	}
	if err != nil {
		return s.stopped(cmd.Context(), len(blocks), err)
	}
	return s.end(out, &sweep.Certificate{Head: s.head, Blocks: blocks})
}

// stopped is for a sweep that an interrupt or a transport ended.
func (s *sweeping) stopped(ctx context.Context, done int, err error) error {
	kept := "they are not kept: give it a --certificate or a --state"
	if s.journal != nil {
		seed := ""
		if s.chip.drawn {
			seed = fmt.Sprintf(" with --seed %d", s.chip.Seed)
		}
		kept = "the same command" + seed + " goes on from there, by " + s.options.state
	}
	kept = fmt.Sprintf("%d of %s done; %s", done, count(s.head.Count, "block"), kept)
	if ctx.Err() != nil {
		return &exit{exitInterrupted, errors.New("stopped: " + kept)}
	}
	return benchFault(fmt.Errorf("%w (%s)", err, kept))
}

// end writes the certificate when all blocks are done, and says the verdict.
func (s *sweeping) end(out io.Writer, c *sweep.Certificate) error {
	if err := printFailure(out, s.runner.Space, s.chip.Tile, c); err != nil {
		return benchFault(err)
	}
	if len(c.Blocks) == s.head.Count {
		if err := s.write(c); err != nil {
			return benchFault(err)
		}
	}
	return s.verdict(out, c)
}

// write writes the certificate; then what was kept meanwhile is of no more use.
func (s *sweeping) write(c *sweep.Certificate) error {
	if s.options.certificate == "" {
		return nil
	}
	if err := files.Write(s.options.certificate, c.Text(), s.options.mode()); err != nil {
		return err
	}
	j := s.journal
	s.journal = nil
	return j.Remove()
}
