package pack

import (
	"bytes"
	"os"
	"testing"
	"time"
)

// Every complete design is in the pack of a whole shuttle's repository, which BENCH_SHUTTLE names.
func TestShuttle(t *testing.T) {
	repo := os.Getenv("BENCH_SHUTTLE")
	if repo == "" {
		t.Skip("needs BENCH_SHUTTLE, the folder of a shuttle's repository")
	}
	began := time.Now()
	var b bytes.Buffer
	x, err := Make(repo, &b, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	combinational := 0
	for _, d := range x.Designs {
		if d.Combinational {
			combinational++
		}
	}
	t.Logf("%d designs, %d of them combinational, %d left out, %d bytes, in %s", len(x.Designs), combinational,
		len(x.Left), b.Len(), time.Since(began).Round(time.Millisecond))
	for _, l := range x.Left {
		t.Logf("left out: %s: %s", l.Name, l.Why)
	}
}
