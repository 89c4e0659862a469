package wave

import (
	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// A player plays steps to a tile's reference with separate uio_in and uio_out, as in a simulation: the tile reads the
// test's levels on uio, even where it drives the lines itself.
type player struct {
	chip fault.Chip
	in   fault.Levels
	free func()
}

// newPlayer returns the player of a tile after power-up. Call free at the end.
func newPlayer(t tile.Tile) (*player, error) {
	ref := t.New()
	wired, is := ref.(tile.Wired)
	if !is {
		tile.Done(ref)
		return nil, failure.Usagef("%s has no gates here to compare a waveform with", t.Name())
	}
	return &player{chip: wired.Wired(), in: fault.Levels{X: fault.MaskUIO}, free: func() { tile.Done(ref) }}, nil
}

// step applies a step and returns the tile's outputs and the lines of uio that it may drive. ui settles before uio, as
// on a chip.
func (p *player) step(s transport.Step) (shows transport.Sample, drives uint8) {
	p.in.V = p.in.V&fault.MaskUIO | uint32(s.In)<<fault.UI
	if !s.Reset {
		p.in.V |= fault.MaskRst
	}
	p.settle()
	p.in.V = p.in.V&^fault.MaskUIO | uint32(s.IO)<<fault.UIO
	p.in.X = uint32(^s.Drive) << fault.UIO
	p.settle()
	for range s.Clocks {
		high := p.in
		high.V |= fault.MaskClk
		p.chip.Edge(high)
		p.settle()
	}
	out, lines := p.chip.Drives(p.in)
	return transport.Sample{Out: uint8(out.V >> fault.UO), OutX: uint8(out.X >> fault.UO),
		IO: uint8(out.V >> fault.UIO), IOX: uint8(out.X >> fault.UIO)}, uint8(lines >> fault.UIO)
}

func (p *player) settle() {
	if s, is := p.chip.(fault.Settler); is {
		s.Settle(p.in)
	}
}
