// Package past is the history of a lab, as a machine with an invitation to it sees it: its runs are listed, their
// recordings are fetched, and runs of the machine's own history are handed in.
//
// A run that was made on a board of a lab is due from its end on, by a mark in the own history (history.Due), until the
// lab has it. So nothing has to be there at the same time: whoever hands in next hands in all that is due.
package past

import (
	"context"
	"encoding/json"
	"io"
	"iter"

	"utfbench/internal/printable"
	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// A Lab is the history of a lab, asked by a connection. It asks until its context ends.
type Lab struct {
	conn  *lab.Conn
	ctx   context.Context
	bench string // the version of this one
}

var _ history.Source = (*Lab)(nil)

// Of returns the history of a connection's lab; bench is the version of this program.
func Of(ctx context.Context, conn *lab.Conn, bench string) *Lab { return &Lab{conn, ctx, bench} }

// Reach connects to the history of the lab of an invitation, "" for the one that was used last. Close it.
func Reach(ctx context.Context, invitation, bench string, note io.Writer) (*Lab, error) {
	conn, err := lab.Enter(ctx, invitation, note)
	if err != nil {
		return nil, err
	}
	return Of(ctx, conn, bench), nil
}

// Close closes the connection.
func (l *Lab) Close() { l.conn.Close() }

// Where returns the lab's address.
func (l *Lab) Where() string { return l.conn.Invitation.Lab }

// Runs implements history.Source.
func (l *Lab) Runs(f history.Filter) iter.Seq2[*history.Run, error] {
	return func(yield func(*history.Run, error) bool) {
		q := lab.RunQuery{Bench: l.bench, Board: f.Board, Device: f.Device, Tile: f.Tile, Number: f.Number,
			Before: f.Before, Last: f.Last}
		for {
			list, err := l.conn.Runs(l.ctx, q)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, text := range list.Runs {
				r := new(history.Run)
				if err := json.Unmarshal(text, r); err != nil {
					yield(nil, err)
					return
				}
				if !yield(r, nil) {
					return
				}
				q.Before = r.Number
			}
			if q.Last -= len(list.Runs); !list.More || len(list.Runs) == 0 || f.Last > 0 && q.Last <= 0 {
				return
			}
			q.Last = max(q.Last, 0)
		}
	}
}

// Vectors implements history.Source.
func (l *Lab) Vectors(number int) (all []history.Vector, err error) {
	for {
		list, err := l.conn.Vectors(l.ctx, lab.VectorQuery{Run: number, From: len(all)})
		if err != nil {
			return nil, err
		}
		for _, text := range list.Vectors {
			var v history.Vector
			if err := printable.Decode(text, &v); err != nil {
				return nil, err
			}
			all = append(all, v)
		}
		if !list.More || len(list.Vectors) == 0 {
			return all, nil
		}
	}
}
