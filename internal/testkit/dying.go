package testkit

import (
	"errors"
	"sync/atomic"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// ErrDied is the failure of a DyingTile's references and chips. It has no failure.Kind.
var ErrDied = errors.New("the reference has died")

// A DyingTile is the UTF chip's tile whose references and wired chips fail after a number of steps in total.
type DyingTile struct {
	utf.Tile
	left *atomic.Int64
}

// NewDyingTile returns a tile that fails after a number of steps in total.
func NewDyingTile(after int64) DyingTile {
	d := DyingTile{utf.TT09, new(atomic.Int64)}
	d.left.Store(after)
	return d
}

// New implements tile.Tile.
func (d DyingTile) New() tile.Reference { return &dyingReference{d.Tile.New(), d.left} }

type dyingReference struct {
	tile.Reference
	left *atomic.Int64
}

// Run implements tile.Reference.
func (d *dyingReference) Run(steps []transport.Step, samples []transport.Sample) error {
	if d.left.Add(-int64(len(steps))) < 0 {
		return ErrDied
	}
	return d.Reference.Run(steps, samples)
}

// FaultChip implements tile.WiredReference.
func (d *dyingReference) FaultChip() fault.Chip {
	return &dyingChip{d.Reference.(tile.WiredReference).FaultChip(), d.left}
}

type dyingChip struct {
	fault.Chip
	left *atomic.Int64
}

// Drives implements fault.Chip.
func (d *dyingChip) Drives(in fault.Levels) (fault.Levels, uint32) {
	d.left.Add(-1)
	return d.Chip.Drives(in)
}

// Err returns the failure.
func (d *dyingChip) Err() error {
	if d.left.Load() < 0 {
		return ErrDied
	}
	return nil
}
