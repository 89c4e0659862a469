package native

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/plan"
	"utfbench/station"
	"utfbench/tile/gates"
	"utfbench/tile/pack"
)

// PlanSearched plans a run with the vectors of a search, prints a summary, and writes the vectors to their file, which
// may be the standard output.
func PlanSearched(ctx context.Context, w io.Writer, r *station.Run, standard io.Writer,
	working func(string) (done func())) error {
	x := &r.Vectors.Explore
	out := files.Set{Out: standard}
	defer out.Discard()
	save, err := files.CreateOutputs(&out, files.Output[string]{Flag: "--save", Path: x.File,
		Write: func(text string, w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		}})
	if err != nil {
		return err
	}
	done := working("searching for vectors, " + x.Budget.String() + " of work on an idle core")
	err = r.Plan(ctx)
	done()
	if err != nil {
		return err
	}
	if x.Summary != "" {
		fmt.Fprintln(w, x.Summary)
	}
	return save(x.Text())
}

// CachedSearch returns the search of pack.Make, with a budget for each design. It keeps each result in the user's
// cache, so that an interrupted search continues, but not with another build: its gates may leave other levels unknown.
func CachedSearch(ctx context.Context, budget time.Duration) pack.Search {
	build, err := program()
	kept, cacheErr := files.OpenCache("", "suites")
	keeps := err == nil && cacheErr == nil
	return func(t *gates.Tile) (s pack.Suite, err error) {
		if !keeps {
			return search(ctx, t, budget)
		}
		key := fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, build, budget, t.Digest(), t.About.Pins)))
		if text, ok := kept.LoadText(key); ok && json.Unmarshal(text, &s) == nil {
			return s, nil
		}
		if s, err = search(ctx, t, budget); err != nil {
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

// search searches vectors for a design. One of which no fault can be shown has none.
func search(ctx context.Context, t *gates.Tile, budget time.Duration) (s pack.Suite, err error) {
	of := plan.Selection{Tile: t, Context: ctx, Explore: plan.Exploration{Enabled: true, Budget: budget}}
	_, err = of.Plan(1)
	switch {
	case failure.KindOf(err) == failure.Nothing:
		return s, nil
	case err != nil:
		return s, err
	}
	return pack.Suite{Text: []byte(of.Explore.Text()), Detected: of.Explore.Detected, Faults: of.Explore.Faults}, nil
}
