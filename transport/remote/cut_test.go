package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/transport"
)

// stepsOf returns n different steps.
func stepsOf(n int) []transport.Step {
	steps := make([]transport.Step, n)
	for i := range steps {
		steps[i] = transport.Step{In: uint8(i), IO: uint8(i >> 8), Drive: uint8(3 * i), Reset: i%5 == 0,
			Clocks: uint8(i % 3)}
	}
	return steps
}

// roomFor returns the room of parts with the given number of guarded steps.
func roomFor(steps int) int { return partHead + steps*(stepSize+indexSize+sampleSize) }

// guardedBoth applies a guarded batch with and without a link, followed by one step.
func guardedBoth(t interface{ Fatalf(string, ...any) }, near *Near, alone *chain, steps []transport.Step,
	wrong, at []int) {
	want := make([]transport.Sample, len(steps))
	ahead := *alone
	ahead.Apply(context.Background(), steps, want)
	for _, i := range wrong {
		want[i].IO ^= 0x10
	}
	what := fmt.Sprintf("%d steps, wrong %v, guards %v, room %d", len(steps), wrong, at, near.room)
	g := transport.Guard{Want: want, At: at}
	expect, got := make([]transport.Sample, len(steps)), make([]transport.Sample, len(steps))
	n, err := transport.ApplyGuarded(context.Background(), alone, steps, expect, g)
	m, merr := transport.ApplyGuarded(context.Background(), near, steps, got, g)
	if n != m || (err == nil) != (merr == nil) || !slices.Equal(got[:m], expect[:n]) {
		t.Fatalf("%s: %d, %v; want %d, %v, or a sample differs", what, m, merr, n, err)
	}
	var a, b [1]transport.Sample
	alone.Apply(context.Background(), steps[:1], a[:])
	near.Apply(context.Background(), steps[:1], b[:])
	if a != b {
		t.Fatalf("%s: afterwards the chip shows %v; want %v", what, b, a)
	}
}

// However a short batch is divided, its guards work as without a link.
func TestEveryCutOfGuards(t *testing.T) {
	const n = 6
	alone := new(chain)
	near := open(t, new(chain), 0)
	for per := 1; per <= n+1; per++ {
		near.room = roomFor(per)
		for set := range 1 << (n - 1) {
			var at []int
			for i := range n - 1 {
				if set>>i&1 != 0 {
					at = append(at, i+1)
				}
			}
			for wrong := range n + 1 {
				guardedBoth(t, near, alone, stepsOf(n), []int{wrong}[:min(1, n-wrong)], at)
			}
		}
	}
}

// drawIndices draws increasing indices from least to below n.
func drawIndices(t *rapid.T, least, n int, name string) []int {
	var all []int
	if n > least {
		all = rapid.SliceOfNDistinct(rapid.IntRange(least, n-1), 0, -1, rapid.ID).Draw(t, name)
	}
	slices.Sort(all)
	return all
}

// Any batch has the same result over a link of any size as without one.
func TestAnyGuards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alone := &chain{breaks: rapid.IntRange(0, 300).Draw(t, "breaks")}
		var far transport.Transport = &chain{breaks: alone.breaks}
		if rapid.Bool().Draw(t, "guards by itself") {
			far = &able{chain: chain{breaks: alone.breaks}}
		}
		near, err := Open(context.Background(), &memory{far: NewFar(far), limit: LeastLimit}, "near")
		if err != nil {
			t.Fatal(err)
		}
		defer near.Close()
		near.room = rapid.IntRange(partHead, 1500).Draw(t, "room")
		steps := stepsOf(rapid.IntRange(1, 200).Draw(t, "steps"))
		for range 3 {
			guardedBoth(t, near, alone, steps, drawIndices(t, 0, len(steps), "wrong"), drawIndices(t, 1, len(steps),
				"guards"))
		}
	})
}

func TestAnyTriggers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alone, far := new(able), new(able)
		near, err := Open(context.Background(), &memory{far: NewFar(far), limit: LeastLimit}, "near")
		if err != nil {
			t.Fatal(err)
		}
		defer near.Close()
		near.room = rapid.IntRange(partHead, 1500).Draw(t, "room")
		steps := stepsOf(rapid.IntRange(1, 200).Draw(t, "steps"))
		at := drawIndices(t, 0, len(steps), "triggers")
		if _, err := near.TakePin(context.Background(), "7"); err != nil {
			t.Fatal(err)
		}
		expect, got := make([]transport.Sample, len(steps)), make([]transport.Sample, len(steps))
		alone.ApplyTriggered(context.Background(), steps, expect, at)
		n, err := near.ApplyTriggered(context.Background(), steps, got, at)
		if n != len(steps) || err != nil || !slices.Equal(got, expect) || !slices.Equal(far.pulses, alone.pulses) {
			t.Fatalf("%d of %d, %v, pulses before %v; want %v", n, len(steps), err, far.pulses, alone.pulses)
		}
	})
}

// drawSeries draws a series with a chain's responses from its present state, possibly with one wrong bit.
func drawSeries(t *rapid.T, c *chain) transport.Series {
	r := transport.Series{Steps: stepsOf(rapid.IntRange(1, transport.MaxSeriesSteps).Draw(t, "steps")),
		First: rapid.Uint32().Draw(t, "first"), Count: rapid.IntRange(1, 40).Draw(t, "cases")}
	for i := range r.Steps {
		r.Steps[i].Clocks = min(r.Steps[i].Clocks, 1)
	}
	r.Steps[0].Clocks = 1
	for _, i := range drawIndices(t, 0, len(r.Steps), "fields") {
		if len(r.Fields) < transport.MaxFields {
			r.Fields = append(r.Fields, transport.Field{Step: i, Shift: uint8(i % 25), Mask: r.Steps[i].Drive})
		}
	}
	for i := range r.Count {
		for _, s := range r.Append(nil, i) {
			r.Want = append(r.Want, c.next(s))
		}
	}
	if rapid.Bool().Draw(t, "wrong") {
		r.Want[rapid.IntRange(0, len(r.Want)-1).Draw(t, "where")].Out ^= 1
	}
	return r
}

// Any series have the same signatures over a link of any size, whether or not the far transport is a Signer, and all
// their steps are applied.
func TestAnySeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain, signer := new(chain), new(able)
		var far transport.Transport = plain
		if rapid.Bool().Draw(t, "signer") {
			far = signer
		}
		near, err := Open(context.Background(), &memory{far: NewFar(far), limit: LeastLimit}, "near")
		if err != nil {
			t.Fatal(err)
		}
		defer near.Close()
		near.room = rapid.IntRange(1, 1500).Draw(t, "room")
		var series []transport.Series
		ahead, want := new(chain), new(chain)
		for range rapid.IntRange(1, 4).Draw(t, "series") {
			series = append(series, drawSeries(t, ahead))
		}
		expect := slices.Clone(series)
		n, err := transport.Sign(context.Background(), want, expect)
		m, merr := near.Sign(context.Background(), series)
		if n != m || err != nil || merr != nil {
			t.Fatalf("%d, %v; want %d, %v", m, merr, n, err)
		}
		for i := range series {
			if series[i].Same != expect[i].Same {
				t.Fatalf("series %d of %d: same is %v", i, len(series), series[i].Same)
			}
		}
		if steps := max(plain.steps, signer.steps); steps != want.steps || far == signer && signer.signed == 0 {
			t.Fatalf("%d steps, %d signed; want %d", steps, signer.signed, want.steps)
		}
	})
}

// An error within a batch returns the number of good samples, and later parts are not applied.
func TestErrorInAPart(t *testing.T) {
	for breaks := 1; breaks <= 20; breaks++ {
		far := &chain{breaks: breaks}
		near := open(t, far, partHead+3*stepSize)
		got := make([]transport.Sample, 20)
		n, err := near.Apply(t.Context(), stepsOf(20), got)
		if n != breaks-1 || err == nil || err.Error() != "lab:bench: the chain broke" || far.steps != breaks-1 {
			t.Errorf("broken at step %d: %d, %v, %d steps were played", breaks, n, err, far.steps)
		}
		n, err = near.Apply(t.Context(), stepsOf(1), got)
		if n != 0 || err == nil {
			t.Errorf("after an error: %d, %v; want that the far end refuses still", n, err)
		}
	}
}

// After a series fails, later pieces are not applied even if the chip could continue. The next call works.
func TestErrorInASeries(t *testing.T) {
	r := transport.Series{Steps: []transport.Step{{Reset: true, Clocks: 1}}, Count: 20,
		Want: make([]transport.Sample, 20)}
	for room := 17; room < 200; room++ {
		chip := &chain{breaks: 31, heals: true}
		near := open(t, chip, room)
		n, err := near.Sign(t.Context(), []transport.Series{r, r, r})
		if n != 1 || err == nil || err.Error() != "lab:bench: the chain broke" || chip.steps != 30 {
			t.Fatalf("room %d: %d, %v, %d steps; want 1 and the error after 30", room, n, err, chip.steps)
		}
		if n, err := near.Sign(t.Context(), []transport.Series{r, r}); n != 2 || err != nil || chip.steps != 70 {
			t.Fatalf("room %d, afterwards: %d, %v, %d steps; want 2 after 70", room, n, err, chip.steps)
		}
	}
}

// Messages and answers never exceed the link's limit, even with an error.
func TestMessagesFit(t *testing.T) {
	for _, limit := range []int{LeastLimit, partBytes} {
		for what, do := range map[string]func(n *Near, steps []transport.Step, got []transport.Sample) (int, error){
			"plain": func(n *Near, steps []transport.Step, got []transport.Sample) (int, error) {
				return n.Apply(t.Context(), steps, got)
			},
			"guards": func(n *Near, steps []transport.Step, got []transport.Sample) (int, error) {
				want := slices.Clone(got)
				new(chain).Apply(t.Context(), steps, want)
				return n.ApplyGuarded(t.Context(), steps, got, transport.Guard{Want: want, At: numbers(1, len(steps))})
			},
			"triggers": func(n *Near, steps []transport.Step, got []transport.Sample) (int, error) {
				return n.ApplyTriggered(t.Context(), steps, got, numbers(0, len(steps)))
			},
			"series": func(n *Near, steps []transport.Step, got []transport.Sample) (int, error) {
				r := transport.Series{Steps: []transport.Step{{Reset: true, Clocks: 1}}, Count: len(got), Want: got}
				return n.Sign(t.Context(), []transport.Series{r, r})
			},
		} {
			fails := &able{chain: chain{breaks: limit/stepSize - 700, err: errors.New(strings.Repeat("<x", 2000))}}
			for _, chip := range []*able{new(able), fails} {
				near := openOver(t, &memory{far: NewFar(chip), limit: limit}, 0)
				near.TakePin(t.Context(), "7")
				n, err := do(near, stepsOf(limit), make([]transport.Sample, limit))
				if chip != fails && (n < 2 || err != nil) ||
					chip == fails && !strings.HasPrefix(fmt.Sprint(err), "lab:bench: <x<x") {
					t.Errorf("%s, limit %d: %d, %v", what, limit, n, err)
				}
			}
		}
	}
}

// numbers returns the integers from one to below another.
func numbers(from, to int) (all []int) {
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}
