package driver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A cable counts bytes and the steps of each batch, and signs steps.
type cable struct {
	transport.Transport
	sent, received, most int
	signed               []transport.Series
	err                  error
}

func (c *cable) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	c.sent, c.received, c.most = c.sent+5*len(steps), c.received+2*len(steps), max(c.most, len(steps))
	return c.Transport.Apply(ctx, steps, samples)
}

func (c *cable) Traffic() (sent, received int) { return c.sent, c.received }

func (c *cable) Sign(_ context.Context, series []transport.Series) (int, error) {
	c.signed = series
	return len(series), c.err
}

func measure(t *testing.T, chip transport.Transport) *Measure {
	t.Helper()
	return testkit.Must(NewMeasure(chip, utf.TT09, 1))(t)
}

// Batches have the requested size, and a step costs the cable's number of bytes.
func TestThroughputOfBatches(t *testing.T) {
	for _, n := range []int{1, 1000, BatchSteps} {
		c := &cable{Transport: mock.Open(mock.Config{Tile: utf.TT09})}
		b, err := measure(t, c).Batch(context.Background(), n)
		if err != nil || b.Sent != 5 || b.Received != 2 || c.most != n {
			t.Errorf("%d: %+v, %v, batches of %d", n, b, err, c.most)
		}
	}
	if b, err := measure(t, mock.Open(mock.Config{Tile: utf.TT09})).Batch(context.Background(), 1); err != nil ||
		b.Sent+b.Received != 0 {
		t.Errorf("nothing is counted: %+v, %v", b, err)
	}
}

// The far end generates each case of the first block of the tile's first space once, and the expected samples are the
// model's.
func TestSigned(t *testing.T) {
	c := &cable{Transport: mock.Open(mock.Config{Tile: utf.TT09})}
	if _, can, err := measure(t, c).Signed(context.Background()); !can || err != nil {
		t.Fatal(can, err)
	}
	made := map[string]int{}
	for _, r := range c.signed {
		var steps []transport.Step
		for i := range r.Count {
			steps = r.Append(steps, i)
			made[fmt.Sprint(r.Append(nil, i))]++
		}
		if !slices.Equal(r.Want, testkit.ModelSamples(model.TT09, steps)) {
			t.Errorf("%d times %d steps, %d answers, which are not the model's", r.Count, len(r.Steps), len(r.Want))
		}
		if err := utf.TT09.Lint(steps); err != nil {
			t.Errorf("%d times %d steps: %v", r.Count, len(r.Steps), err)
		}
	}
	if cases := firstBlock(t); len(c.signed) == 0 || !maps.Equal(made, cases) {
		t.Errorf("%d cases are made in %d series, and the block has %d, or others", len(made),
			len(c.signed), len(cases))
	}
	if _, can, err := measure(t, mock.Open(mock.Config{Tile: utf.TT09})).Signed(context.Background()); can ||
		err != nil {
		t.Error(can, err)
	}
}

// firstBlock counts the cases of the first block, among them the writing of 345 as UTF-32.
func firstBlock(t *testing.T) map[string]int {
	t.Helper()
	space := testkit.Must(utf.TT09.Space(tile.Scope{Space: utf.TT09.Spaces()[0], Revision: "tt09"}))(t)
	cases, written := map[string]int{}, false
	for i := range space.Cases(0) {
		steps := space.Append(nil, 0, i)
		cases[fmt.Sprint(steps)]++
		written = written || steps[3].IO == 0x03 && steps[4].IO == 0x45 && utf.Strobed(steps[4].In) == "UTF-32"
	}
	if !written {
		t.Error("the value 345 is not written")
	}
	return cases
}

// The parts of a step do not exceed the whole, and a transport's error ends the measurement.
func TestThroughputOfARun(t *testing.T) {
	c := &cable{Transport: mock.Open(mock.Config{Tile: utf.TT09})}
	s, err := measure(t, c).Run(context.Background())
	if err != nil || s.Transport+s.Own > s.Step || s.Step == 0 {
		t.Errorf("%+v, %v", s, err)
	}
	c.err = errors.New("the cable was pulled")
	m := measure(t, c)
	_, first := m.Batch(context.Background(), 10)
	_, second := m.Run(context.Background())
	_, _, third := m.Signed(context.Background())
	if first == nil || second == nil || third == nil {
		t.Error(first, second, third)
	}
}

// All prints each measurement and omits those that the chip does not support.
func TestAllMeasures(t *testing.T) {
	var whole, plain strings.Builder
	r, err := measure(t, &cable{Transport: mock.Open(mock.Config{Tile: utf.TT09})}).All(t.Context(), &whole)
	p, perr := measure(t, mock.Open(mock.Config{Tile: utf.TT09})).All(t.Context(), &plain)
	if err = errors.Join(err, perr); err != nil {
		t.Fatal(err)
	}
	if r.Signed == nil || p.Signed != nil || len(r.Batches) != len(sizes) || r.Batches[0].Sent != 5 ||
		r.Run.Step < r.Run.Own {
		t.Errorf("%+v\n%+v", r, p)
	}
	for _, want := range []string{"\na step costs 5.00 bytes out and 2.00 bytes in, in large batches\n",
		"\na step generated at the far end, as in a sweep, takes "} {
		if !strings.Contains(whole.String(), want) || strings.Contains(plain.String(), want) {
			t.Errorf("%q:\n%s\n%s", want, &whole, &plain)
		}
	}
	if n := strings.Count(plain.String(), "\n"); n != 1+len(sizes)+3 {
		t.Errorf("%d lines:\n%s", n, &plain)
	}
}
