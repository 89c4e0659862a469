package waveform

import (
	"utfbench/tile"
)

// words are a tile's words for an excerpt: all that its picture needs.
type words struct {
	idle uint8
	in   []string   // names of ui
	does []string   // operation of each step
	out  [][]string // names of uo at each step
}

// words returns the tile's words.
func (e *Excerpt) words() *words {
	t := &e.Trace
	w := &words{idle: t.Tile.Idle(), in: tile.InputNames(t.Tile)}
	for _, s := range t.Steps {
		w.does = append(w.does, tile.Describe(t.Tile, s))
		w.out = append(w.out, tile.OutputNames(t.Tile, s.In))
	}
	return w
}
