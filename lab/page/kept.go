package page

import (
	"slices"
	"sync"
)

// mostKept is the maximum number of reports kept, each of some hundred kilobytes at most.
const mostKept = 16

// A shelf caches the reports that were made last, since judging a long run takes seconds.
type shelf struct {
	mu   sync.Mutex
	kept []keptReport // the latest last
}

type keptReport struct {
	run  int
	text []byte
}

func (s *shelf) find(run int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.kept {
		if k.run == run {
			return k.text
		}
	}
	return nil
}

// keep stores a report in place of the oldest.
func (s *shelf) keep(run int, text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = slices.DeleteFunc(s.kept, func(k keptReport) bool { return k.run == run })
	s.kept = append(s.kept, keptReport{run, text})
	s.kept = s.kept[max(0, len(s.kept)-mostKept):]
}
