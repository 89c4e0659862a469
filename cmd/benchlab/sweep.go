package main

import (
	"fmt"
	"io"
	"time"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/lab/user"
	"utfbench/runs/report"
	"utfbench/sweep"
	"utfbench/tile/utf"
)

// sweptResult prints and writes the result of a sweep.
func sweptResult(w io.Writer, sw *user.Sweep, blocks []sweep.Block, began time.Time, out string) error {
	about := report.About{Head: document.NewHead(version()), Transport: "lab " + sw.ID}
	about.Kind, about.Tile, about.Revision = sw.Kind(), utf.Name, sw.Scope.Revision
	r := sweep.NewResult(about, sw.Scope, sw.Space(), blocks)
	r.Seconds, r.Fresh = time.Since(began).Seconds(), r.Steps
	if err := r.WriteVerdict(w, sw.Space(), utf.TT09, 0, ""); err != nil {
		return failure.New(failure.Bench, err)
	}
	if out != "" {
		var set files.Set
		save, err := files.Begin(&set, files.Output[*sweep.Result]{Flag: "--json", Path: out,
			Write: (*sweep.Result).Write})
		if err == nil {
			err = save(r)
		}
		if err != nil {
			return failure.New(failure.Bench, err)
		}
	}
	if r.Judge() == driver.Pass && len(sw.Blamed()) > 0 { // each block is right on another board
		for board, n := range sw.Blamed() {
			fmt.Fprintf(w, "FAIL  %s: %s unlike the model's, which other boards have right\n", board,
				printable.Count(n, "block"))
		}
		return driver.Fail.Err()
	}
	return r.Judge().Err()
}
