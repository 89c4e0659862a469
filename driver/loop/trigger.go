package loop

import (
	"context"

	"utfbench/transport"
)

// A Trigger has a pin pulsed at one step of the vector in each execution, so that a scope triggers there.
type Trigger struct {
	By transport.Trigger // which has taken its pin
	At int               // before which step, from 0; if negative, before the first that fails, once one has
}

// triggered is a chip with batches that are executions of one vector, as a Runner makes them.
type triggered struct {
	transport.Transport
	*Trigger
	steps int // of the vector
	at    []int
}

// Apply implements transport.Transport.
func (t *triggered) Apply(ctx context.Context, steps []transport.Step, got []transport.Sample) (int, error) {
	if t.At < 0 {
		return t.Transport.Apply(ctx, steps, got)
	}
	t.at = t.at[:0]
	for i := t.At; i < len(steps); i += t.steps {
		t.at = append(t.at, i)
	}
	return t.By.ApplyTriggered(ctx, steps, got, t.at)
}
