package station

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"utfbench/boards"
	"utfbench/fault"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport/rp2040"
)

// Wanted is a bench's request to the machine with the board: the parts of the user's target that concern it. The
// requesting bench judges the samples.
type Wanted struct {
	Tile     string        `json:"tile"`
	Revision string        `json:"revision,omitempty"` // of the mock; "" is its own
	Project  string        `json:"project,omitempty"`  // the tile's name on the shuttles
	Design   string        `json:"design,omitempty"`
	Insist   bool          `json:"insist,omitempty"`
	Settle   time.Duration `json:"settle_ns"`
	Pulse    time.Duration `json:"pulse_ns"`
	Patience time.Duration `json:"patience_ns"`
	Nth      int           `json:"nth,omitempty"` // how often the board was opened before in this lease
}

// Reached describes an opened board to a bench elsewhere.
type Reached struct {
	Error string `json:"error,omitempty"` // why it could not; then only Blame and Left count
	Blame int    `json:"blame"`           // see Fault
	Left  string `json:"left,omitempty"`

	Kind     string        `json:"kind"`
	Wires    bool          `json:"wires"`
	Board    *boards.Board `json:"board"`
	Asked    report.Chip   `json:"asked"`
	ROM      *rp2040.ROM   `json:"rom,omitempty"`
	At       string        `json:"at,omitempty"` // which design is where, for a sentence
	Firmware string        `json:"firmware,omitempty"`
	Measured document.Tags `json:"measured,omitempty"`
	Notes    []string      `json:"notes,omitempty"`
}

// Fail makes it an error.
func (r *Reached) Fail(err error) {
	r.Error, r.Blame = err.Error(), slices.Index(blames, failure.KindOf(err))
}

// Reach opens the target for a bench elsewhere, without testing the chip, which is the judge's task. On failure the
// chip is nil, and the result says why.
func (t *Target) Reach(ctx context.Context, w *Wanted) (*Chip, *Reached) {
	c, r, err := t.tryToReach(ctx, w)
	if err != nil {
		r = new(Reached)
		r.Fail(err)
	}
	return c, r
}

func (t *Target) tryToReach(ctx context.Context, w *Wanted) (*Chip, *Reached, error) {
	of, err := t.asked(w)
	if err != nil {
		return nil, nil, err
	}
	k, where, err := of.Kind()
	if err != nil {
		return nil, nil, err
	}
	c, err := of.reach(ctx, &k, where)
	if err != nil {
		return nil, nil, err
	}
	return c, &Reached{Kind: k.Name, Wires: k.Wires, Board: c.Board, Asked: c.Asked, ROM: c.rom, At: c.at,
		Firmware: c.Firmware, Measured: c.Measured, Notes: c.Notes}, nil
}

// asked returns the target requested by a bench elsewhere.
func (t *Target) asked(w *Wanted) (*Target, error) {
	of := *t
	of.elsewhere, of.Working = true, nil
	of.Design, of.Insist, of.Settle, of.Pulse, of.Patience = w.Design, w.Insist, w.Settle, w.Pulse, w.Patience
	of.named = w.Project
	k, _, err := t.Kind()
	if err != nil {
		return nil, err
	}
	if own, is := BuiltIn(w.Tile); is {
		of.Tile = own
	} else if k.Name == Mock().Name {
		return nil, failure.Usagef("the mock of a lab has only the tiles %s, not %s: on a board any tile can be "+
			"asked", strings.Join(TileNames(), " and "), w.Tile)
	}
	if own, is := tile.ByRevision(of.Tile, w.Revision); is {
		of.Tile = own
	}
	return &of, nil
}

// reach opens the transport, and asks the chip nothing.
func (t *Target) reach(ctx context.Context, k *Kind, where string) (*Chip, error) {
	c, err := t.prepare(k)
	if err != nil {
		return nil, err
	}
	if c.Transport, err = k.Open(ctx, t, where, c); err != nil {
		return nil, err
	}
	if c.Recording != nil {
		return c, nil
	}
	if c.Asked.Kind == "" { // else it was said already which chip answers
		c.identify(k.Name)
	}
	c.Target = t.Words()
	if c.Drawn = t.Seed == 0 && fault.ByChance(c.Faults); c.Drawn {
		c.Target = append(c.Target, "--seed", fmt.Sprint(c.Seed))
	}
	return c, nil
}

// Wants returns the request for this target to the machine with the board.
func (t *Target) Wants() *Wanted {
	return &Wanted{Tile: t.Tile.Name(), Revision: t.Revision, Project: t.project(), Design: t.Design, Insist: t.Insist,
		Settle: t.Settle, Pulse: t.Pulse, Patience: t.Patience}
}

// Take adopts a remote bench's description of its chip: the board, and the revision to compare with. The error is why
// it could not be opened there; name is the board's.
func (t *Target) Take(ctx context.Context, c *Chip, r *Reached, name string) (err error) {
	if r.Error != "" {
		return r.err(name)
	}
	c.Board, c.Wires, c.Asked, c.rom, c.at = r.Board, r.Wires, r.Asked, r.ROM, r.At
	c.Firmware, c.Measured, c.Notes = r.Firmware, r.Measured, r.Notes
	c.Board = cmp.Or(c.Board, new(boards.Board))
	if c.Tile, err = t.revision(c.Board); err != nil || c.Asked.Kind != RP2040().Name {
		return err
	}
	note, err := t.revisionOf(ctx, c.rom, c)
	if note != "" {
		c.Notes = append(c.Notes, note)
	}
	return err
}

// err returns why the host could not open its board.
func (r *Reached) err(board string) error {
	err := fmt.Errorf("%s: %s", board, r.Error)
	if err = failure.New(r.Fault(), err); r.Left != "" {
		err = &LeftError{r.Left, err}
	}
	return err
}

// A LeftError is of a target that could not be opened, and says in which state it leaves a board that people use by its
// prompt too; see Chip.Left.
type LeftError struct {
	Left string
	err  error
}

// Error implements error.
func (e *LeftError) Error() string { return e.err.Error() }

// Unwrap returns the reason.
func (e *LeftError) Unwrap() error { return e.err }

// blames are the kinds of failures by their numbers in the messages of a lab.
var blames = []failure.Kind{failure.User, failure.Bench, failure.OtherDesign, failure.Interrupted}

// Fault returns the kind of the error. An unknown number is the bench's fault.
func (r *Reached) Fault() failure.Kind {
	if r.Blame < 0 || r.Blame >= len(blames) {
		return failure.Bench
	}
	return blames[r.Blame]
}

func benchFault(err error) error { return failure.New(failure.Bench, err) }

// Asking returns the error of a transport, or of the context that ended it.
func Asking(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return failure.Newf(failure.Interrupted, "stopped")
	}
	return benchFault(err)
}
