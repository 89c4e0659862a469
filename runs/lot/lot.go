// Package lot judges many boards at a time: one table, yields, limits and outliers.
//
// # Words
//
//   - A lot is the boards that are judged together, on the same vectors.
//   - A golden unit is a board that is known to be right. It is asked first and alone: if it does not pass, the bench
//     or the unit is not right, and nothing else is judged. It is no part of the lot.
//   - A board is judged if its first run is PASS, WEAK, FAIL or FLAKY, and only PASS passes. One that is gone, taken,
//     behind bad wires, or that the bench could not ask to the end, is not judged: that is not the chip's fault, so it
//     is in no yield but the one of the whole lot, which stands beside and counts it as not passed, as the "true first
//     pass yield" of WATS does.
//   - A retest is another run of a board that was judged and did not pass, with nothing changed. A board that passes in
//     a retest is FLAKY: a digital chip with good wires answers the same steps always in the same way.
//   - First-pass yield is the boards whose first run is PASS, of the boards that were judged. It is counted by unit and
//     by its first test, as is usual, and so counts no retest.
//   - Yield after retest is the boards of which any run is PASS, of the same.
//   - A limit is about what is measured of a board and its bench, such as its rate. It says nothing of the chip's logic
//     and has no part in a verdict or a yield. The guard band is by how much a value has to keep away from its limit:
//     within the band it is MARGINAL, which is PASS with a warning; outside of the limit it is FAIL. (ILAC-G8 calls the
//     two conditional pass and fail, OpenHTF marginal and fail.)
//   - The highest clock of a board, whole and line by line, is measured after its first run, see package timing.
//   - An outlier is a value that lies far from the median of all boards of its kind, see stats.Outliers. It is told and
//     judges nothing.
package lot

import (
	"context"
	"slices"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/runs/matrix"
)

// A Board is one of a lot.
type Board struct {
	Name string           // HOST/NAME
	Away string           // why it was not asked, in a word, such as "gone"; "" if it was, or is to be
	Why  string           // more of that, in words
	Runs []*matrix.Column // the first, then the retests

	Cause string // what explains the first run, in words; "" where nobody knows

	Timing *Timing // nil where nobody asked for it, or it was not judged
}

// first returns the first run, or nil.
func (b *Board) first() *matrix.Column {
	if len(b.Runs) == 0 {
		return nil
	}
	return b.Runs[0]
}

// First returns the verdict of the first run: ERROR for an absent board, SKIPPED for one that is not tested.
func (b *Board) First() driver.Verdict {
	switch {
	case b.Away != "":
		return driver.Error
	case b.first() == nil:
		return driver.Skipped
	}
	return b.first().Verdict()
}

// Judged reports whether the board was judged.
func (b *Board) Judged() bool {
	v := b.First()
	return v == driver.Pass || v == driver.Weak || v == driver.Fail || v == driver.Flaky
}

// Passed reports whether it passed, at first or in a retest.
func (b *Board) Passed() bool {
	return b.Judged() && slices.ContainsFunc(b.Runs, func(c *matrix.Column) bool { return c.Verdict() == driver.Pass })
}

// Verdict returns the board's verdict: FLAKY if it both failed and passed, else the first run's.
func (b *Board) Verdict() driver.Verdict {
	if first := b.First(); first == driver.Pass || !b.Passed() {
		return first
	}
	return driver.Flaky
}

// Reason returns why it could not be tested or broke off, or "".
func (b *Board) Reason() string {
	if b.Away != "" {
		return strings.TrimSuffix(b.Away+": "+b.Why, ": ")
	}
	if b.first() == nil {
		return ""
	}
	return b.first().Reason
}

// A Lot is what became of all boards.
type Lot struct {
	Golden  *Board // nil where none is asked for
	Boards  []*Board
	Limits  []Limit
	Guard   float64 // how wide the guard band is, as a part of the limit
	Elapsed time.Duration
	About   matrix.About
	Where   string // the lab's address

	stopped bool
}

// An Asker asks boards at the same time. It adds a run to each, or says why it is away. An error is that nothing was
// asked.
type Asker func(context.Context, []*Board) error

// Ask tests the golden unit, then all present boards, then repeats those that do not pass. An error is the Asker's,
// before any verdict.
func (l *Lot) Ask(ctx context.Context, ask Asker, retests int) error {
	began := time.Now()
	defer func() { l.Elapsed = time.Since(began) }()
	if l.Golden != nil && l.Golden.Away == "" {
		if err := ask(ctx, []*Board{l.Golden}); err != nil {
			return err
		}
	}
	if l.Refused() {
		return nil
	}
	there := slices.DeleteFunc(slices.Clone(l.Boards), func(b *Board) bool { return b.Away != "" })
	if len(there) == 0 {
		return nil
	}
	if err := ask(ctx, there); err != nil {
		return err
	}
	for range retests {
		again := slices.DeleteFunc(slices.Clone(there), func(b *Board) bool { return !b.Judged() || b.Passed() })
		if len(again) == 0 || ctx.Err() != nil {
			break
		}
		if err := ask(ctx, again); err != nil && ctx.Err() == nil {
			return err
		}
	}
	l.stopped = ctx.Err() != nil
	return nil
}

// Refused reports whether nothing is judged because the golden unit did not pass.
func (l *Lot) Refused() bool { return l.Golden != nil && l.Golden.First() != driver.Pass }

// Interrupted reports whether the user stopped it.
func (l *Lot) Interrupted() bool {
	stopped := func(b *Board) bool {
		return slices.ContainsFunc(b.Runs, func(c *matrix.Column) bool { return c.Stopped })
	}
	return l.stopped || l.Golden != nil && stopped(l.Golden) || slices.ContainsFunc(l.Boards, stopped)
}

// Verdict returns the gravest verdict of all boards, without limits. It is ERROR if the golden unit did not pass.
func (l *Lot) Verdict() driver.Verdict {
	if l.Refused() {
		return driver.Error
	}
	var all []driver.Verdict
	for _, b := range l.Boards {
		all = append(all, b.Verdict())
	}
	return matrix.Gravest(all)
}
