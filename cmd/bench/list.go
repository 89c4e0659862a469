package main

import (
	"bufio"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/driver"
)

func newList() *cobra.Command {
	var selected selection
	var asJSON, vectors bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List suites, or with --suite or --run the vectors",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			jobs, err := selected.Jobs()
			if err != nil {
				return err
			}
			if len(jobs) == 0 {
				return &exit{exitNothing, fmt.Errorf("no vector is selected: bench list shows the suites")}
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			switch {
			case asJSON:
				return listJSON(w, jobs)
			case vectors || selected.Match != "" || len(selected.Suites) > 0:
				listVectors(w, jobs)
			default:
				listSuites(w, jobs)
			}
			return nil
		},
	}
	selected.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "every selected vector as a JSON object, one a line")
	cmd.Flags().BoolVar(&vectors, "vectors", false, "every selected vector, a line each")
	return cmd
}

// A suiteCount is what a list shows of a suite.
type suiteCount struct {
	name, document string
	vectors, steps int
}

func listSuites(w *bufio.Writer, jobs []driver.Job) {
	var suites []*suiteCount
	for _, j := range jobs {
		if n := len(suites); n == 0 || suites[n-1].name != j.Vector.Suite() {
			suites = append(suites, &suiteCount{name: j.Vector.Suite(), document: j.Vector.Source.Document})
		}
		s := suites[len(suites)-1]
		s.vectors++
		s.steps += len(j.Vector.Steps)
	}
	fmt.Fprintf(w, "%-12s %8s %8s  %s\n", "suite", "vectors", "steps", "first document")
	for _, s := range suites {
		fmt.Fprintf(w, "%-12s %8d %8d  %s\n", s.name, s.vectors, s.steps, s.document)
	}
}

func listVectors(w *bufio.Writer, jobs []driver.Job) {
	for _, j := range jobs {
		fmt.Fprintf(w, "%s\t%s\n", j.Vector.Name, j.Vector.Source)
	}
}

func listJSON(w *bufio.Writer, jobs []driver.Job) error {
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
