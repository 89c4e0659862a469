// Package fleet is the client side of a lab: it runs one job, such as a sweep, on many boards, and its [History] gives
// access to the lab's runs.
//
// # Words
//
//   - A fleet is the set of boards that a command uses: those that match an [On]
//     and have the same [Kind].
//   - Mustering opens all free boards once, at the beginning. Later a lost board is
//     reopened when it returns, and a board that joins the lab joins the fleet.
//
// # The walk
//
//	lab's list --On--> boards --station.Target.Open--> station.Chip --work--> done, or lost and opened again, or out
//
// The caller supplies the work: a function that gets a chip, and whose error decides whether the board is kept. The
// fleet stores nothing permanently: each board's host ends its lease.
package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
	"utfbench/transport/lab"
)

// pause is the retry interval for unavailable and new boards.
const pause = 2 * lab.Beat

// A Fleet is a set of a lab's boards. Fill in the fields, then call Muster and Work.
type Fleet struct {
	Target station.Target           // options for all boards, and the lab; the name is ignored
	On     On                       // which boards
	Tell   func(board, text string) // receives events of a board, or of the lab if "", one at a time
	Stuck  time.Duration            // how long Work waits without progress; 0 is a minute

	Kind Kind // of all boards, after Muster

	progress progress // of Work

	mu      sync.Mutex
	told    map[string]string // the latest event of each board
	trouble map[string]string // the latest event of each board, but for takesPart
	here    map[string]bool   // boards with a goroutine
}

// takesPart is the event of a board that was opened after the beginning.
const takesPart = "it takes part"

// A Member is an open board. Work closes its chip.
type Member struct {
	Name string // HOST/BOARD
	Chip *station.Chip
}

// OutError excludes a board from further work: its results are useless.
type OutError struct{ Why error }

func (e *OutError) Error() string { return e.Why.Error() }

// Unwrap returns the reason.
func (e *OutError) Unwrap() error { return e.Why }

// Muster opens the selected boards that are free. It returns at least one, all of one kind, or an error with the kind
// that failure.KindOf returns. If the target says to wait for the lab, Muster waits for the first free board.
func (f *Fleet) Muster(ctx context.Context) ([]Member, error) {
	f.told, f.trouble, f.here = map[string]string{}, map[string]string{}, map[string]bool{}
	for {
		list, err := native.Boards(ctx, &f.Target.Lab)
		if err != nil {
			return nil, err
		}
		names := f.On.Boards(list)
		if len(names) == 0 {
			return nil, f.On.Nobody(list)
		}
		open, failed := f.openAll(ctx, names)
		if open, err = f.ofOneKind(open); err != nil || len(open) > 0 {
			return open, err
		}
		if failed == nil || !f.Target.Lab.Wait || ctx.Err() != nil || !errors.As(failed, new(*lab.TakenError)) {
			return nil, cmp.Or(failed, f.On.Unmet())
		}
		f.tell("", "waiting for a board: "+failed.Error())
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// openAll opens boards concurrently. It reports permanent failures, and returns the first temporary one.
func (f *Fleet) openAll(ctx context.Context, names []string) (open []Member, failed error) {
	chips, errs := make([]*station.Chip, len(names)), make([]error, len(names))
	var wg failure.Group
	for i, name := range names {
		wg.Go(func() { chips[i], errs[i] = f.open(ctx, name) })
	}
	wg.Wait()
	for i, name := range names {
		if err := errs[i]; err == nil {
			open = append(open, Member{name, chips[i]})
		} else {
			f.tell(name, err.Error())
			if failed == nil || errors.As(err, new(*lab.TakenError)) {
				failed = err
			}
		}
	}
	return open, failed
}

func (f *Fleet) open(ctx context.Context, name string) (*station.Chip, error) {
	of := f.Target
	of.Transport, of.Lab.Wait = "lab:"+name, false
	return of.Open(ctx)
}

// ofOneKind keeps the boards that On selects, and checks that they are of one kind.
func (f *Fleet) ofOneKind(open []Member) (kept []Member, err error) {
	kinds := map[Kind][]string{}
	for _, m := range open {
		k := KindOf(m.Chip)
		if !f.On.Wants(k) {
			m.Chip.Close()
			continue
		}
		kept = append(kept, m)
		kinds[k] = append(kinds[k], m.Name)
		f.Kind = k
	}
	if len(kinds) < 2 {
		return kept, nil
	}
	for _, m := range kept {
		m.Chip.Close()
	}
	var all []string
	for k, names := range kinds {
		with := ""
		if k.Design != k.Revision && slices.Contains(tile.Revisions(kept[0].Chip.Tile), k.Design) { // a mock
			with = " --revision " + k.Design
		}
		all = append(all, fmt.Sprintf("--on %s%s (%s)", cmp.Or(k.among(kinds), k), with, strings.Join(names, ", ")))
	}
	slices.Sort(all)
	return nil, failure.Usagef("the boards differ: choose %s", strings.Join(all, " or "))
}

// stuck returns an error if nothing was finished for too long.
func (f *Fleet) stuck() error {
	patience := cmp.Or(f.Stuck, time.Minute)
	if !f.progress.stalled(patience) {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var why []string
	for _, name := range slices.SortedFunc(maps.Keys(f.trouble), printable.Natural) {
		why = append(why, strings.TrimPrefix(cmp.Or(name, "the lab")+": "+f.trouble[name], name+": "+name+": "))
	}
	return &StuckError{patience, why}
}

// A StuckError reports that no board made progress for a time.
type StuckError struct {
	patience time.Duration
	last     []string // the latest trouble of each board
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("no board made progress for %s: giving up; last events: %s", e.patience,
		cmp.Or(strings.Join(e.last, "; "), "nothing"))
}

// Work runs work on each board until one returns nil because nothing is left to do; then the others finish. An OutError
// excludes a board; any other error means that the board was lost.
func (f *Fleet) Work(ctx context.Context, all []Member, work func(context.Context, *Member) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	hiring, over := context.WithCancel(ctx) // ends when no further boards are accepted
	defer over()
	f.progress.start()
	var wg failure.Group
	look := func(m Member) {
		f.here[m.Name] = true
		wg.Go(func() {
			if f.look(ctx, hiring, m, work) {
				over()
			}
		})
	}
	for _, m := range all {
		look(m)
	}
	for {
		select {
		case <-hiring.Done():
			wg.Wait()
			return context.Cause(ctx)
		case <-time.After(pause):
		}
		if err := f.stuck(); err != nil {
			end(err)
			continue
		}
		for _, name := range f.newcomers(hiring) {
			look(Member{Name: name})
		}
	}
}

// newcomers returns the boards without a goroutine.
func (f *Fleet) newcomers(ctx context.Context) (names []string) {
	list, err := native.Boards(ctx, &f.Target.Lab)
	if err != nil {
		if ctx.Err() == nil {
			f.tell("", err.Error())
		}
		return nil
	}
	return slices.DeleteFunc(f.On.Boards(list), func(name string) bool { return f.here[name] })
}

// look runs work on a board, and opens it first if necessary, until nothing is left to do or the board is out.
func (f *Fleet) look(ctx, hiring context.Context, m Member, work func(context.Context, *Member) error) (done bool) {
	for {
		var err error
		if m.Chip == nil {
			m.Chip, err = f.openAgain(hiring, m.Name)
		}
		if m.Chip != nil {
			ended := f.progress.begin(m.Name, m.Chip.Answered)
			err = work(ctx, &m)
			ended()
			m.Chip.Close()
			m.Chip = nil
		}
		switch {
		case err == nil:
			return true
		case hiring.Err() != nil:
			return false
		}
		if out, is := errors.AsType[*OutError](err); is {
			if !errors.Is(out.Why, errDeselected) {
				f.tell(m.Name, err.Error())
			}
			return false
		}
		f.tell(m.Name, err.Error())
		select {
		case <-hiring.Done():
			return false
		case <-time.After(pause):
		}
	}
}

// errDeselected excludes a board for which the user did not ask.
var errDeselected = errors.New("--on does not select it")

// openAgain opens a lost or new board and excludes one of another kind.
func (f *Fleet) openAgain(ctx context.Context, name string) (*station.Chip, error) {
	c, err := f.open(ctx, name)
	if err != nil {
		return nil, err
	}
	if k := KindOf(c); k != f.Kind {
		c.Close()
		if !f.On.Wants(k) {
			return nil, &OutError{errDeselected}
		}
		return nil, &OutError{fmt.Errorf("it is %s, and the others are %s", k, f.Kind)}
	}
	f.tell(name, takesPart)
	return c, nil
}

// tell publishes an event.
func (f *Fleet) tell(board, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if text != takesPart {
		f.trouble[board] = text
	}
	if f.told[board] != text {
		f.told[board] = text
		f.Tell(board, text)
	}
}
