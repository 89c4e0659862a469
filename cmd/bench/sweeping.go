package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/tags"
	"utfbench/internal/terminal"
	"utfbench/runs/identity"
	"utfbench/station"
	"utfbench/sweep"
	"utfbench/tile"
	"utfbench/tile/utf/space"
)

// sweeping holds the flags of every sweep.
type sweeping struct {
	target      target
	scope       tile.Scope
	certificate string
	force       bool
	state       string
	maxFailures int
	plain       bool
	json        string
	files       files.Set
	noWiring    bool
	tagged      tagging
	tags        tags.Set
}

func (o *sweeping) flags(cmd *cobra.Command) {
	o.tagged.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.scope.Space, "space", space.Names()[0], "what to sweep: "+strings.Join(space.Names(), ", "))
	f.IntVar(&o.scope.Depth, "depth", space.DefaultDepth, fmt.Sprintf("ops: operations in a sequence, 1 to %d",
		space.MaxDepth))
	f.IntVar(&o.scope.Values, "values", space.DefaultValues, fmt.Sprintf("values: how many are drawn, 0 to %d",
		space.MaxValues))
	f.StringVar(&o.certificate, "certificate", "", "write the certificate to this file")
	f.StringVar(&o.json, "json", "", "write the result to this file, for other programs;  "+standardWords)
	f.BoolVar(&o.force, "force", false, "replace an existing certificate")
	f.StringVar(&o.state, "state", "", "keep finished blocks in this file meanwhile (default: the "+
		"certificate's name with .part)")
	f.IntVar(&o.maxFailures, "max-failures", 10_000, "begin no further block after N wrong cases; 0 is no limit")
	f.BoolVar(&o.plain, "plain", false, "send every step, even where the far end could generate them and sign the "+
		"samples, as a demo board can")
	f.BoolVar(&o.noWiring, "no-wiring", false, "do not check the wires first; see bench wiring")
}

// check fills in defaults.
func (o *sweeping) check(cmd *cobra.Command) error {
	for _, name := range []string{"certificate", "state", "shard", "json"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return failure.Usagef("--%s is empty: give it a value, or leave it out", name)
		}
	}
	if o.maxFailures < 0 {
		return failure.Usagef("--max-failures %d: has to be 0 or more", o.maxFailures)
	}
	var err error
	if o.tags, err = o.tagged.tags(); err != nil {
		return err
	}
	o.scope = space.Settle(o.scope, o.target.Seed, cmd.Flags().Changed)
	if o.state == "" && o.certificate != "" {
		o.state = files.PartName(o.certificate)
	}
	return nil
}

// beginWith opens a sweep's files, by provenance.
func (o *sweeping) beginWith(s *sweep.Session, by *sweep.Provenance) error {
	vectors, err := sweep.HashFiles(golden.FS())
	if err != nil {
		return benchFault(err)
	}
	s.Head = sweep.NewHead(o.scope, s.Space, s.Range, vectors, *by)
	return s.Begin()
}

// provenance identifies the chip and the bench.
func (o *sweeping) provenance(c *station.Chip) *sweep.Provenance {
	return &sweep.Provenance{Bench: version(), Transport: c.String(), Chip: c.Asked, Tags: o.tags}
}

// document begins the file of --json, and gives what writes it.
func (o *sweeping) document(cmd *cobra.Command) (tellSweep, error) {
	o.files.Out = standard(cmd, o.json)
	if o.json == "" {
		return func(identity.About, *sweep.Session, *sweep.Certificate) error { return nil }, nil
	}
	f, err := o.files.Create("--json", o.json, 0)
	return func(about identity.About, s *sweep.Session, made *sweep.Certificate) error {
		return cmp.Or(s.JSON(f, about, made), o.files.Commit())
	}, err
}

// tellSweep writes the result of a sweep, for other programs.
type tellSweep func(identity.About, *sweep.Session, *sweep.Certificate) error

// unfinished returns the error of a sweep that ended early, with the command that resumes it; flags are as for
// Session.Left.
func unfinished(cmd *cobra.Command, s *sweep.Session, made *sweep.Certificate, flags string, why error) error {
	left := s.Left(len(made.Blocks), flags)
	if cmd.Context().Err() != nil {
		return failure.New(failure.Interrupted, errors.New("stopped: "+left))
	}
	return benchFault(fmt.Errorf("%w (%s)", why, left))
}

// A blockBar is the progress of a sweep.
type blockBar struct {
	*terminal.Bar
	done, steps, wrong int
	tell               func(done, of int, words string) // those who look on in a lab; may be nil
}

// newBlockBar returns a bar for the remaining blocks.
func newBlockBar(total int) *blockBar { return &blockBar{Bar: terminal.NewBar(total, "blocks")} }

func (b *blockBar) add(block sweep.Answer) {
	b.done++
	b.steps += block.Steps
	b.Unit = sweep.Rate(b.steps, b.Took()) + ", blocks"
	b.At(b.done)
	if b.wrong += block.Failed; b.tell != nil {
		b.tell(b.done, b.Total, fmt.Sprintf("cases wrong: %d", b.wrong))
	}
}
