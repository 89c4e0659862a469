package native

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/plan"
	"utfbench/station"
	"utfbench/tile/gates"
	"utfbench/tile/pack"
)

// CachedSearch returns a search for pack.Make, with a budget for each design. It keeps each result in the user's cache,
// so that an interrupted search can continue. Other builds do not use these results, since they may leave other levels
// of the gates unknown.
func CachedSearch(ctx context.Context, budget time.Duration) pack.Search {
	build, err := program()
	kept, cacheErr := files.OpenCache("", "suites")
	keeps := err == nil && cacheErr == nil
	return func(t *gates.Tile) (s pack.Suite, err error) {
		if !keeps {
			return searchFor(ctx, t, budget)
		}
		key := fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, build, budget, t.Digest(), t.About.Pins)))
		if text, ok := kept.LoadText(key); ok && json.Unmarshal(text, &s) == nil {
			return s, nil
		}
		if s, err = searchFor(ctx, t, budget); err != nil {
			return s, err
		}
		text, err := json.Marshal(s)
		if err == nil {
			kept.StoreText(key, text)
		}
		return s, err
	}
}

// program returns the hash of this program's file.
func program() (sum [sha256.Size]byte, err error) {
	name, err := os.Executable()
	if err != nil {
		return sum, err
	}
	text, err := os.ReadFile(name)
	return sha256.Sum256(text), err
}

// searchFor searches for vectors of a design. It returns none if no fault of the design can be shown.
func searchFor(ctx context.Context, t *gates.Tile, budget time.Duration) (s pack.Suite, err error) {
	x := station.Exploration{Budget: budget}
	suite, err := x.Suite(&plan.Selection{Tile: t, Context: ctx})
	switch {
	case failure.KindOf(err) == failure.Nothing:
		return s, nil
	case err != nil:
		return s, err
	}
	return pack.Suite{Text: []byte(suite.Text), Detected: x.DetectedFaults, Faults: x.TriedFaults}, nil
}
