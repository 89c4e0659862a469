package driver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// A Twin is a simulation of the sources from which the reference was synthesised. Where it differs from the reference,
// two tools interpret the same sources differently, so neither can judge a simulated chip.
type Twin struct {
	Transport transport.Transport // nil if there is no separate simulation
	IsChip    bool                // the chip itself is this simulation; Transport is nil
}

// TwinReasonPrefix begins the reason of an ERROR in which Twin and chip differ from the reference on the same lines.
const TwinReasonPrefix = "the sources simulate otherwise than they synthesise: "

// excuse excludes from the comparison differences that the simulator causes: X, where a real chip has a level, and
// differences that the Twin also shows. These make the vector neither PASS nor FAIL. excuse returns the reason for the
// ERROR to report if nothing else differs.
func (r *run) excuse(ctx context.Context, res *Result, t *Trace) (why string, err error) {
	if _, differs := t.firstDifference(); !differs {
		return "", nil
	}
	if why = res.job.TwinReason; why != "" {
		t.forget(t.Got)
		return why, nil
	}
	if why, err = r.excuseTwins(ctx, t); err != nil || !transport.IsFourState(r.Transport) {
		return why, err
	}
	undriven, err := r.undriven(ctx, res, t)
	if err != nil {
		return "", err
	}
	return cmp.Or(why, t.forgetX(undriven)), nil
}

// excuseTwins excludes the differences that the twin also shows.
func (r *run) excuseTwins(ctx context.Context, t *Trace) (why string, err error) {
	if r.Twin == nil {
		return "", nil
	}
	if r.twin == nil {
		if r.twin, err = r.Twin(ctx); err != nil {
			return "", err
		}
	}
	got := t.Got
	if !r.twin.IsChip {
		if r.twin.Transport == nil || r.following != nil { // within a stream, the twin lacks the state
			return "", nil
		}
		got = make([]transport.Sample, len(t.Steps))
		if _, err := transport.Apply(ctx, r.twin.Transport, t.Steps, got); err != nil {
			return "", fmt.Errorf("the simulation of the reference's own sources: %w", err)
		}
		t.twin = got
	}
	step, lines, want := t.forget(got)
	if lines == 0 {
		return "", nil
	}
	return TwinReasonPrefix + t.disagreement(step, lines, want), nil
}

func (r *run) closeTwin() {
	if r.twin != nil && r.twin.Transport != nil {
		r.twin.Transport.Close() // no chip needs parking, so its error does not matter
	}
	r.twin = nil
}

// forget excludes the lines on which both the chip and the other samples differ from the reference. It returns the
// first such step with its lines and the expected sample.
func (t *Trace) forget(others []transport.Sample) (step int, lines transport.Outputs, want transport.Sample) {
	for i := range t.Got {
		both := t.Differ(i) & others[i].Differ(t.Want[i])
		if both != 0 && lines == 0 {
			step, lines, want = i, both, t.Want[i]
		}
		t.Want[i].SetUnknown(both)
	}
	return step, lines, want
}

// disagreement describes a step at which simulation and gates of the same sources differ.
func (t *Trace) disagreement(step int, lines transport.Outputs, want transport.Sample) string {
	const most = 3
	var sim, gates []string
	for _, name := range lines.Names() {
		sim = append(sim, name+"="+level(t.Got[step], name))
		gates = append(gates, name+"="+level(want, name))
	}
	text := fmt.Sprintf("at step %d the simulation shows %s, the gates %s", step+1, printable.ListAtMost(sim, most),
		printable.ListAtMost(gates, most))
	if floating := t.floating(step); floating != 0 {
		text += fmt.Sprintf("; nothing drives %s there, which the simulator reads as X", floating)
	}
	shown := t.shown
	for i, got := range t.Got[:step] {
		shown |= transport.Outputs(got.OutX & t.Want[i].OutX)
	}
	if shown != 0 && t.fourState {
		text += fmt.Sprintf("; %s was X before, which the simulator takes for false in a condition", shown)
	}
	return text
}

func level(s transport.Sample, name string) string {
	for i, line := range transport.Lines[transport.UO:] {
		switch bit := transport.Outputs(1) << i; {
		case line != name:
		case s.Unknown()&bit != 0:
			return "X"
		case s.Levels()&bit != 0:
			return "1"
		}
	}
	return "0"
}

// floating returns the lines of uio that the design uses and nothing drives at a step of a four-state simulation.
func (t *Trace) floating(i int) transport.Outputs {
	if !t.fourState {
		return 0
	}
	lines := t.Got[i].IOX &^ t.Got[i].IO & t.Want[i].IOX &^ t.Steps[i].Drive
	unused := tile.UnusedLines(t.Tile)
	for k := range 8 {
		if slices.Contains(unused, transport.Lines[transport.UIO+k]) {
			lines &^= 1 << k
		}
	}
	return transport.Outputs(lines) << 8
}

// undriven returns the outputs that nothing drove, for each step. A recording does not distinguish them from X: if a
// recorded FAIL differs only by X, undriven returns all outputs.
func (r *run) undriven(ctx context.Context, res *Result, t *Trace) ([]transport.Outputs, error) {
	byX, only := t.differByX()
	if chip, tells := r.Transport.(transport.Floater); tells && byX && r.following == nil {
		return chip.UndrivenOutputs(ctx, t.Steps)
	}
	lines := make([]transport.Outputs, len(t.Got))
	for i := range lines {
		if only && res.job.Failed {
			lines[i] = ^transport.Outputs(0)
		}
	}
	return lines, nil
}

func (t *Trace) differByX() (any, all bool) {
	all = true
	for i, got := range t.Got {
		any = any || t.Differ(i)&got.UnknownUncontended() != 0
		all = all && t.Differ(i)&^got.UnknownUncontended() == 0
	}
	return any, all
}

// forgetX excludes a simulation's X, except on undriven lines and in contention. It returns an ERROR's reason, or "".
func (t *Trace) forgetX(undriven []transport.Outputs) (why string) {
	for i, got := range t.Got {
		lines := got.Differ(t.Want[i]) & got.UnknownUncontended() &^ undriven[i]
		if lines != 0 && why == "" {
			why = fmt.Sprintf("the simulator shows X on %s at step %d, where a chip has a level: --simulator "+
				"verilator has no X", strings.Join(lines.Names(), ", "), i+1)
		}
		t.Want[i].SetUnknown(lines)
	}
	return why
}

// shownX returns the lines of uo that were X and not compared in a sample from the latest reset to step last, except an
// X that the twin shows too. It ignores uio, where a line may be X because nothing drives it.
func (t *Trace) shownX(last int) (lines transport.Outputs) {
	lines = t.shown
	for i, got := range t.Got[:last+1] {
		if t.Steps[i].Reset {
			lines = 0
			continue
		}
		shown := got.OutX & t.Want[i].OutX
		if t.twin != nil {
			shown &^= t.twin[i].OutX
		}
		lines |= transport.Outputs(shown)
	}
	return lines
}
