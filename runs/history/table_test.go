package history

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/tile/utf"
	"utfbench/transport"
)

func row(t *testing.T, target string, number int, results ...*driver.Result) *Row {
	t.Helper()
	r := &Row{Target: target, Number: number}
	tally := &driver.Tally{Steps: 10 * len(results), Outputs: 1}
	tally.Evidence.Add(make([]transport.Step, 2), []transport.Sample{{OutX: 0xFE, IOX: 0xFF},
		{Out: 1, OutX: 0xFE, IOX: 0xFF}})
	err := r.Start(report.Run{Transport: target, Identity: report.Identity{Revision: "tt09",
		Chip: report.Chip{Kind: report.Mock}}})
	for _, res := range results {
		err = errors.Join(err, r.Result(res))
		if tally.Verdicts[res.Verdict]++; res.Verdict == driver.Fail {
			repeat := &driver.Repeat{Vector: res.Vector}
			repeat.Counts[driver.Fail]++
			tally.Repeats = append(tally.Repeats, repeat)
		}
	}
	if err = errors.Join(err, r.End(report.Outcome{Tally: tally, Elapsed: time.Second})); err != nil {
		t.Fatal(err)
	}
	return r
}

func resultOf(name string, v driver.Verdict) *driver.Result {
	r := &driver.Result{Tile: utf.TT09, Vector: &golden.Vector{Name: name}, Verdict: v}
	if v == driver.Fail {
		r.FirstMismatch = &driver.Mismatch{Index: 811, OutDiff: 0x20}
	}
	return r
}

// The table has a row for each target, with its reasons below it, and the most severe verdict.
func TestTable(t *testing.T) {
	broken := row(t, "rp2040:/dev/ttyACM0", 0, resultOf("s/a", driver.Fail))
	broken.outcome.BenchError = "no answer: was the cable pulled?"
	table := Table{Tile: "utf", Vectors: 2, Elapsed: 1500 * time.Millisecond, Rows: []*Row{
		row(t, "mock", 11, resultOf("s/a", driver.Pass), resultOf("s/b", driver.Skipped)),
		row(t, "mock:tt08", 12, resultOf("s/a", driver.Pass), resultOf("s/b", driver.Fail)),
		{Target: "gpio", Err: errors.New("no header")},
		broken,
	}}
	const want = `utf: 2 vectors on 4 targets

target               verdict  pass  fail  skipped  steps  time  run
mock                 PASS        1     0        1     20    1s   11
mock:tt08            FAIL        1     1        0     20    1s   12
  the first failure: s/b step 812: uo5 (NONCHAR) is 0, not 0
gpio                 ERROR       -     -        -      -     -    -
  no header
rp2040:/dev/ttyACM0  ERROR       0     1        0     10    1s    -
  the first failure: s/a step 812: uo5 (NONCHAR) is 0, not 0
  no answer: was the cable pulled?

ERROR  1 of 4 targets pass, 2 ERROR, 1 FAIL: 50 steps in 1.5s; no chip was tested
`
	var b bytes.Buffer
	if err := table.WriteText(&b); err != nil || b.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, &b, want)
	}
}

// The most severe verdict determines the exit code; an interrupt takes precedence.
func TestTableErr(t *testing.T) {
	good := row(t, "mock", 0, resultOf("s/a", driver.Pass))
	bad := row(t, "mock:tt08", 0, resultOf("s/a", driver.Fail))
	stopped := row(t, "netlist", 0, resultOf("s/a", driver.Fail))
	stopped.outcome.Interrupted = true
	for _, c := range []struct {
		rows []*Row
		want failure.Kind
	}{
		{[]*Row{good, bad}, failure.Chip},
		{[]*Row{bad, {Err: errors.New("no port")}}, failure.Bench},
		{[]*Row{good, {Err: failure.Newf(failure.Wire, "contention")}}, failure.Wire},
		{[]*Row{{Err: errors.New("no port")}, stopped}, failure.Interrupted},
		{[]*Row{good, {Err: context.Canceled}}, failure.Interrupted},
	} {
		if err := (&Table{Rows: c.rows}).Err(); err == nil || failure.KindOf(err) != c.want {
			t.Errorf("%v: %v; want kind %d", c.rows, err, c.want)
		}
	}
	if err := (&Table{Rows: []*Row{good, good}}).Err(); err != nil {
		t.Error(err)
	}
}
