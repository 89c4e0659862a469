package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"

	"utfbench/station"
	"utfbench/transport"
	"utfbench/transport/rp2040/demoboard"
)

// misbehave makes the mock behave like real boards, as set by these environment variables:
//
//	MOCK_WIRES  when not empty, the mock has wires, which are checked first
//	MOCK_AFTER  "STEPS fails", "STEPS hangs", "STEPS interrupt" or "STEPS panics": after STEPS steps, the mock or the
//	            GPIO lines fail for good, do not respond until the run is stopped, send Ctrl-C to this process, or
//	            panic
//	BOARDS      ports, separated by spaces, each with a board with MicroPython
func misbehave(d *design) {
	if d.env.Getenv("MOCK_WIRES") != "" {
		d.Kinds[0].HasWires = true
	}
	d.boards = func() (all []demoboard.Port) {
		for _, name := range strings.Fields(d.env.Getenv("BOARDS")) {
			all = append(all, demoboard.Port{Name: name, VID: "2E8A", PID: "0005", CanBench: true})
		}
		return all
	}
	after := d.env.Getenv("MOCK_AFTER")
	if after == "" {
		return
	}
	var steps int64
	at := &mishap{}
	if _, err := fmt.Sscanf(after, "%d %s", &steps, &at.does); err != nil {
		panic(fmt.Sprintf("MOCK_AFTER %q: %v", after, err))
	}
	at.left.Store(steps)
	for i := range d.Kinds {
		if k := &d.Kinds[i]; k.Name == "mock" || k.Name == "gpio" {
			k.Open = at.befall(k.Open)
		}
	}
}

// opening is the type of station.Kind.Open.
type opening = func(context.Context, *station.Target, string, *station.Chip) (transport.Transport, error)

func (m *mishap) befall(open opening) opening {
	return func(ctx context.Context, t *station.Target, where string, c *station.Chip) (transport.Transport, error) {
		tr, err := open(ctx, t, where, c)
		if err != nil {
			return nil, err
		}
		return &struck{tr, m}, nil
	}
}

// A mishap happens after some number of steps, counted over all chips.
type mishap struct {
	left atomic.Int64
	does string
}

type struck struct {
	transport.Transport
	*mishap
}

func (d *struck) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	left := d.left.Add(-int64(len(steps)))
	switch {
	case left < 0 && d.does == "fails":
		return 0, errors.New("no answer: was the cable pulled?")
	case left >= 0 || left+int64(len(steps)) < 0:
		return d.Transport.Apply(ctx, steps, samples)
	case d.does == "panics":
		samples[len(steps)] = transport.Sample{}
	case d.does == "interrupt":
		interrupt()
		<-ctx.Done()
		n, err := d.Transport.Apply(context.WithoutCancel(ctx), steps[:left+int64(len(steps))], samples)
		return n, cmp.Or(err, ctx.Err())
	}
	<-ctx.Done()
	return 0, ctx.Err()
}

// interrupt sends Ctrl-C to this process.
func interrupt() {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(os.Interrupt) // Windows has none, so scripts have the condition [unix]
	}
	if err != nil {
		panic(err)
	}
}
