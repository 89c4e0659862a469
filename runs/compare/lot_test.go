package compare

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/document"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
	"utfbench/tile/utf"
)

// An attempt is a run of a fake board.
type attempt struct {
	verdict driver.Verdict
	took    time.Duration // for its 1,000 steps
	kind    string        // of transport; "" is gpio
	tags    document.Tags
}

func (a attempt) Ask(_ context.Context, to report.Reporter) error {
	chip := report.Chip{Kind: "gpio", Board: "pi"}
	if a.kind != "" {
		chip.Kind = a.kind
	}
	a.verdict = cmp.Or(a.verdict, driver.Pass)
	run := report.Run{Transport: "lab:x", Identity: report.Identity{Chip: chip, Revision: "tt09"}, Tags: a.tags}
	r := &driver.Result{Vector: &golden.Vector{Name: "s/v", Line: 7}, File: "a.vec", Tile: utf.TT09,
		Verdict: a.verdict, Steps: 1000, Iteration: 1, Took: a.took}
	switch a.verdict {
	case driver.Fail:
		r.First = &driver.Mismatch{Index: 4, OutDiff: 0x20}
	case driver.Wiring:
		r.Reason = "uo3 is open"
	case driver.Error:
		return errors.New("no answer")
	}
	o := report.Outcome{Tally: &driver.Tally{Steps: 1000}, Interrupted: a.verdict == driver.Aborted}
	return errors.Join(to.Start(run), to.Result(r), to.End(o))
}

func (attempt) Close() {}

// A bench has boards by name, each with its successive results; the last is repeated forever.
type bench struct {
	attempts map[string][]attempt
	asked    []string // the boards of each call
}

func (b *bench) ask(ctx context.Context, boards []*Board) error {
	m := Matrix{Timeout: time.Minute}
	var names []string
	for _, of := range boards {
		all := b.attempts[of.Name]
		now := all[min(len(of.Runs), len(all)-1)]
		names = append(names, of.Name)
		m.Targets = append(m.Targets, Target{Name: of.Name,
			Open: func(context.Context) (Chip, error) { return now, nil }})
	}
	b.asked = append(b.asked, strings.Join(names, " "))
	table, err := m.Run(ctx)
	if err != nil {
		return err
	}
	for i, of := range boards {
		of.Runs = append(of.Runs, table.Columns[i])
	}
	return nil
}

func always(v driver.Verdict) []attempt { return []attempt{{verdict: v, took: time.Millisecond}} }

func boardsOf(names ...string) (all []*Board) {
	for _, name := range names {
		all = append(all, &Board{Name: name})
	}
	return all
}

// mixed returns a lab with a board of each result.
func mixed() (*bench, *Lot) {
	b := &bench{attempts: map[string][]attempt{
		"a/gold": always(driver.Pass), "a/good": always(driver.Pass), "a/stuck": always(driver.Fail),
		"a/flaky":     append(always(driver.Fail), always(driver.Pass)...),
		"a/breaks":    append(always(driver.Fail), always(driver.Error)...),
		"a/unwired":   always(driver.Wiring),
		"a/unplugged": always(driver.Error), "a/other": always(driver.Skipped)}}
	l := &Lot{Golden: &Board{Name: "a/gold"}, Where: "tls://pi:7060", About: About{Tile: "utf", Vectors: 1,
		Bench: "test"}}
	l.Boards = append(boardsOf("a/good", "a/stuck", "a/flaky", "a/breaks", "a/unwired", "a/unplugged", "a/other"),
		&Board{Name: "b/taken", Away: "taken", Why: "eve@pc has it"}, &Board{Name: "b/gone", Away: "gone",
			Why: "no cable"})
	return b, l
}

// The golden unit is tested first, then all present boards, then those that were judged and did not pass. No yield
// counts what is not a chip's fault.
func TestAsk(t *testing.T) {
	b, l := mixed()
	if err := l.Ask(t.Context(), b.ask, 2); err != nil {
		t.Fatal(err)
	}
	want := []string{"a/gold", "a/good a/stuck a/flaky a/breaks a/unwired a/unplugged a/other",
		"a/stuck a/flaky a/breaks", "a/stuck a/breaks"}
	if !slices.Equal(b.asked, want) {
		t.Errorf("asked were %q; want %q", b.asked, want)
	}
	var verdicts []string
	for _, of := range l.Boards {
		verdicts = append(verdicts, fmt.Sprint(of.Name, " ", of.First(), " ", of.Verdict()))
	}
	const is = "a/good PASS PASS, a/stuck FAIL FAIL, a/flaky FAIL FLAKY, a/breaks FAIL FAIL, " +
		"a/unwired WIRING WIRING, a/unplugged ERROR ERROR, a/other SKIPPED SKIPPED, b/taken ERROR ERROR, " +
		"b/gone ERROR ERROR"
	if got := strings.Join(verdicts, ", "); got != is {
		t.Errorf("%s\nwant %s", got, is)
	}
	if y := l.Yields(); len(y) != 1 || y[0] != (Yield{Judged: 4, First: 1, After: 2}) {
		t.Errorf("%+v", y)
	}
	if l.Verdict() != driver.Error || l.Interrupted() {
		t.Error(l.Verdict(), l.Interrupted())
	}
}

// The text is as expected, and the JSON conforms to its schema.
func TestTold(t *testing.T) {
	b, l := mixed()
	if err := l.Ask(t.Context(), b.ask, 1); err != nil {
		t.Fatal(err)
	}
	l.Elapsed = 1234 * time.Millisecond
	for _, of := range l.Boards {
		for _, c := range of.Runs {
			c.Number = 7
		}
	}
	var text, doc bytes.Buffer
	if err := errors.Join(l.Text(&text), l.JSON(&doc)); err != nil {
		t.Fatal(err)
	}
	if text.String() != toldLot {
		t.Errorf("%s\nwant\n%s", &text, toldLot)
	}
	if err := testkit.Conforms(testkit.Schema(t, "lab-run"), doc.String()); err != nil {
		t.Errorf("%v in\n%s", err, &doc)
	}
}

const toldLot = `utf: 1 vector on 9 boards of the lab tls://pi:7060
golden unit a/gold: PASS, 1000000 steps/s

board        compared with  first    retest  steps/s  run
a/good       tt09           PASS     -       1000000  7
a/stuck      tt09           FAIL     FAIL    1000000  7 7
a/flaky      tt09           FAIL     PASS    1000000  7 7
a/breaks     tt09           FAIL     ERROR   1000000  7 7
a/unwired    tt09           WIRING   -       1000000  7
a/unplugged  -              ERROR    -       -        7
a/other      tt09           SKIPPED  -       1000000  7
b/taken      -              taken    -       -        -
b/gone       -              gone     -       -        -

a/stuck, a/flaky: s/v step 5 (uo5 NONCHAR)
a/breaks: s/v step 5 (uo5 NONCHAR); no retest: no answer
a/unwired: uo3 is open
a/unplugged: no answer
b/taken: eve@pc has it
b/gone: no cable

yield, 95 % interval  judged  first pass               after retest
all                   4       1, 25 % (4.6 % to 70 %)  2, 50 % (15 % to 85 %)
with 5 not judged     9       1, 11 % (2 % to 43 %)    2, 22 % (6.3 % to 55 %)

ERROR  1 of 9 boards pass, 1 ERROR, 2 FAIL, 1 FLAKY, 1 SKIPPED, 1 WIRING, 1 gone, 1 taken: ` +
	`1 vector, 8000 steps in 1.23s
`

// Unless the golden unit passes no other board is tested or has a verdict.
func TestGoldenUnit(t *testing.T) {
	const failed, absent = "did not pass: the bench or this unit is at fault, so no board was judged",
		"was not judged, so no other board was"
	for v, want := range map[driver.Verdict]string{driver.Fail: failed, driver.Error: absent, driver.Wiring: absent,
		driver.Skipped: absent} {
		b, l := mixed()
		b.attempts["a/gold"] = append(always(v), always(driver.Pass)...) // and it is not tested again
		if err := l.Ask(t.Context(), b.ask, 1); err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := l.Text(&text); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(b.asked, []string{"a/gold"}) || !l.Refused() || l.Verdict() != driver.Error ||
			l.Yields()[0].Judged != 0 ||
			!strings.HasSuffix(text.String(), "\nERROR  the golden unit a/gold "+want+"\n") {
			t.Errorf("%s: asked were %q, and it says\n%s", v, b.asked, &text)
		}
	}
	b, l := mixed()
	l.Golden.Away, l.Golden.Why = "taken", "eve@pc has it"
	if err := l.Ask(t.Context(), b.ask, 1); err != nil || b.asked != nil || !l.Refused() {
		t.Errorf("%v: asked were %q", err, b.asked)
	}
}

// After an interrupt incomplete runs are not judged, and nothing is repeated.
func TestLotInterrupt(t *testing.T) {
	b, l := mixed()
	b.attempts["a/good"] = always(driver.Aborted)
	ctx, cancel := context.WithCancel(t.Context())
	ask := func(ctx context.Context, boards []*Board) error {
		err := b.ask(ctx, boards)
		if len(b.asked) == 2 {
			cancel()
		}
		return err
	}
	if err := l.Ask(ctx, ask, 1); err != nil || len(b.asked) != 2 || !l.Interrupted() || l.Yields()[0].Judged != 3 {
		t.Errorf("%v: asked were %q, %+v", err, b.asked, l.Yields())
	}
	b, l = mixed()
	ctx, cancel = context.WithCancel(t.Context()) // after all runs, before a retest
	defer cancel()
	if err := l.Ask(ctx, ask, 1); err != nil || len(b.asked) != 2 || !l.Interrupted() || l.Yields()[0].Judged != 4 {
		t.Errorf("%v: asked were %q, %+v", err, b.asked, l.Yields())
	}
	if err := new(Lot).Ask(t.Context(), b.ask, 1); err != nil {
		t.Error(err)
	}
	refused := errors.New("the lab does not answer")
	err := (&Lot{Boards: boardsOf("a")}).Ask(t.Context(), func(context.Context, []*Board) error { return refused }, 1)
	if !errors.Is(err, refused) {
		t.Error(err)
	}
}

// Whatever boards do, yields count the judged ones, a retest can only increase them, and a board with varying results
// is never a PASS.
func TestYields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		verdict := rapid.SampledFrom([]driver.Verdict{driver.Pass, driver.Fail, driver.Error, driver.Wiring,
			driver.Skipped})
		fates := rapid.SliceOfN(rapid.SliceOfN(verdict, 1, 4), 1, 6).Draw(t, "fates")
		b, l := &bench{attempts: map[string][]attempt{}}, &Lot{}
		for i, fate := range fates {
			name := fmt.Sprint(i)
			for _, v := range fate {
				b.attempts[name] = append(b.attempts[name], attempt{verdict: v})
			}
			l.Boards = append(l.Boards, boardsOf(name)...)
		}
		retests := rapid.IntRange(0, 3).Draw(t, "retests")
		if err := l.Ask(t.Context(), b.ask, retests); err != nil {
			t.Fatal(err)
		}
		var want Yield
		for i, fate := range fates {
			tries := min(len(fate), retests+1)
			passes := slices.Contains(fate[:tries], driver.Pass)
			switch fate[0] {
			case driver.Pass:
				want.First++
				fallthrough
			case driver.Fail:
				want.Judged++
				if passes {
					want.After++
				}
			}
			of := l.Boards[i]
			if len(of.Runs) > retests+1 || (of.Verdict() == driver.Pass) != (fate[0] == driver.Pass) {
				t.Fatalf("%v: %s after %d runs", fate, of.Verdict(), len(of.Runs))
			}
		}
		if got := l.Yields()[0]; got != want || got.First > got.After || got.After > got.Judged {
			t.Fatalf("%+v; want %+v", got, want)
		}
		if whole := l.Whole(); whole.Judged != len(fates) || whole.First != want.First || whole.After != want.After {
			t.Fatalf("of all boards %+v; judged are %+v", whole, want)
		}
	})
}

// Yields are separated by revision if there are several.
func TestYieldsByRevision(t *testing.T) {
	b, l := mixed()
	if err := l.Ask(t.Context(), b.ask, 1); err != nil {
		t.Fatal(err)
	}
	l.Boards[1].Runs[0].Run.Revision = "tt08"
	want := []Yield{{"", 4, 1, 2}, {"tt08", 1, 0, 0}, {"tt09", 3, 1, 2}}
	if got := l.Yields(); !slices.Equal(got, want) {
		t.Errorf("%+v; want %+v", got, want)
	}
}

// A board that is slow for its kind is reported; other kinds are not compared with it.
func TestOutliers(t *testing.T) {
	b, l := &bench{attempts: map[string][]attempt{}}, &Lot{}
	for i, ms := range []int{10, 11, 10, 12, 40, 11} {
		name := fmt.Sprint(i)
		b.attempts[name] = []attempt{{took: time.Duration(ms) * time.Millisecond,
			tags: document.Tags{document.Celsius: "41"}}}
		l.Boards = append(l.Boards, boardsOf(name)...)
	}
	b.attempts["pi"] = []attempt{{took: time.Microsecond, kind: "other"}}
	l.Boards = append(l.Boards, boardsOf("pi")...)
	for _, name := range []string{"m1", "m2", "m3", "m4", "m5"} {
		b.attempts[name] = []attempt{{took: time.Microsecond, kind: "mock"}}
		l.Boards = append(l.Boards, boardsOf(name)...)
	}
	b.attempts["m5"][0].took = time.Second                                   // a busy machine
	b.attempts["bad"] = []attempt{{took: time.Hour, verdict: driver.Wiring}} // not judged
	l.Boards = append(l.Boards, boardsOf("bad")...)
	if err := l.Ask(t.Context(), b.ask, 0); err != nil {
		t.Fatal(err)
	}
	all := l.Outliers()
	if len(all) != 1 || all[0].Board != "4" || all[0].Value != 25000 || all[0].Kind != "gpio, board pi" ||
		all[0].Score > -3.5 {
		t.Errorf("%+v", all)
	}
}

// A long reason that several boards share is written once.
func TestSharedReason(t *testing.T) {
	why := strings.Repeat("its host is silent ", 8)
	l := &Lot{Boards: []*Board{{Name: "b/1", Away: "gone", Why: why}, {Name: "b/2", Away: "taken", Why: "eve"},
		{Name: "b/3", Away: "gone", Why: why}}}
	var text strings.Builder
	if err := l.Text(&text); err != nil {
		t.Fatal(err)
	}
	if want := "\n\nb/1, b/3: " + why + "\nb/2: eve\n"; !strings.Contains(text.String(), want) {
		t.Errorf("no %q in\n%s", want, &text)
	}
}
