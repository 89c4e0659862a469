package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/transport"
	"utfbench/transport/lab"
	"utfbench/transport/remote"
)

// Lab returns the kind of a board that another machine has.
func Lab() station.Kind {
	return station.Kind{Name: "lab", Form: "lab:BOARD a board on another machine, see bench lab",
		Open: openLab, Factory: canSelect,
		Options: []string{"design", "patience", "insist", "settle", "pulse", "trigger", "at", "sample", "lead",
			"samples", "wait", "invite"},
		Device: func(t *station.Target, _ string) string { return t.Transport },
		Faults: func(t *station.Target, _ *station.Chip) error {
			if len(t.Faults) == 0 {
				return nil
			}
			return failure.Usagef("--fault: the host of %s injects faults, by bench lab join -t mock --fault FAULT",
				t.Transport)
		}}
}

// canSelect reports whether the host of a board can select the chip's factory test.
func canSelect(t *station.Target, c *station.Chip) bool {
	_, is := c.Slow().(*borrowed)
	return is && c.Asked.Kind == station.RP2040().Name && station.HasFactoryTest(t, c)
}

// openLab takes a board of a lab; WHERE is its name.
func openLab(ctx context.Context, t *station.Target, where string, c *station.Chip) (transport.Transport, error) {
	if where == "" {
		return nil, failure.Usagef("transport lab: which board? want lab:BOARD; bench lab boards lists them")
	}
	conn, err := dial(ctx, &t.Lab)
	if err != nil {
		return nil, err
	}
	conn.Tell = t.Tell
	b, err := borrow(ctx, t, conn, where, c)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return b, nil
}

// dial connects to the lab that a user names.
func dial(ctx context.Context, l *station.Lab) (*lab.Conn, error) {
	inv, err := lab.Open(l.Invitation)
	if err != nil {
		return nil, err
	}
	conn, err := lab.Dial(ctx, inv)
	if err != nil {
		return nil, station.Asking(ctx, err)
	}
	return conn, nil
}

// Boards returns the boards of a lab.
func Boards(ctx context.Context, l *station.Lab) (*lab.List, error) {
	conn, err := dial(ctx, l)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	list, err := conn.Boards(ctx)
	if err != nil {
		return nil, station.Asking(ctx, err)
	}
	return list, nil
}

// borrow takes the board and has its host open it.
func borrow(ctx context.Context, t *station.Target, conn *lab.Conn, where string, c *station.Chip) (*borrowed, error) {
	b, err := conn.Board(ctx, where)
	if errors.As(err, new(*lab.AmbiguousError)) {
		return nil, fmt.Errorf("transport %s: %w", t.Transport, err)
	}
	if err != nil { // one that is not there may be tomorrow
		return nil, station.Asking(ctx, fmt.Errorf("transport %s: %w", t.Transport, err))
	}
	lease, err := conn.Take(ctx, *b, lab.Wish{Bench: t.Lab.Bench, Who: who(), Does: t.Lab.Does, Wait: t.Lab.Wait},
		waiting(&t.Lab))
	if err != nil {
		return nil, station.Asking(ctx, err)
	}
	tr := &borrowed{seat: &seat{lease: lease, conn: conn}}
	if err := reached(ctx, t, tr, c); err != nil {
		lease.Close()
		return nil, err
	}
	return tr, nil
}

// waiting reports the reason for waiting when it changes.
func waiting(l *station.Lab) func(*lab.Grant) {
	last := ""
	return func(g *lab.Grant) {
		text := "it is free in a moment"
		if g.Holder != nil {
			text = g.Holder.String()
		}
		text = fmt.Sprintf("place %d in the queue: %s", g.Place, text)
		if text != last && l.Waiting != nil {
			l.Waiting(text)
		}
		last = text
	}
}

// who returns the user's name, for others waiting for the board.
func who() string {
	name := "somebody"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	machine, _ := os.Hostname()
	return name + "@" + cmp.Or(machine, "a machine without a name")
}

// reached makes the host open the board, and takes its description.
func reached(ctx context.Context, t *station.Target, tr *borrowed, c *station.Chip) (err error) {
	var r station.Reached
	w := t.Wants()
	w.Nth = tr.opened
	tr.opened++
	if err := tr.lease.Open(ctx, w, &r); err != nil {
		return station.Asking(ctx, err)
	}
	board := tr.lease.Board.String()
	if err := t.Take(ctx, c, &r, board); err != nil {
		return err
	}
	if tr.Near, err = remote.Open(ctx, link{tr.lease}, "lab:"+board); err != nil {
		return station.Asking(ctx, err)
	}
	return nil
}

// A seat is a board of a lab for the duration of its lease.
type seat struct {
	lease  *lab.Lease
	conn   *lab.Conn
	opened int // how often the host opened the board
}

// giveBack ends the lease.
func (s *seat) giveBack() error {
	err := s.lease.Close()
	s.conn.Close()
	return err
}

// A link is a lease shared by several openings of the board.
type link struct{ *lab.Lease }

func (link) Close() error { return nil }

// A borrowed chip is at a board of a lab, which is given back by Close.
type borrowed struct {
	*remote.Near
	*seat
	kept bool // Close parks the chip and keeps the board
}

func (b *borrowed) Keep() *station.Held {
	b.kept = true
	h := &station.Held{Kind: Lab(), GiveBack: func() { _ = b.giveBack() }}
	h.Kind.Open = func(ctx context.Context, t *station.Target, _ string, c *station.Chip) (transport.Transport, error) {
		tr := &borrowed{seat: b.seat, kept: !h.Last}
		return tr, reached(ctx, t, tr, c)
	}
	return h
}

// Left returns the state in which the board was left.
func (b *borrowed) Left() string { return b.lease.Left() }

// Answered returns when the board answered last.
func (b *borrowed) Answered() time.Time { return b.lease.Answered() }

// Follow shows a run's progress on the lab's page, if the chip is at a board of a lab. Run is called from another
// goroutine.
func Follow(c *station.Chip, run func() lab.Run) bool {
	b, is := c.Slow().(*borrowed)
	if is {
		b.lease.Follow(run)
	}
	return is
}

func (b *borrowed) Close() error {
	err := b.Near.Close()
	if b.kept {
		return err
	}
	return cmp.Or(err, b.giveBack())
}

// Expand gives the targets that lab:PATTERN stands for, see path.Match; every other target is itself.
func Expand(ctx context.Context, l *station.Lab, target string) (all []string, err error) {
	pattern, is := strings.CutPrefix(target, "lab:")
	if !is || !strings.ContainsAny(pattern, `*?[`) {
		return []string{target}, nil
	}
	list, err := Boards(ctx, l)
	if err != nil {
		return nil, err
	}
	for _, b := range list.Boards {
		short, err := path.Match(pattern, b.Name)
		if err != nil {
			return nil, failure.Usagef("transport %s: the pattern is not well-formed", target)
		}
		if long, _ := path.Match(pattern, b.String()); long || short {
			all = append(all, "lab:"+b.String())
		}
	}
	if len(all) == 0 {
		return nil, failure.Usagef("transport %s: no board of the lab has such a name; bench lab boards lists them",
			target)
	}
	return all, nil
}

// DueAt returns the address of the lab at which a target's runs are due, or "" if it is no board of a lab.
func DueAt(t *station.Target) string {
	if k, _, err := t.Kind(); err != nil || k.Name != Lab().Name {
		return ""
	}
	inv, err := lab.Open(t.Lab.Invitation)
	if err != nil {
		return "" // it was removed after it had been used
	}
	return inv.Lab
}

// LabOptions makes a target any board of a lab, and returns the names of its options; the lab itself is an argument.
func LabOptions(t *station.Target) (names []string) {
	t.Transport = "lab:*"
	for _, o := range t.Options() {
		if t.Uses(o.Name) && o.Name != "invite" && o.Name != "board" {
			names = append(names, o.Name)
		}
	}
	return names
}
