package plan

import (
	"encoding/json"
	"fmt"
	"io"

	"utfbench/driver"
)

// List writes a line for each suite of some vectors: name, vectors, steps, first document. As with Show, a write that fails is left
// to w to tell.
func List(w io.Writer, jobs []driver.Job) {
	fmt.Fprintf(w, "%-12s %8s %8s  %s\n", "suite", "vectors", "steps", "first document")
	for len(jobs) > 0 {
		first, vectors, steps := jobs[0].Vector, 0, 0
		for len(jobs) > 0 && jobs[0].Vector.Suite() == first.Suite() {
			vectors++
			steps += len(jobs[0].Vector.Steps)
			jobs = jobs[1:]
		}
		fmt.Fprintf(w, "%-12s %8d %8d  %s\n", first.Suite(), vectors, steps, first.Source.Document)
	}
}

// ListVectors writes a line for each vector.
func ListVectors(w io.Writer, jobs []driver.Job) {
	for _, j := range jobs {
		fmt.Fprintf(w, "%s\t%s\n", j.Vector.Name, j.Vector.Source)
	}
}

// ListJSON writes an object for each vector, a line each; docs/formats.md describes it.
func ListJSON(w io.Writer, jobs []driver.Job) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, j := range jobs {
		v := j.Vector
		err := enc.Encode(struct {
			Name     string `json:"name"`
			Suite    string `json:"suite"`
			File     string `json:"file"`
			Line     int    `json:"line"`
			Document string `json:"document"`
			Section  string `json:"section"`
			Row      string `json:"row"`
			Unicode  string `json:"unicode,omitempty"`
			Revision string `json:"revision,omitempty"`
			Steps    int    `json:"steps"`
		}{v.Name, v.Suite(), j.File, v.Line, v.Source.Document, v.Source.Section, v.Source.Row, v.Class, v.Revision, len(v.Steps)})
		if err != nil {
			return err
		}
	}
	return nil
}
