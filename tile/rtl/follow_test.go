package rtl

import (
	"math/rand/v2"
	"slices"
	"testing"

	"utfbench/tile"
	"utfbench/transport"
)

// One move after the other shows what the same steps show that are known in advance, and the bench is taken off the
// same lines.
func TestFollower(t *testing.T) {
	for _, name := range tiles {
		x := opened(t, name)
		steps, err := tile.Random(x, rand.New(rand.NewPCG(3, 3)), 400)
		if err != nil {
			t.Fatal(err)
		}
		for i := range steps { // a test that drives all lines all the time
			steps[i].Drive, steps[i].IO = 0xFF, uint8(i)
		}
		asked := slices.Clone(steps)
		if err := x.Turn(steps); err != nil {
			t.Fatal(err)
		}
		want := make([]transport.Sample, len(steps))
		if err := tile.Expect(x, steps, want); err != nil {
			t.Fatal(err)
		}
		f, err := x.Follow()
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range asked {
			seen, err := f.Do(Move{Step: s})
			if err != nil {
				t.Fatal(err)
			}
			if seen.Drive != steps[i].Drive && i > 0 { // who drives at the first nobody knows
				t.Fatalf("%s, step %d: the bench drives %02X, and %02X may be driven", name, i+1,
					seen.Drive, steps[i].Drive)
			}
			if seen.Sample != want[i] && i > 0 {
				t.Fatalf("%s, step %d: %+v, not %+v", name, i+1, seen.Sample, want[i])
			}
		}
		f.Close()
	}
}

// A level that nobody knows makes what depends on it unknown, and nothing else.
func TestFollowerUnknown(t *testing.T) {
	x := opened(t, "still")
	f, err := x.Follow()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, c := range []struct {
		move    Move
		unknown uint8
	}{
		{Move{Step: transport.Step{In: 0x21, IO: 8, Drive: 0xFF}}, 0},
		{Move{transport.Step{In: 0x20, IO: 8, Drive: 0xFF}, 1, false}, 1},
	} {
		for range 2 { // with the first move it is not known yet who drives uio
			seen, err := f.Do(c.move)
			if err != nil {
				t.Fatal(err)
			}
			if seen.OutX&1 != c.unknown {
				t.Errorf("%+v: %+v", c.move, seen)
			}
		}
	}
}
