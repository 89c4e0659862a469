package history

import (
	"maps"
	"slices"
)

// A Due is a run that must still be handed in.
type Due struct {
	Run int
	Lab string // the lab's address
}

// Due returns the runs that must still be handed in, the oldest first.
func (h *History) Due() (all []Due, err error) {
	err = h.reading(func() {
		for _, run := range slices.Sorted(maps.Keys(h.journal.due)) {
			all = append(all, Due{run, h.journal.due[run]})
		}
	})
	return all, err
}

// Settle removes a run from those due.
func (h *History) Settle(run int) error {
	return h.change(false, func() (*fact, error) {
		if h.journal.due[run] == "" {
			return nil, nil
		}
		return &fact{Run: run, Settled: true}, nil
	})
}
