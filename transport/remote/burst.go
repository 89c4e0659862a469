package remote

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"utfbench/transport"
)

const (
	timingSize = 4 * 8
	burstHead  = requestHead + timingSize
)

// Grid implements transport.Burster with the far end's grid, limited to the steps that fit into one message. It is
// queried on demand, since a board may first need its burst program. The error is the far end's.
func (n *Near) Grid(ctx context.Context) (transport.Grid, error) {
	if err := n.usable(); err != nil {
		return transport.Grid{}, err
	}
	if n.grid != nil {
		return *n.grid, nil
	}
	text, err := n.ask(ctx, kindGrid, nil)
	if err != nil {
		return transport.Grid{}, err
	}
	var g transport.Grid
	if err := json.Unmarshal(text, &g); err != nil {
		return g, n.bury(fmt.Errorf("an unreadable grid: %w", err))
	}
	if g.Clock <= 0 || g.High < 0 || g.Gap < 0 || g.LeastPeriod <= 0 || g.MostPeriod < g.LeastPeriod ||
		g.StillPeriod < 0 || g.MostSample < 0 || g.Steps < 1 || g.Periods < 1 || g.PlainPeriods < 0 ||
		slices.ContainsFunc(g.Clocks, func(hz int) bool { return hz <= 0 }) {
		return g, n.bury(fmt.Errorf("an invalid grid: %+v", g))
	}
	g.Steps = min(g.Steps, (n.limit-burstHead)/stepSize)
	n.grid = &g
	return g, nil
}

// Burst implements transport.Burster.
func (n *Near) Burst(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	at transport.Timing) error {
	if err := n.usable(); err != nil {
		return err
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil || len(steps) == 0 {
		return err
	}
	if most := (n.limit - burstHead) / stepSize; len(steps) > most {
		return fmt.Errorf("%s: a burst of %d steps exceeds the link's limit of %d", n.name, len(steps), most)
	}
	body := appendTiming(make([]byte, 0, timingSize+stepSize*len(steps)), at)
	got, err := n.ask(ctx, kindBurst, appendSteps(body, steps))
	if err != nil {
		return err
	}
	if len(got) != sampleSize*len(steps) {
		return n.bury(fmt.Errorf("%d bytes of samples of a burst of %d steps", len(got), len(steps)))
	}
	readSamples(samples[:len(steps)], got)
	return nil
}

// RunsFree implements transport.FreeRunner.
func (n *Near) RunsFree() bool { return n.about.Free }

// mostFree is the maximum time that clk runs by one request, so that a stop ends it soon.
const mostFree = 100 * time.Millisecond

// FreeRun implements transport.FreeRunner.
func (n *Near) FreeRun(ctx context.Context, held transport.Step, clocks int, at transport.Timing) error {
	if at.Period <= 0 {
		return fmt.Errorf("%s: clk cannot run with %s", n.name, at)
	}
	head := appendSteps(appendTiming(nil, at), []transport.Step{held})
	for most := min(int(mostFree/at.Period)+1, math.MaxInt32); clocks > 0; clocks -= most {
		_, err := n.ask(ctx, kindFree, binary.LittleEndian.AppendUint32(slices.Clip(head), uint32(min(clocks, most))))
		if err != nil {
			return err
		}
	}
	return nil
}

func appendTiming(to []byte, at transport.Timing) []byte {
	for _, v := range []int64{int64(at.Period), int64(at.Sample), int64(at.Lead), int64(at.Clock)} {
		to = binary.LittleEndian.AppendUint64(to, uint64(v))
	}
	return to
}

func (r *reader) timing() transport.Timing {
	return transport.Timing{Period: time.Duration(r.uint64()), Sample: time.Duration(r.uint64()),
		Lead: time.Duration(r.uint64()), Clock: int(r.uint64())}
}
