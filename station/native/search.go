package native

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/plan"
	"utfbench/tile/gates"
	"utfbench/tile/pack"
)

// Searches returns the search of pack.Make, with a board time for each design. It keeps each result of a version of the
// bench in the user's cache, so that an interrupted search continues.
func Searches(ctx context.Context, budget time.Duration, bench string) pack.Search {
	kept, cacheErr := files.OpenCache("", "suites")
	return func(t *gates.Tile) (s pack.Suite, err error) {
		if cacheErr != nil {
			return search(ctx, t, budget)
		}
		key := fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, bench, budget, t.Digest(), t.About.Pins)))
		if text, ok := kept.Memo(key); ok && json.Unmarshal(text, &s) == nil {
			return s, nil
		}
		if s, err = search(ctx, t, budget); err != nil {
			return s, err
		}
		text, err := json.Marshal(s)
		if err == nil {
			kept.Keep(key, text)
		}
		return s, err
	}
}

// search searches vectors for a design. One of which no fault can be shown has none.
func search(ctx context.Context, t *gates.Tile, budget time.Duration) (s pack.Suite, err error) {
	of := plan.Selection{Tile: t, Explore: plan.Exploration{Context: ctx, On: true, Budget: budget, Compact: true}}
	_, err = of.Plan(1)
	switch {
	case failure.KindOf(err) == failure.Nothing:
		return s, nil
	case err != nil:
		return s, err
	}
	return pack.Suite{Text: []byte(of.Explore.Text()), Shown: of.Explore.Shown, Faults: of.Explore.Faults}, nil
}
