// Package fleet is a user's side of a lab: many boards do one thing together, such as a sweep, and a [History] has the
// lab's runs.
//
// # Words
//
//   - A fleet is the boards of a lab that a command wants: those that fit an [On], and of them those that are of one
//     kind: see [Kind].
//   - To muster is to open what is free, once, at the beginning. After that boards come and go: one that was lost is
//     opened again when it is there, and one that joins the lab later joins the fleet.
//
// # The walk
//
//	lab's list --On--> boards --station.Target.Open--> station.Chip --work--> done, or lost and opened again, or out
//
// What the boards do is the caller's: it is given a chip, and says by its error what becomes of the board. The fleet
// keeps nothing that has to outlive it: each board's host ends its lease.
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

	"utfbench/internal/crash"
	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport/lab"
)

// pause is the retry interval for an unavailable board, and for new ones.
const pause = 2 * lab.Beat

// A Fleet is boards of a lab. Fill in the fields, then call Muster and Work.
type Fleet struct {
	Target station.Target           // how each is opened, but for its name, and whose lab it is
	On     On                       // which of them
	Tell   func(board, text string) // what happens to a board; "" is the lab. One call at a time
	Stuck  time.Duration            // Work ends when nothing was done for so long; 0 is a minute

	kind Kind // after Muster

	mu   sync.Mutex
	told map[string]string // what was said last of each board
	here map[string]bool   // boards that somebody looks after
	busy map[string]stint  // boards at work
	done time.Time         // when something was done last
}

// A stint is one call of a board's work.
type stint struct {
	chip  *station.Chip
	since time.Time
}

// A Member is a board that is open. Its chip is closed by Work.
type Member struct {
	Name string // HOST/BOARD
	Chip *station.Chip
}

// OutError excludes a board: its further results are useless.
type OutError struct{ Why error }

func (e *OutError) Error() string { return e.Why.Error() }

// Unwrap returns the reason.
func (e *OutError) Unwrap() error { return e.Why }

// Muster opens the boards that are wanted and free. There is one at least, and all are of one kind; else the error says
// why, as failure.KindOf says. If the target's lab is to be waited for, it waits for the first that is free.
func (f *Fleet) Muster(ctx context.Context) ([]Member, error) {
	f.told, f.here = map[string]string{}, map[string]bool{}
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
			return nil, f.cannot(failed)
		}
		f.tell("", "waiting for a board: "+failed.Error())
		select {
		case <-ctx.Done():
			return nil, f.cannot(ctx.Err())
		case <-time.After(pause):
		}
	}
}

func (f *Fleet) cannot(why error) error {
	if why == nil {
		return f.On.Unmet()
	}
	return why
}

// openAll opens boards concurrently. Permanent failures are reported; the error is the first that may pass with time.
func (f *Fleet) openAll(ctx context.Context, names []string) (open []Member, failed error) {
	chips, errs := make([]*station.Chip, len(names)), make([]error, len(names))
	var wg crash.Group
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
		f.kind = k
	}
	if len(kinds) < 2 {
		return kept, nil
	}
	for _, m := range kept {
		m.Chip.Close()
	}
	var all []string
	for k, names := range kinds {
		all = append(all, fmt.Sprintf("%s (%s)", k, strings.Join(names, ", ")))
	}
	slices.Sort(all)
	return nil, failure.Usagef("the boards are of %d kinds: say by --on which, of %s", len(kinds),
		strings.Join(all, " and "))
}

// Kind returns the kind of the boards, after Muster.
func (f *Fleet) Kind() Kind { return f.kind }

// Done says that a board has done a part of its work.
func (f *Fleet) Done() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done = time.Now()
}

// begin notes that a board is at work until ended is called.
func (f *Fleet) begin(m *Member) (ended func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy[m.Name] = stint{m.Chip, time.Now()}
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.busy, m.Name)
	}
}

// stuck returns an error if nothing was finished for too long, and no board has been busy and responsive all that time,
// as a slow one may be.
func (f *Fleet) stuck() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	patience := cmp.Or(f.Stuck, time.Minute)
	before := time.Now().Add(-patience)
	if f.done.After(before) {
		return nil
	}
	for _, b := range f.busy {
		if b.since.Before(before) && b.chip.Answered().After(before) {
			return nil
		}
	}
	var why []string
	for _, name := range slices.Sorted(maps.Keys(f.told)) {
		why = append(why, strings.TrimPrefix(cmp.Or(name, "the lab")+": "+f.told[name], name+": "+name+": "))
	}
	return &StuckError{patience, why}
}

// A StuckError is that no board did anything for a time.
type StuckError struct {
	patience time.Duration
	last     []string // what was told of each board
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("no board finished anything for %s, so this ends; the last that was heard: %s", e.patience,
		cmp.Or(strings.Join(e.last, "; "), "nothing"))
}

// Work runs work on each board until one returns without error, since nothing is left; then the others finish. An
// OutError excludes a board; any other error means that it was lost.
func (f *Fleet) Work(ctx context.Context, all []Member, work func(context.Context, *Member) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	hiring, over := context.WithCancel(ctx) // of boards that come
	defer over()
	f.busy, f.done = map[string]stint{}, time.Now()
	var wg crash.Group
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

// newcomers returns boards without a goroutine.
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

// look looks after a board, which may not be open yet, until there is nothing left to do or it is out.
func (f *Fleet) look(ctx, hiring context.Context, m Member, work func(context.Context, *Member) error) (done bool) {
	for {
		var err error
		if m.Chip == nil {
			m.Chip, err = f.openAgain(hiring, m.Name)
		}
		if m.Chip != nil {
			ended := f.begin(&m)
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
		f.tell(m.Name, err.Error())
		if errors.As(err, new(*OutError)) {
			return false
		}
		select {
		case <-hiring.Done():
			return false
		case <-time.After(pause):
		}
	}
}

// openAgain opens a board that was lost or is new; one of another kind is out.
func (f *Fleet) openAgain(ctx context.Context, name string) (*station.Chip, error) {
	c, err := f.open(ctx, name)
	if err != nil {
		return nil, err
	}
	if k := KindOf(c); k != f.kind {
		c.Close()
		return nil, &OutError{fmt.Errorf("it is %s, and the others are %s", k, f.kind)}
	}
	f.tell(name, "it takes part")
	return c, nil
}

// tell publishes an event.
func (f *Fleet) tell(board, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.told[board] != text {
		f.told[board] = text
		f.Tell(board, text)
	}
}
