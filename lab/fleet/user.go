package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"utfbench/internal/failure"
	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// A User connects to the history of a lab on demand, and prints the results for runs.
type User struct {
	Context    context.Context
	Invitation string // its file; "" is the one used last
	Bench      string // this program's version
	Out, Notes io.Writer
	Working    func(what string) (done func()) // announces a slow operation, until done is called
}

// Reach connects to the history. The caller must close it.
func (u *User) Reach() (*History, error) {
	conn, err := lab.Enter(u.Context, u.Invitation, u.Notes)
	if err != nil {
		return nil, err
	}
	return &History{conn, u.Context, u.Bench}, nil
}

// Fetch returns the path of a run's recording, by its number or last, and downloads it if necessary.
func (u *User) Fetch(run string) (string, error) {
	number, err := strconv.Atoi(run)
	if run != "last" && (err != nil || number < 1) {
		return "", failure.Usagef("%s%s: %[1]s takes the number of a run in the lab's history, or last; bench "+
			"history --lab lists them", history.OfLab, run)
	}
	cache, err := UserCache()
	if err != nil {
		return "", err
	}
	l, err := u.Reach()
	if err != nil {
		return "", err
	}
	defer l.Close()
	defer u.Working("fetching " + history.OfLab + run)()
	path, err := l.Fetch(number, cache)
	if err != nil && !lab.Refused(err) {
		err = failure.New(failure.Bench, err)
	}
	return path, err
}

// HandIn hands in the named runs of a history, or the due ones if there are none, and prints each. If a run failed it
// returns an error without text.
func (u *User) HandIn(h *history.History, named []int) error {
	l, err := u.Reach()
	if err != nil {
		return err
	}
	defer l.Close()
	told, failed := 0, false
	tell := func(g *Given) {
		if told++; g.Err == nil {
			fmt.Fprintln(u.Out, g)
			return
		}
		failed = true
		fmt.Fprintf(u.Notes, "bench: %s\n", g)
	}
	if named == nil {
		err = l.HandInDue(h, tell)
	}
	for _, run := range named {
		if u.Context.Err() == nil {
			tell(l.HandIn(h, run))
		}
	}
	switch {
	case err != nil:
		return failure.New(failure.Bench, err)
	case u.Context.Err() != nil:
		return failure.Told(failure.Interrupted)
	case failed:
		return failure.Told(failure.Bench)
	case told == 0:
		return u.nothing(h, l.Where())
	}
	return nil
}

// nothing prints that no run was handed in, and the runs that are due at other labs.
func (u *User) nothing(h *history.History, here string) error {
	fmt.Fprintf(u.Out, "no run is due at the lab %s; bench lab hand-in RUN hands in any\n", here)
	due, err := h.Due()
	for _, d := range due {
		fmt.Fprintf(u.Out, "run %d is due at the lab %s\n", d.Run, d.Lab)
	}
	return err
}

// HandInDue hands in the due runs of a history file, this process's first. A failure is a note, since the run is valid
// nevertheless and stays due.
func (u *User) HandInDue(db string, mine ...int) {
	h, err := history.OpenOld(db)
	if err != nil {
		return // the run is not in the history, as was printed
	}
	if due, err := h.Due(); err != nil || len(due) == 0 {
		return
	}
	given, err := u.giveDue(h, mine)
	if err != nil {
		u.note(err)
	}
	for _, g := range given {
		switch {
		case g.Err == nil:
			fmt.Fprintln(u.Out, g)
		case g.Never():
			fmt.Fprintf(u.Notes, "note: %s\n", g)
		default:
			u.note(errors.New(g.String()))
		}
	}
}

func (u *User) note(err error) {
	fmt.Fprintf(u.Notes, "note: %v; it is due, and bench lab hand-in hands in all that is\n", err)
}

func (u *User) giveDue(h *history.History, mine []int) (given []*Given, err error) {
	if u.Context.Err() != nil {
		return nil, errors.New("the run was not handed in to the lab, as the command was stopped")
	}
	l, err := u.Reach()
	if err != nil {
		return nil, fmt.Errorf("the run was not handed in to the lab: %w", err)
	}
	defer l.Close()
	defer u.Working("handing in to the lab")()
	err = l.HandInDue(h, func(g *Given) { given = append(given, g) }, mine...)
	return given, err
}
