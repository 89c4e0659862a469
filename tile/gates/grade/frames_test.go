package grade

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"utfbench/internal/sat"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/project"
	"utfbench/transport"
)

func env(name string, usual int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return usual
}

func TestStudy(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(os.Getenv("UTFBENCH_NETLISTS"), "*", "info.yaml"))
	for _, dir := range dirs {
		name := filepath.Base(filepath.Dir(dir))
		if p := os.Getenv("ONLY"); p != "" && !strings.Contains(name, p) {
			continue
		}
		p, err := project.Open(filepath.Dir(dir))
		if err != nil {
			t.Log(err)
			continue
		}
		var x *gates.Tile
		if p.Netlist == "" {
			x, err = yosys.Open(context.Background(), p, nil, nil)
		} else {
			x, err = gates.Open(p)
		}
		if err != nil || x.Design.Combinational() {
			t.Log(name, err)
			continue
		}
		l, vectors := NewList(x.Design), stepsAtRandom(t, x, 100, 200)
		start := time.Now()
		g := testkit.Must((&Grader{List: l, Vectors: vectors, Prove: true, Budget: 2e9}).Grade(context.Background()))(t)
		var open []int32
		for i, f := range g.Findings {
			if f.Outcome.open() {
				open = append(open, int32(i))
			}
		}
		all := len(open)
		rng := rand.New(rand.NewPCG(1, 1))
		rng.Shuffle(len(open), func(i, k int) { open[i], open[k] = open[k], open[i] })
		open = open[:min(len(open), env("FAULTS", 25))]
		t.Logf("%s: %d classes, open %d, graded in %v", name, len(l.Classes), all, time.Since(start))
		start = time.Now()
		o := newOrder(x.Design)
		reset := []transport.Step{tile.Reset(x)}
		chip := x.Design.NewChip(nil)
		chip.Apply(&reset[0])
		f := newFrames(o, railsOf(chip, len(x.Design.Circuit.Nets), 0))
		count := map[string]int{}
		for _, class := range open {
			fault := l.Classes[class].Faults[0]
			rig := testkit.Must(l.NewRig([]Fault{fault}))(t)
			rig.Run([][]transport.Step{reset}, func(int) bool { return true })
			f.begin(rig.chip, 0)
			before := time.Now()
			a := f.search(l.defectOf(fault), effort{env("FRAMES", 16), env("CONFLICTS", 5000)})
			what := map[sat.Result]string{sat.Possible: "shown", sat.Impossible: "none", sat.Unknown: "open"}[a.Result]
			if a.Result == sat.Possible {
				careful(x, reset, a.steps)
				v := Vector{Steps: append(reset[:1:1], a.steps...)}
				v.Want = make([]transport.Sample, len(v.Steps))
				if err := tile.Expect(x, v.Steps, v.Want); err != nil {
					what = "refused"
				} else if got := testkit.Must((&Grader{List: l, Vectors: []Vector{v}, Only: []int32{class}}).Grade(context.Background()))(t); got.Findings[class].Outcome != Found {
					what = "unconfirmed"
				}
			}
			count[what]++
			if os.Getenv("DBG") != "" {
				t.Log(class, l.Describe(fault), what, a.frames, time.Since(before).Round(time.Millisecond), f.Gates(), f.Conflicts)
			}
		}
		t.Logf("%s: %v in %v, %d gates, %d conflicts, loose %v", name, count, time.Since(start), f.Gates(), f.Conflicts, f.loose)
	}
}
