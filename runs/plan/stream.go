package plan

import (
	"encoding/json"
	"fmt"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
)

// mostBatches is the maximum number of batches of a capture, which are recorded like vectors.
const mostBatches = golden.MaxVectors - 2

// stream returns the plan of a capture, which runs once.
func (s *Selection) stream() (Plan, error) {
	c := *s.Capture
	in, err := driver.ParseInputs(c.Inputs)
	if err != nil {
		return Plan{}, fmt.Errorf("--input %w", err)
	}
	stream, err := driver.NewStream(s.Tile, in)
	if err != nil {
		return Plan{}, fmt.Errorf("--input: %w", err)
	}
	if c.Lines != "" {
		if stream.Lines, err = driver.ParseOutputs(c.Lines); err != nil {
			return Plan{}, err
		}
	}
	if c.Clocks < 1 || c.Skip < 0 {
		return Plan{}, failure.Usagef("a capture of %d clocks after %d: want 1 or more, and 0 or more", c.Clocks,
			c.Skip)
	}
	stream.Skip, stream.Steps = c.Skip, c.Clocks
	stream.Batch = max(driver.BatchSteps, c.Clocks/mostBatches+1)
	stimulus := c
	stimulus.Lines = ""
	text, err := json.Marshal(stimulus)
	return Plan{Vectors: stream.Batches(), Count: 1, Iterations: stream.Jobs(), Stream: stream,
		Digest:     golden.Digest([]*golden.Suite{{Text: string(text)}}),
		Invocation: &driver.Invocation{Capture: &c, AcceptWeak: s.AcceptWeak}}, err
}
