package sweep

import (
	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/tile"
)

// A Failure describes the first case that differs.
type Failure struct {
	Case   string // description
	Result driver.Result
	Trace  driver.Trace
}

// FirstFailure returns the first wrong case of ordered blocks, or nil. The error reports a record that does not fit the
// space.
func FirstFailure(space tile.Space, t tile.Tile, blocks []Block) (*Failure, error) {
	for _, b := range blocks {
		if b.First != nil {
			return explain(space, t, b)
		}
	}
	return nil, nil
}

func explain(space tile.Space, t tile.Tile, b Block) (*Failure, error) {
	got, err := decodeSamples(b.First.Got)
	if err != nil {
		return nil, failure.Usagef("block %d: %w", b.Number, err)
	}
	if b.First.Case < 0 || b.First.Case >= space.Cases(b.Number) {
		return nil, failure.Usagef("block %d: it has no case %d", b.Number, b.First.Case)
	}
	f := &Failure{Case: space.Case(b.Number, b.First.Case)}
	f.Trace.Steps = space.Append(nil, b.Number, b.First.Case)
	f.Trace.Got = got
	if len(got) != len(f.Trace.Steps) {
		return nil, failure.Usagef("block %d: %d samples of a case of %d steps", b.Number, len(got), len(f.Trace.Steps))
	}
	if err := f.Trace.Expect(t); err != nil {
		return nil, err
	}
	f.Result.Tile = t
	f.Trace.Judge(&f.Result, &driver.Tally{})
	if f.Result.First == nil {
		return nil, failure.Usagef("block %d: the samples of %s match the model", b.Number, f.Case)
	}
	return f, nil
}
