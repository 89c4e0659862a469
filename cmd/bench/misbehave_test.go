package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"utfbench/transport"
)

// misbehave has the mock do what boards on a desk do, as scripts say by these variables:
//
//	MOCK_WIRES  when not empty, the mock has wires, which are checked first
//	MOCK_AFTER  "STEPS fails", "STEPS hangs" or "STEPS interrupt": after so many steps the mock fails for good, answers a batch
//	            so late that nobody waits for it, or does so after the user's Ctrl-C
func misbehave() {
	k := &kinds[0]
	k.wires = os.Getenv("MOCK_WIRES") != ""
	after := os.Getenv("MOCK_AFTER")
	if after == "" {
		return
	}
	var steps int64
	desk := &desk{}
	if _, err := fmt.Sscanf(after, "%d %s", &steps, &desk.does); err != nil {
		panic(fmt.Sprintf("MOCK_AFTER %q: %v", after, err))
	}
	desk.left.Store(steps)
	open := k.open
	k.open = func(t *target, ctx context.Context, where string, c *chip) (transport.Transport, error) {
		tr, err := open(t, ctx, where, c)
		return &onDesk{tr, desk}, err
	}
}

// A desk has chips on it, and something happens to it after so many steps on all of them.
type desk struct {
	left atomic.Int64
	does string
}

type onDesk struct {
	transport.Transport
	*desk
}

func (d *onDesk) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	left := d.left.Add(-int64(len(steps)))
	switch {
	case left < 0 && d.does == "fails":
		return 0, errors.New("no answer: was the cable pulled?")
	case left >= 0 || left+int64(len(steps)) < 0:
		return d.Transport.Apply(ctx, steps, samples)
	case d.does == "interrupt":
		interrupt()
	}
	<-ctx.Done()
	return 0, ctx.Err()
}

// interrupt is a Ctrl-C.
func interrupt() {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(os.Interrupt) // Windows has none: scripts ask for [unix]
	}
	if err != nil {
		panic(err)
	}
}
