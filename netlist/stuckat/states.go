package stuckat

import (
	"context"
	"encoding/binary"

	"utfbench/netlist"
)

// States gives the states, each once, that a chip without a fault is in at vectors after the first step of each, from
// either power-up: the bits of the flip-flops in their order, 64 a word. A vector has a step at least. The error is an
// *Other, or ctx's.
func States(ctx context.Context, n *netlist.Netlist, vectors []Vector) (all [][]uint64, err error) {
	met := map[string]bool{}
	for from := 0; from < len(vectors); {
		w, err := newWindow(ctx, n, vectors, from)
		if err != nil {
			return nil, err
		}
		from += len(w.vectors)
		for p := range w.traces {
			for v, t := range w.traces[p] {
				for _, e := range t[w.begins[v][1]:] {
					state := w.state(e.role(), e.id())
					if key := keyOf(state); !met[key] {
						met[key] = true
						all = append(all, state)
					}
				}
			}
		}
	}
	return all, nil
}

func keyOf(state []uint64) string {
	key := make([]byte, 0, 8*len(state))
	for _, bits := range state {
		key = binary.LittleEndian.AppendUint64(key, bits)
	}
	return string(key)
}
