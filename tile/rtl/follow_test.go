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
	inEach(t, func(t *testing.T, simulator string) {
		for _, name := range tiles {
			x := openedIn(t, simulator, name)
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
	})
}

// Moves that are made together show what they show one by one, whatever of who drives uio is believed beforehand.
func TestFollowerTogether(t *testing.T) {
	for _, name := range tiles {
		x := opened(t, name)
		asked, err := tile.Random(x, rand.New(rand.NewPCG(4, 4)), 150)
		if err != nil {
			t.Fatal(err)
		}
		moves := make([]Move, len(asked))
		for i, s := range asked {
			s.Drive, s.IO = 0xFF, uint8(i)
			moves[i] = Move{Step: s}
		}
		want, may := make([]Seen, len(moves)), []uint8{0xFF}
		one, err := x.Follow()
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range moves {
			if want[i], err = one.Do(m); err != nil {
				t.Fatal(err)
			}
			may = append(may, want[i].Enable|want[i].EnableX)
		}
		one.Close()
		rng := rand.New(rand.NewPCG(5, 5))
		for _, believed := range []func(uint8) uint8{func(is uint8) uint8 { return is }, func(uint8) uint8 { return 0 },
			func(uint8) uint8 { return 0xFF }, func(uint8) uint8 { return uint8(rng.Uint32()) },
			func(is uint8) uint8 { return is | 0x81&uint8(rng.Uint32()) }} {
			guess := slices.Clone(may)
			for i := range guess {
				guess[i] = believed(guess[i])
			}
			f, err := x.Follow()
			if err != nil {
				t.Fatal(err)
			}
			got := make([]Seen, len(moves))
			for from := 0; from < len(moves); {
				n := min(1+rng.IntN(60), len(moves)-from)
				if err := f.DoAll(moves[from:from+n], guess[from:from+n+1], got[from:from+n]); err != nil {
					t.Fatal(err)
				}
				from += n
			}
			f.Close()
			if !slices.Equal(got, want) {
				t.Errorf("%s: together they show something else", name)
			}
		}
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
