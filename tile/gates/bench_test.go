package gates

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func openNetlist(t testing.TB, name string) *Design {
	t.Helper()
	d, _, err := OpenFile(filepath.Join(shuttle(t), name, name+".v"), name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func shuttle(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("BENCH_NETLISTS")
	if dir == "" {
		t.Skip("needs the netlists of a shuttle: set BENCH_NETLISTS to its folder projects, with NAME/NAME.v")
	}
	return dir
}

func randomFrames(d *Design, n int) []Frame {
	rng := rand.New(rand.NewPCG(1, 1))
	frames := make([]Frame, n)
	for i := range frames {
		f := &frames[i]
		for k := range 8 {
			f.In[k], f.IO[k] = rng.Uint64(), rng.Uint64()
			if d.may>>k&1 == 0 {
				f.Drive[k] = ^uint64(0)
			}
		}
		if i >= 10 {
			f.RstN = ^uint64(0)
		}
		f.Pulses = always[:1]
	}
	return frames
}

// Step does not allocate, and opening the largest netlist of a shuttle allocates at most 256 MiB.
func TestMemory(t *testing.T) {
	d := openNetlist(t, "tt_um_urish_sic1")
	c, frames := d.NewChip(nil), randomFrames(d, 8)
	if n := testing.AllocsPerRun(3, func() {
		for i := range frames {
			c.Step(&frames[i])
		}
	}); n != 0 {
		t.Errorf("%v allocations in %d steps", n, len(frames))
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d = openNetlist(t, "tt_um_rejunity_atari2600")
	c = d.NewChip(nil)
	runtime.ReadMemStats(&after)
	took := after.TotalAlloc - before.TotalAlloc
	t.Logf("%.1f MB allocated to open the largest netlist, garbage included", float64(took)/1e6)
	if took > 256<<20 {
		t.Errorf("opening the largest netlist allocates %d bytes", took)
	}
	runtime.KeepAlive(c)
}

func BenchmarkStep(b *testing.B) {
	d := openNetlist(b, "tt_um_rebeccargb_hardware_utf8")
	c, frames := d.NewChip(nil), randomFrames(d, 512)
	b.ReportAllocs()
	for b.Loop() {
		for i := range frames {
			c.Step(&frames[i])
		}
	}
	b.ReportMetric(float64(b.N)*512*64/b.Elapsed().Seconds()/1e6, "Mvector-steps/s")
}
