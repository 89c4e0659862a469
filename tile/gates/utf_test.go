package gates

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
)

func openNetlist(t testing.TB, name string) *Design {
	t.Helper()
	dir := os.Getenv("UTFBENCH_NETLISTS")
	if dir == "" {
		t.Skip("set UTFBENCH_NETLISTS to a folder with NAME/NAME.v of a shuttle")
	}
	text, err := os.ReadFile(filepath.Join(dir, name, name+".v"))
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := ReadNetlist(Source{File: name + ".v", Text: string(text)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestUTF(t *testing.T) {
	d := openNetlist(t, "tt_um_rebeccargb_hardware_utf8")
	rng := rand.New(rand.NewPCG(1, 1))
	known, all := 0, 0
	start := time.Now()
	for range 20 {
		steps, err := tile.Random(utf.TT09, rng, 5000)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]transport.Sample, len(steps))
		if err := tile.Expect(utf.TT09, steps, want); err != nil {
			t.Fatal(err)
		}
		ch := d.NewChip(nil)
		var f Frame
		for i := range steps {
			f.set(&steps[i])
			ch.Step(&f)
			got := ch.sample()
			if bad := got.Differ(want[i]) &^ got.Unknown(); bad != 0 {
				t.Fatalf("step %d %+v: got %+v want %+v", i, steps[i], got, want[i])
			}
			all += 16 - want[i].Unknown().Count()
			known += 16 - (want[i].Unknown() | got.Unknown()).Count()
		}
	}
	fmt.Println(known, all, time.Since(start))
}
