package grade

import (
	"context"
	"os"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/tile/gates"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/project"
)

func TestDbg(t *testing.T) {
	p := testkit.Must(project.Open(os.Getenv("DIR")))(t)
	var x *gates.Tile
	if p.Netlist == "" {
		x = testkit.Must(yosys.Open(context.Background(), p, nil, nil))(t)
	} else {
		x = testkit.Must(gates.Open(p))(t)
	}
	d := testkit.Must(time.ParseDuration(os.Getenv("BUDGET")))(t)
	e := &Explorer{Tile: x, Seed: 1, Budget: d}
	ctx := context.Background()
	e.begin()
	for i, phase := range []func(context.Context) error{e.known, e.random, e.machines, e.reach, e.prove, e.settle} {
		start := time.Now()
		if err := phase(ctx); err != nil {
			t.Fatal(err)
		}
		t.Logf("phase %d: work %.3g, open %d, starts %d, kept %d, never %d; %v", i, float64(e.work), len(e.open), len(e.starts), len(e.kept), e.never, time.Since(start))
	}
	for _, s := range e.starts {
		n := 0
		for _, st := range s.steps {
			n += int(st.Clocks)
		}
		t.Log(len(s.steps), n)
	}
}
