package fleet

import (
	"context"
	"encoding/json"
	"iter"

	"utfbench/internal/printable"
	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// A History is a client of a lab's history: it lists the lab's runs, fetches their recordings, and hands in runs of
// this machine's history. Its methods return when its context ends.
//
// A run on a lab's board is marked as due in the machine's history (history.Due) until the lab has accepted it. The lab
// may thus be down when the run ends: the next hand-in takes all runs that are due.
type History struct {
	conn  *lab.Conn
	ctx   context.Context
	bench string // this program's version
}

var _ history.Source = (*History)(nil)

// Close closes the connection.
func (l *History) Close() { l.conn.Close() }

// Where returns the lab's address.
func (l *History) Where() string { return l.conn.Invitation.Lab }

// Runs implements history.Source.
func (l *History) Runs(f history.Filter) iter.Seq2[*history.Run, error] {
	return func(yield func(*history.Run, error) bool) {
		q := lab.RunQuery{Bench: l.bench, Board: f.Board, Device: f.Device, Tile: f.Tile, On: f.Transport,
			Number: f.Number, Before: f.Before, Last: f.Last}
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
func (l *History) Vectors(number int) (all []history.Vector, err error) {
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
