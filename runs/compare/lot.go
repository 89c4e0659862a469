package compare

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/printable"
)

// A Board is a board of a lot.
type Board struct {
	Name string    // HOST/NAME
	Away string    // why it was not tested, in a word such as "gone"; else ""
	Why  string    // details, in words
	Runs []*Column // the first run, then the retests

	Cause string // explanation of the first run; "" if unknown
}

func (b *Board) first() *Column {
	if len(b.Runs) == 0 {
		return nil
	}
	return b.Runs[0]
}

// First returns the verdict of the first run: ERROR for an absent board, SKIPPED for one that was not tested.
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

// Passed reports whether the board passed its first run or a retest.
func (b *Board) Passed() bool {
	return b.Judged() && slices.ContainsFunc(b.Runs, func(c *Column) bool { return c.Verdict() == driver.Pass })
}

// Verdict returns the board's verdict: FLAKY if it both failed and passed, else the first run's.
func (b *Board) Verdict() driver.Verdict {
	if first := b.First(); first == driver.Pass || !b.Passed() {
		return first
	}
	return driver.Flaky
}

// Reason returns why the board could not be tested or its run broke off, or "".
func (b *Board) Reason() string {
	if b.Away != "" {
		return strings.TrimSuffix(b.Away+": "+b.Why, ": ")
	}
	if b.first() == nil {
		return ""
	}
	return b.first().Cut()
}

// A Lot is the results of all boards; words.txt defines its terms. The golden unit is no part of it. A board that could
// not be judged counts as not passed only in the yield of the whole lot, which is shown too; WATS calls that the "true
// first pass yield". As usual, the first-pass yield counts units by their first test, so retests do not matter.
type Lot struct {
	Golden  *Board // nil if there is none
	Boards  []*Board
	Elapsed time.Duration
	About   About
	Where   string // the lab's address

	stopped bool
}

// An Asker tests boards concurrently. It adds a run to each, or records why it is away. An error means that nothing was
// tested.
type Asker func(context.Context, []*Board) error

// Ask tests the golden unit, then all present boards, then repeats those that do not pass. The error is the Asker's,
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

// Interrupted reports whether the user stopped a run.
func (l *Lot) Interrupted() bool {
	stopped := func(b *Board) bool {
		return slices.ContainsFunc(b.Runs, func(c *Column) bool { return c.Stopped })
	}
	return l.stopped || l.Golden != nil && stopped(l.Golden) || slices.ContainsFunc(l.Boards, stopped)
}

// Verdict returns the gravest verdict of all boards. It is ERROR if the golden unit did not pass.
func (l *Lot) Verdict() driver.Verdict {
	if l.Refused() {
		return driver.Error
	}
	var all []driver.Verdict
	for _, b := range l.Boards {
		all = append(all, b.Verdict())
	}
	return Gravest(all)
}

// Meaning explains the verdict in one sentence.
func (l *Lot) Meaning() string {
	if l.Refused() && !l.Golden.Judged() {
		return fmt.Sprintf("the golden unit %s was not judged, so no other board was", l.Golden.Name)
	}
	if l.Refused() {
		return fmt.Sprintf("the golden unit %s did not pass: the bench or this unit is at fault, so no board "+
			"was judged", l.Golden.Name)
	}
	counts := map[string]int{}
	var words []string
	steps, passed := 0, 0
	var all Table
	for _, b := range l.Boards {
		all.Columns = append(all.Columns, b.Runs...)
		for _, c := range b.Runs {
			steps += c.Steps
		}
		if b.Verdict() == driver.Pass {
			passed++
			continue
		}
		word := b.Verdict().String()
		if b.Away != "" {
			word = b.Away
		}
		if counts[word]++; counts[word] == 1 {
			words = append(words, word)
		}
	}
	said := fmt.Sprintf("%d of %s", passed, printable.Plural(len(l.Boards), "board passes", "boards pass"))
	slices.Sort(words)
	for _, word := range words {
		said += fmt.Sprintf(", %d %s", counts[word], word)
	}
	return said + fmt.Sprintf(": %s, %d steps in %s%s", printable.Count(l.About.Vectors, "vector"), steps,
		Took(l.Elapsed), all.Unasked())
}

// Words explains the terms of lots; see cli.Book.
//
//go:embed words.txt
var Words string
