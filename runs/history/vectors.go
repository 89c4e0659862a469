package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"utfbench/internal/files"
)

// A Vector is a vector that was judged in a run and did not pass.
type Vector struct {
	Name       string `json:"name"`
	Verdict    string `json:"verdict"`  // FAIL, FLAKY or ERROR
	Mismatch   string `json:"mismatch"` // the first, in words
	Failed     int    `json:"failed"`   // iterations that did not pass
	Executions int    `json:"runs"`     // judged iterations
}

// writeVectors writes the list of a run's vectors, if it has any.
func writeVectors(path string, number int, all []*Vector) error {
	if len(all) == 0 {
		return nil
	}
	out, err := files.Create(vectorsOf(path, number), 0)
	if err != nil {
		return err
	}
	defer out.Discard()
	for _, v := range all {
		line, err := seal(v)
		if err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
		out.Write(line) // Commit returns the error
	}
	return out.Commit()
}

// Vectors returns a run's judged vectors that did not pass, in order.
func (h *History) Vectors(number int) (all []Vector, err error) {
	f, err := os.Open(vectorsOf(h.path, number))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, h.named(err)
	}
	defer f.Close()
	n := 0
	err = eachLine(f, func(line []byte, _ int) {
		n++
		var v Vector
		if line = sound(line); line == nil || json.Unmarshal(line, &v) != nil {
			h.skipped(fmt.Errorf("%s is damaged in line %d", f.Name(), n))
			return
		}
		all = append(all, v)
	})
	return all, h.named(err)
}
