package gates

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/project"
	"utfbench/transport"
)

const deviceFile = "testdata/tt_um_bench_turn.v"

func deviceReference(t *testing.T, n int) ([]transport.Step, []transport.Sample) {
	p := testkit.Must(project.Open(deviceFile))(t)
	x := testkit.Must(Open(p))(t)
	steps := testkit.Must(tile.RandomSteps(x, rand.New(rand.NewPCG(1, 1)), n))(t)
	want := make([]transport.Sample, n)
	if err := tile.Expect(x, steps, want); err != nil {
		t.Fatal(err)
	}
	return steps, want
}

func TestConformance(t *testing.T) {
	steps, want := deviceReference(t, 300)
	for seed := range uint64(4) {
		testkit.RunTransport(t, testkit.TransportKit{
			Open: func(t testing.TB) transport.Transport {
				return testkit.Must(OpenDevice(DeviceConfig{File: deviceFile, Seed: seed}))(t)
			},
			Stimulus: steps,
			Want:     want,
			Pins:     func(tr transport.Transport) transport.Step { return tr.(*Device).PinLevels() },
		})
	}
}

// An undriven line takes the level of a pull. Without a pull, its level depends on its fate.
func TestPull(t *testing.T) {
	for seed, want := range []string{"keep their level", "are low", "are high", "are random"} {
		tr := testkit.Must(OpenDevice(DeviceConfig{File: deviceFile, Seed: uint64(seed)}))(t)
		if got := tr.FloatingNote(); got != "floating lines "+want {
			t.Errorf("seed %d: %s, want %s", seed, got, want)
		}
		for pull, level := range map[transport.Pull]uint8{transport.PullUp: 0xFF, transport.PullDown: 0} {
			if err := tr.Pull(t.Context(), pull); err != nil {
				t.Fatal(err)
			}
			s := make([]transport.Sample, 1)
			if _, err := tr.Apply(context.Background(), []transport.Step{{}}, s); err != nil {
				t.Fatal(err)
			}
			if s[0].IO != level || s[0].IOX != 0 {
				t.Errorf("seed %d, pull %d: uio shows %+v", seed, pull, s[0])
			}
		}
	}
}

// A line that both bench and chip drive is sampled as contention.
func TestContention(t *testing.T) {
	tr := testkit.Must(OpenDevice(DeviceConfig{File: deviceFile}))(t)
	s := make([]transport.Sample, 2)
	steps := []transport.Step{{Reset: true, Clocks: 1}, {In: 0x80, Drive: 0x0F}}
	if _, err := tr.Apply(t.Context(), steps, s); err != nil {
		t.Fatal(err)
	}
	if s[1].Contention() != 0x0F || s[1].IO&0xF0 != 0x80 {
		t.Errorf("%+v", s[1])
	}
}

func TestFaults(t *testing.T) {
	steps, want := deviceReference(t, 300)
	faults := testkit.Must(ParseCellFaults([]string{"cell:f0/Q=stuck1"}))(t)
	tr := testkit.Must(OpenDevice(DeviceConfig{File: deviceFile, Faults: faults}))(t)
	got := make([]transport.Sample, len(steps))
	if _, err := tr.Apply(t.Context(), steps, got); err != nil {
		t.Fatal(err)
	}
	if lines := transport.Differ(got, want); lines != 1<<8|1<<3 {
		t.Errorf("%s: %v differ", tr, lines.Names())
	}
	if !strings.HasSuffix(tr.String(), " with cell:f0/Q=stuck1") || tr.IdleFaults() != "" {
		t.Error(tr, tr.IdleFaults())
	}
	for _, text := range []string{"uo1=stuck1", "cell:f0=stuck1"} {
		_, err := ParseCellFaults([]string{text})
		if err == nil || !strings.Contains(err.Error(), "cell:_042_/A=stuck1") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
