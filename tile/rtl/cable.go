package rtl

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"utfbench/fault"
	"utfbench/internal/crash"
	"utfbench/tile"
	"utfbench/transport"
)

// The wiring check of a tile asks steps by chance: it draws them several times, and keeps a drawing that shows faults
// of lines which no drawing before has shown.
const (
	drawings  = 5
	drawn     = 600 // steps of a drawing
	mostKept  = 2   // since each of a thousand faults is simulated on all of them
	simulated = 64  // faults at a time: each waits for another process
)

// Cable implements tile.Cabled. Drawings are the same each time; since they take seconds, and in Icarus most of a
// minute, they are kept beside the design.
func (t *Tile) Cable() ([]transport.Step, error) {
	t.drawing.Do(func() {
		name := t.drawingOf()
		kept, ok := t.design.Kept(name)
		if ok && json.Unmarshal(kept, &t.cable) == nil && len(t.cable) > 0 && t.Lint(t.cable) == nil {
			return
		}
		if t.cable, t.undrawn = t.draw(); t.undrawn == nil {
			kept, _ = json.Marshal(t.cable) // numbers and booleans
			t.design.Keep(name, kept)
		}
	})
	return t.cable, t.undrawn
}

// drawingOf names a drawing by what it depends on besides the design.
func (t *Tile) drawingOf() string {
	of := fmt.Sprintln(drawings, drawn, mostKept, t.ResetStep(), t.Idle(), t.may, t.always)
	return fmt.Sprintf("cable-%x", sha256.Sum256([]byte(of)))[:22]
}

// draw chooses the steps.
func (t *Tile) draw() (steps []transport.Step, err error) {
	hidden := stuckLines()
	for seed, kept := uint64(1), 0; seed <= drawings && kept < mostKept && len(hidden) > 0; seed++ {
		part, err := tile.Random(t, rand.New(rand.NewPCG(seed, 1)), drawn)
		if err != nil {
			return nil, err
		}
		still, err := t.hide(hidden, part)
		if err != nil {
			return nil, err
		}
		if kept == 0 || len(still) < len(hidden) {
			steps, hidden = append(steps, part...), still
			kept++
		}
	}
	return steps, nil
}

// stuckLines are the faults of single lines that a check has to see.
func stuckLines() (all []fault.Fault) {
	for _, line := range fault.Lines {
		for _, level := range []string{"=stuck0", "=stuck1"} {
			f, err := fault.Bits(nil).Parse(line + level)
			if err != nil {
				panic(err) // a mistake in this file
			}
			all = append(all, f)
		}
	}
	return all
}

// hide returns the faults with which a chip shows what a right one does.
func (t *Tile) hide(faults []fault.Fault, steps []transport.Step) ([]fault.Fault, error) {
	right, err := t.behind(nil, steps)
	if err != nil {
		return nil, err
	}
	same, failed := make([]bool, len(faults)), make([]error, len(faults))
	var all crash.Group
	free := make(chan struct{}, simulated)
	for i, f := range faults {
		all.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			got, err := t.behind([]fault.Fault{f}, steps)
			same[i], failed[i] = transport.Differ(got, right) == 0, err
		})
	}
	all.Wait()
	i := -1
	hidden := slices.DeleteFunc(slices.Clone(faults), func(fault.Fault) bool { i++; return !same[i] })
	return hidden, errors.Join(failed...)
}

// behind returns what a chip shows at the end of wires with these faults.
func (t *Tile) behind(faults []fault.Fault, steps []transport.Step) ([]transport.Sample, error) {
	samples := make([]transport.Sample, len(steps))
	w := fault.New(tile.Wire(t), faults, 0)
	defer w.Close()
	return samples, w.Run(steps, samples)
}
