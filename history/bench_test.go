package history

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/report"
	"utfbench/transport"
)

// BenchmarkEnter enters a run whose vectors all pass, and one in which all fail, without their steps.
func BenchmarkEnter(b *testing.B) {
	for _, verdict := range []driver.Verdict{driver.Pass, driver.Fail} {
		results := make([]*driver.Result, 8122)
		tally := &driver.Tally{}
		for i := range results {
			v := &golden.Vector{Name: fmt.Sprintf("chip/bmp/%08X/utf8-be-nochk", i)}
			results[i] = &driver.Result{Vector: v, Iteration: 1, Verdict: verdict}
			if verdict == driver.Fail {
				results[i].First = &driver.Mismatch{Step: transport.Step{In: 0xFF}, Got: transport.Sample{Out: 8}, OutDiff: 8}
				tally.Repeats = append(tally.Repeats, &driver.Repeat{Vector: v, Runs: 1, Failed: 1})
			}
		}
		tally.Verdicts[verdict] = len(results)
		b.Run(verdict.String(), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "h.db")
			for b.Loop() {
				w := NewWriter(path)
				_ = w.Start(report.Run{Started: time.Unix(1e9, 0), Vectors: len(results), Count: 1})
				for _, r := range results {
					_ = w.Result(r)
				}
				_ = w.End(report.Outcome{Tally: tally})
				if w.Note() != "" {
					b.Fatal(w.Note())
				}
			}
		})
	}
}
