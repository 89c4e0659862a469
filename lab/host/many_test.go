package host_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/lab"
	"utfbench/lab/labtest"
	"utfbench/lab/user"
)

// A thousand jobs on a hundred boards of twenty hosts have one result each. The test logs the overhead per job.
func TestManyBoards(t *testing.T) {
	testkit.SkipUnlessFull(t)
	l := labtest.Serve(t, nil)
	for n := range 20 {
		name := fmt.Sprint("pi", n)
		l.Join(name, l.Enter(name, lab.HostRole), labtest.Mocks("", "", "", "", ""))
	}
	s := l.Enter("alice", lab.UserRole)
	all := l.AwaitBoards(s, 100)
	for some, times := range map[int]int{1: 100, 100: 10} {
		ended, costs, began := map[string]time.Time{}, []time.Duration(nil), time.Now()
		r := user.Run{Store: s, Name: fmt.Sprint("many", some), Boards: all[:some], Count: times, Job: smoke}
		r.OnResult = func(j lab.Result) {
			if before, is := ended[j.Host+j.Board]; is {
				costs = append(costs, j.Ended.Sub(before)-time.Duration(j.Seconds*float64(time.Second)))
			}
			ended[j.Host+j.Board] = j.Ended
		}
		if err := r.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
		results, err := r.Wait(t.Context())
		if err != nil || len(results) != some*times {
			t.Fatalf("%d results, %v", len(results), err)
		}
		slices.Sort(costs)
		t.Logf("%d boards: %d jobs in %s; between two jobs of a board, beside the run, median %s", some, len(results),
			time.Since(began), costs[len(costs)/2])
	}
}
