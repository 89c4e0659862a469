package rtl

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"utfbench/fault"
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
func (t *Tile) Cable() []transport.Step {
	t.drawing.Do(func() {
		name := t.drawingOf()
		kept, ok := t.design.Kept(name)
		if ok && json.Unmarshal(kept, &t.cable) == nil && len(t.cable) > 0 && t.Lint(t.cable) == nil {
			return
		}
		if t.cable = t.draw(); t.Err() == nil {
			kept, _ = json.Marshal(t.cable) // numbers and booleans
			t.design.Keep(name, kept)
		}
	})
	return t.cable
}

// drawingOf names a drawing by what it depends on besides the design.
func (t *Tile) drawingOf() string {
	of := fmt.Sprintln(drawings, drawn, mostKept, t.ResetStep(), t.Idle(), t.may, t.always)
	return fmt.Sprintf("cable-%x", sha256.Sum256([]byte(of)))[:22]
}

// draw chooses the steps. What cannot be asked is left out, and the tile keeps the error.
func (t *Tile) draw() (steps []transport.Step) {
	hidden := stuckLines()
	for seed, kept := uint64(1), 0; seed <= drawings && kept < mostKept && len(hidden) > 0; seed++ {
		part, err := tile.Random(t, rand.New(rand.NewPCG(seed, 1)), drawn)
		if err != nil {
			return steps
		}
		still := t.hide(hidden, part)
		if kept == 0 || len(still) < len(hidden) {
			steps, hidden = append(steps, part...), still
			kept++
		}
	}
	return steps
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

// hide gives the faults with which a chip shows what a right one does.
func (t *Tile) hide(faults []fault.Fault, steps []transport.Step) []fault.Fault {
	right := t.behind(nil, steps)
	same := make([]bool, len(faults))
	var all sync.WaitGroup
	free := make(chan struct{}, simulated)
	for i, f := range faults {
		all.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			same[i] = transport.Differ(t.behind([]fault.Fault{f}, steps), right) == 0
		})
	}
	all.Wait()
	i := -1
	return slices.DeleteFunc(slices.Clone(faults), func(fault.Fault) bool { i++; return !same[i] })
}

// behind is what a chip shows at the end of wires with these faults.
func (t *Tile) behind(faults []fault.Fault, steps []transport.Step) []transport.Sample {
	samples := make([]transport.Sample, len(steps))
	w := fault.New(tile.Wire(t), faults, 0)
	defer w.Close()
	if w.Run(steps, samples) != nil {
		return nil
	}
	return samples
}
