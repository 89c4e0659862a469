package speed

import (
	"context"
	"errors"
	"testing"

	"utfbench/driver"
	"utfbench/model"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A cable counts its bytes and the steps of each batch, and signs what it is asked to.
type cable struct {
	transport.Transport
	sent, received, most int
	signed               []transport.Run
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

func (c *cable) Sign(_ context.Context, runs []transport.Run) (int, error) {
	c.signed = runs
	return len(runs), c.err
}

func measure(t *testing.T, chip transport.Transport) *Measure {
	t.Helper()
	m, err := New(chip, model.TT09, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A step costs what the cable says, in batches of the size that was asked for.
func TestBatch(t *testing.T) {
	for _, n := range []int{1, 1000, driver.BatchSteps} {
		c := &cable{Transport: mock.Open(mock.Config{})}
		b, err := measure(t, c).Batch(context.Background(), n)
		if err != nil || b.Sent != 5 || b.Received != 2 || c.most != n {
			t.Errorf("%d: %+v, %v, batches of %d", n, b, err, c.most)
		}
	}
	if b, err := measure(t, mock.Open(mock.Config{})).Batch(context.Background(), 1); err != nil || b.Sent+b.Received != 0 {
		t.Errorf("nothing is counted: %+v, %v", b, err)
	}
}

// What the far end is to make are the steps of the model, and the expected answers are of them all.
func TestSigned(t *testing.T) {
	c := &cable{Transport: mock.Open(mock.Config{})}
	if _, can, err := measure(t, c).Signed(context.Background()); !can || err != nil {
		t.Fatal(can, err)
	}
	r := c.signed[0]
	if r.Count != 0x400 || len(r.Want) != r.Count*len(r.Steps) {
		t.Errorf("%d times %d steps, %d answers", r.Count, len(r.Steps), len(r.Want))
	}
	steps := r.Append(nil, 0x345)
	if steps[3].IO != 0x03 || steps[4].IO != 0x45 || driver.Lint(steps) != nil {
		t.Errorf("the value 345 is written as %+v: %v", steps, driver.Lint(steps))
	}
	if _, can, err := measure(t, mock.Open(mock.Config{})).Signed(context.Background()); can || err != nil {
		t.Error(can, err)
	}
}

// The parts of a step are not more than the whole, and a transport's error ends it.
func TestRun(t *testing.T) {
	c := &cable{Transport: mock.Open(mock.Config{})}
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
