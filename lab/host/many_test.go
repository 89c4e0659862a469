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

// A hundred boards of twenty hosts judge a thousand jobs: each has one result, and a job costs little beside its run.
func TestManyBoards(t *testing.T) {
	testkit.Long(t)
	l := labtest.Serve(t, nil)
	for n := range 20 {
		name := fmt.Sprint("pi", n)
		l.Join(name, l.Enter(name, lab.HostRole), labtest.Mocks("", "", "", "", ""))
	}
	s := l.Enter("alice", lab.UserRole)
	ended := map[string][]time.Time{}
	began := time.Now()
	var costs []time.Duration
	r := user.Run{Store: s, Name: "many", Boards: l.Boards(s, 100), Times: 10, Job: smoke}
	r.Each = func(j lab.Result) {
		board := j.Host + "." + j.Board
		if all := ended[board]; len(all) > 0 {
			costs = append(costs, j.Ended.Sub(all[len(all)-1])-time.Duration(j.Seconds*float64(time.Second)))
		}
		ended[board] = append(ended[board], j.Ended)
	}
	if err := r.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	results, err := r.Wait(t.Context())
	if err != nil || len(results) != 1000 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	slices.Sort(costs)
	took := time.Since(began)
	t.Logf("1,000 jobs in %s, %s a job; between two jobs of a board, beside the run, median %s", took, took/1000,
		costs[len(costs)/2])
}
