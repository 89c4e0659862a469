package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path"
	"strings"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/transport"
	"utfbench/transport/lab"
	"utfbench/transport/remote"
)

// A Lab is what a user says of a board that another machine has.
type Lab struct {
	Invitation string            // its file; "" is the one that was used last
	Wait       bool              // for the board, if somebody else has it
	Waiting    func(text string) // is told what is waited for, when that changes; may be nil
	Bench      string            // the version of this program
	Does       string            // what is done with the board, for others who want it
}

// openLab takes a board of a lab; WHERE is its name.
func openLab(ctx context.Context, t *Target, where string, c *Chip) (transport.Transport, error) {
	if where == "" {
		return nil, failure.Usagef("transport lab: after lab: comes a board of the lab, as bench lab boards lists them")
	}
	conn, err := t.Lab.dial(ctx)
	if err != nil {
		return nil, err
	}
	b, err := t.borrow(ctx, conn, where, c)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return b, nil
}

func (l *Lab) dial(ctx context.Context) (*lab.Conn, error) {
	inv, err := lab.Open(l.Invitation)
	if err != nil {
		return nil, err
	}
	conn, err := lab.Dial(ctx, inv)
	if err != nil {
		return nil, asking(ctx, err)
	}
	return conn, nil
}

// Boards are those of the lab.
func (l *Lab) Boards(ctx context.Context) (*lab.List, error) {
	conn, err := l.dial(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	list, err := conn.Boards(ctx)
	if err != nil {
		return nil, asking(ctx, err)
	}
	return list, nil
}

// borrow takes the board and has its host open it.
func (t *Target) borrow(ctx context.Context, conn *lab.Conn, where string, c *Chip) (*borrowed, error) {
	b, err := conn.Board(ctx, where)
	if errors.As(err, new(*lab.AmbiguousError)) {
		return nil, fmt.Errorf("transport %s: %w", t.Transport, err)
	}
	if err != nil { // one that is not there may be tomorrow
		return nil, asking(ctx, fmt.Errorf("transport %s: %w", t.Transport, err))
	}
	lease, err := conn.Take(ctx, *b, lab.Wish{Bench: t.Lab.Bench, Who: who(), Does: t.Lab.Does, Wait: t.Lab.Wait},
		t.Lab.waiting())
	if err != nil {
		return nil, asking(ctx, err)
	}
	tr := &borrowed{lease: lease, conn: conn}
	if err := t.reached(ctx, tr, c); err != nil {
		lease.Close()
		return nil, err
	}
	c.lease = lease
	return tr, nil
}

// waiting tells what is waited for, when that changes.
func (l *Lab) waiting() func(*lab.Grant) {
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

// who the user is, for others who want the board.
func who() string {
	name := "somebody"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	machine, _ := os.Hostname()
	return name + "@" + cmp.Or(machine, "a machine without a name")
}

// reached has the host open the board, and takes in what it says of it.
func (t *Target) reached(ctx context.Context, tr *borrowed, c *Chip) (err error) {
	w := Wanted{Tile: t.Tile.Name(), Revision: t.Revision, Project: t.project(), Design: t.Design, Insist: t.Insist,
		Settle: t.Settle, Pulse: t.Pulse, Patience: t.Patience}
	var r Reached
	if err := tr.lease.Open(ctx, &w, &r); err != nil {
		return asking(ctx, err)
	}
	if r.Error != "" {
		return r.err(tr.lease.Board.String())
	}
	c.Board, c.Wires, c.Asked, c.rom, c.at = r.Board, r.Wires, r.Asked, r.ROM, r.At
	c.Firmware, c.Measured, c.Notes = r.Firmware, r.Measured, r.Notes
	if c.Board == nil {
		c.Board = new(boards.Board)
	}
	if err := t.revisionElsewhere(ctx, c); err != nil {
		return err
	}
	tr.Near, err = remote.Open(ctx, tr.lease, "lab:"+tr.lease.Board.String())
	if err != nil {
		return asking(ctx, err)
	}
	return nil
}

// revisionElsewhere is the revision to compare with, by what is known of a board that another machine has.
func (t *Target) revisionElsewhere(ctx context.Context, c *Chip) (err error) {
	if c.Tile, err = t.revision(c.Board); err != nil || c.Asked.Kind != "rp2040" {
		return err
	}
	note, err := t.revisionOf(ctx, c.rom, c)
	if note != "" {
		c.Notes = append(c.Notes, note)
	}
	return err
}

// err is why the host could not open its board.
func (r *Reached) err(board string) error {
	err := fmt.Errorf("%s: %s", board, r.Error)
	if err = failure.New(r.Fault(), err); r.Left != "" {
		err = &LeftError{r.Left, err}
	}
	return err
}

// A borrowed chip is at a board of a lab, which is given back by Close.
type borrowed struct {
	*remote.Near
	lease *lab.Lease
	conn  *lab.Conn
}

// Close implements transport.Transport.
func (b *borrowed) Close() error {
	err := b.Near.Close()
	b.conn.Close()
	return err
}

// Expand gives the targets that lab:PATTERN stands for, see path.Match; every other target is itself.
func (l *Lab) Expand(ctx context.Context, target string) (all []string, err error) {
	pattern, is := strings.CutPrefix(target, "lab:")
	if !is || !strings.ContainsAny(pattern, `*?[`) {
		return []string{target}, nil
	}
	list, err := l.Boards(ctx)
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
