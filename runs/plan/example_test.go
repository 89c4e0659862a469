package plan_test

import (
	"fmt"
	"log"

	"utfbench/runs/plan"
	"utfbench/tile/utf"
)

// The plan of a selection holds its vectors, the number of iterations, and a digest.
func ExampleSelection_Plan() {
	s := plan.Selection{Tile: utf.TT09, Suites: []string{"chip"}, Match: "utf16-le"}
	p, err := s.Plan(2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Vectors, p.Count)
	// Output: 276 2
}

// Random steps form vectors of 200 steps, and are the same for the same seed.
func ExampleSelection_Jobs() {
	s := plan.Selection{Tile: utf.TT09, RandomSteps: 1000, Seed: 7}
	jobs, err := s.Jobs()
	fmt.Println(len(jobs), jobs[0].Vector.Name, err)
	// Output: 5 random/00001 <nil>
}
