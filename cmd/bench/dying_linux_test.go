package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/internal/failure"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// If the reference fails at any step, with lines driven or not, the command ends in ERROR and releases all lines. The
// chip has a fault, so that a run with a report includes a diagnosis while the board is open.
func TestReferenceDiesOnPi(t *testing.T) {
	dir := t.TempDir()
	recording := filepath.Join(dir, "run.rec")
	commands := []string{
		"run --suite man7 --run utf16 --no-history --record " + recording,
		"wiring",
		"doctor",
		"run --suite man7 --run utf16 --no-history --html " + filepath.Join(dir, "r.html"),
		"diagnose " + recording,
	}
	for _, command := range commands[:testkit.Pick(1, len(commands))] {
		args := strings.Fields(command)
		if args[0] != "diagnose" {
			args = append(args, "-t", "gpio", "--revision", "tt09")
		}
		steps, last := int64(0), ""
		for after := int64(0); ; after += 1 + growth(after) {
			p := newPi(t, "v20=stuck1")
			code, said := dying(t, p, after, args)
			if drive, levels := p.driven(); drive != 0 || levels&ownLines != 0 {
				t.Fatalf("%q, dead after %d steps: %07x are driven, levels %07x", args, after, drive, levels)
			}
			if !strings.Contains(said, testkit.ErrDied.Error()) {
				if code == exitBench {
					t.Fatalf("%q, dead after %d steps: %s", args, after, said)
				}
				steps, last = after, said
				break
			}
			if code != exitBench {
				t.Fatalf("%q, dead after %d steps: exit code %d, %s", args, after, code, said)
			}
			if !testkit.Full() && after > 1<<19 { // running all steps of a diagnosis takes long
				steps = after
				break
			}
		}
		if steps < 10 {
			t.Errorf("%q needs no reference: %d steps\n%s", args, steps, last)
		}
	}
	if failure.KindOf(testkit.ErrDied) != failure.Bench {
		t.Error("the death has a kind")
	}
}

// growth returns how many steps, less one, are added to the reference's lifetime for the next run.
func growth(after int64) int64 {
	if testkit.Full() {
		return after / 8
	}
	return 31 * after
}

// newPi returns a Raspberry Pi in memory whose chip has the given faults.
func newPi(t *testing.T, faults ...string) *pi {
	t.Helper()
	p := &pi{words: make([]byte, 4096)}
	var err error
	if p.line, err = headerLines(); err != nil {
		t.Fatal(err)
	}
	c := mock.Config{Tile: utf.TT09}
	for _, text := range faults {
		f := testkit.Must(tile.RegisterBits(utf.TT09).Parse(text))(t)
		c.Faults = append(c.Faults, f)
	}
	p.chip = mock.Open(c)
	return p
}

// dying runs a command whose reference fails after the given number of steps.
func dying(t *testing.T, p *pi, after int64, args []string) (code int, said string) {
	t.Helper()
	defer p.plug()()
	var out bytes.Buffer
	d := usualDesign(testEnv(args, &out, &out))
	d.Tile, d.TileName = testkit.NewDyingTile(after), utf.Name
	code = d.run(t.Context())
	return code, out.String()
}
