package remote

import (
	"encoding/binary"
	"fmt"

	"utfbench/transport"
)

// Sizes of a series in a message, in bytes.
const (
	seriesHead = 1 + 1 + 4 + 4
	fieldSize  = 3
	levelsSize = 2 // of a sample without unknown bits
)

// appendSeries encodes cases of a series, starting at case from.
func appendSeries(to []byte, s *transport.Series, from, cases int) []byte {
	to = append(to, byte(len(s.Steps)), byte(len(s.Fields)))
	to = binary.LittleEndian.AppendUint32(to, uint32(cases))
	to = binary.LittleEndian.AppendUint32(to, s.First+uint32(from))
	to = appendSteps(to, s.Steps)
	for _, f := range s.Fields {
		to = append(to, byte(f.Step), f.Shift, f.Mask)
	}
	for _, want := range s.Want[from*len(s.Steps):][:cases*len(s.Steps)] {
		to = append(to, want.Out, want.IO)
	}
	return to
}

// casesThatFit returns the number of cases of a series that fit into room bytes.
func casesThatFit(s *transport.Series, room int) int {
	room -= seriesHead + stepSize*len(s.Steps) + fieldSize*len(s.Fields)
	return max(0, room/(levelsSize*len(s.Steps)))
}

// readSeries decodes all series in the rest of a message. The caller validates them with Check.
func readSeries(r *reader) (all []transport.Series, err error) {
	for len(r.rest) > 0 {
		var s transport.Series
		steps, fields, cases := r.byte(), r.byte(), r.uint32()
		s.First = r.uint32()
		s.Steps = readSteps(nil, r.array(uint32(steps), stepSize))
		for f := r.array(uint32(fields), fieldSize); len(f) > 0; f = f[fieldSize:] {
			s.Fields = append(s.Fields, transport.Field{Step: int(f[0]), Shift: f[1], Mask: f[2]})
		}
		want := r.array(cases, levelsSize*len(s.Steps))
		if r.short || len(want) == 0 {
			return nil, fmt.Errorf("a series of %d cases of %d steps: %w", cases, steps, errCut)
		}
		s.Count, s.Want = int(cases), make([]transport.Sample, len(want)/levelsSize)
		for i := range s.Want {
			s.Want[i] = transport.Sample{Out: want[levelsSize*i], IO: want[levelsSize*i+1]}
		}
		all = append(all, s)
	}
	return all, nil
}
