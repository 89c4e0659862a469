package utf

import (
	"fmt"

	"utfbench/internal/failure"
	"utfbench/model"
	"utfbench/transport"
)

// drawnValues covers 32-bit values written as UTF-32, at both levels of CHK and CBE: the boundaries, then random ones.
type drawnValues struct {
	cases     // a value in all modes
	bounds    []uint32
	drawn     int
	seed      uint64
	templates [4][7][5]template // by levels, and the lengths of the UTF-8 and the UTF-16 form
}

const (
	valuesBlock = 2048 // values
	valuesModes = len(modeLevels)

	// DefaultValues and MaxValues are the default and maximum number of random values.
	DefaultValues = 1 << 18
	MaxValues     = 1 << 24 // so that a 32-bit machine can count the steps
)

// limits lists the values at which the status, the properties or the length of a form changes (docs/chip.md, "Value").
// The properties of the last two code points of each plane are not included.
var limits = []uint32{
	0, 0x20, 0x7F, 0x80, 0xA0, 0x800, 0xD800, 0xDB80, 0xDC00, 0xE000, 0xF900, 0xFDD0, 0xFDF0, 0xFFFE, 0x10000, 0xF0000,
	0x110000, 0x200000, 0x4000000, 0x80000000, 0xDDD80000, 0xDDDC0000, 0xDDDDDD00, 0xDDDDDE00, 0xF0000000, 0xF4000000,
	0xF8000000, 0xF8200000, 0xFC000000, 0xFE000000, 0xFFC00000, 0xFFC10000, 0xFFE00000, 0xFFF80000,
	0xFFFE0000, 0xFFFE0800,
	0xFFFF0000, 0xFFFFE000, 0xFFFFF000, 0xFFFFF080, 0xFFFFF800, 0xFFFFFF80, 0xFFFFFFC0, 0xFFFFFFFE,
}

// boundaries returns two values on each side of a limit, the last two of some planes, and each single bit.
func boundaries() (all []uint32) {
	for _, l := range limits {
		all = append(all, l-2, l-1, l, l+1)
	}
	for plane := uint32(1); plane != 0; plane <<= 1 {
		all = append(all, plane)
		if plane < 0x8000 {
			all = append(all, plane<<16|0xFFFD, plane<<16|0xFFFE, plane<<16|0xFFFF)
		}
	}
	return all
}

func newValues(drawn int, seed uint64) (*drawnValues, error) {
	if drawn < 0 || drawn > MaxValues {
		return nil, failure.Usagef("%d values: allowed are 0 to %d", drawn, MaxValues)
	}
	s := &drawnValues{bounds: boundaries(), drawn: drawn, seed: seed}
	s.cases = cases{len(s.bounds) + drawn, valuesModes, valuesBlock}
	for m := range s.templates {
		for n8 := range s.templates[m] {
			for n16 := range s.templates[m][n8] {
				s.templates[m][n8][n16] = shape{form: UTF32, levels: modeLevels[m], n: 4, n16: n16,
					n8: n8}.template()
			}
		}
	}
	return s, nil
}

func (s *drawnValues) at(block, i int) (v uint32, mode int) {
	n, mode := s.unit(block, i)
	if n < len(s.bounds) {
		return s.bounds[n], mode
	}
	return uint32(mix(s.seed, uint64(n-len(s.bounds))) >> 32), mode
}

// mix returns number n of a seed's sequence, by SplitMix64 (Steele, Lea, Flood, 2014), which allows random access.
func mix(seed, n uint64) uint64 {
	z := seed + (n+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func (s *drawnValues) Append(steps []transport.Step, block, i int) []transport.Step {
	v, m := s.at(block, i)
	return s.templates[m][model.UTF8Len(v)][model.UTF16Len(v)].fill(steps, UTF32, modeLevels[m], v, 4)
}

func (s *drawnValues) Case(block, i int) string {
	v, m := s.at(block, i)
	return fmt.Sprintf("%08X written as UTF-32, %s", v, modeWords(modeLevels[m]))
}

func (s *drawnValues) BlockText(block int) string {
	if block == 0 {
		return fmt.Sprintf("the boundaries and the first of %d values drawn", s.drawn)
	}
	return fmt.Sprintf("values drawn from number %d on", block*valuesBlock-len(s.bounds)+1)
}
