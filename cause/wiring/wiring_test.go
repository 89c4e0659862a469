package wiring

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"utfbench/cause/diagnose"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/model/wired"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// silicon is a mock whose lines are never unknown: a floating line follows the pull, which may be the bench's, or is
// low, and flip-flops wake up as something.
type silicon struct{ chip *mock.Transport }

func newSilicon(faults ...fault.Fault) silicon {
	wake := wired.Pack(model.Registers{V: 0x1234F, Data: 0x5A, N: 4, Written: true})
	s := silicon{mock.Open(mock.Config{Tile: utf.TT09, Faults: faults, PowerUp: &wake})}
	_ = s.chip.Pull(context.Background(), transport.PullDown)
	return s
}

func (s silicon) String() string { return s.chip.String() }
func (s silicon) Close() error   { return s.chip.Close() }

func (s silicon) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := s.chip.Apply(ctx, steps, samples)
	for i := range samples {
		samples[i].OutX, samples[i].IOX = 0, 0
	}
	return n, err
}

// pulling is silicon at a transport that can pull.
type pulling struct{ silicon }

func (p pulling) Pull(ctx context.Context, to transport.Pull) error { return p.chip.Pull(ctx, to) }

func check(t *testing.T, tr transport.Transport) *Report {
	t.Helper()
	r, err := Check(context.Background(), tr, utf.TT09)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// kinds of far end: a simulation, a board, a board with pulls.
var ends = []struct {
	name string
	open func(...fault.Fault) transport.Transport
}{
	{"simulation", func(f ...fault.Fault) transport.Transport {
		return mock.Open(mock.Config{Tile: utf.TT09, Faults: f})
	}},
	{"silicon", func(f ...fault.Fault) transport.Transport { return newSilicon(f...) }},
	{"pulls", func(f ...fault.Fault) transport.Transport { return pulling{newSilicon(f...)} }},
}

func TestGoodWires(t *testing.T) {
	for _, e := range ends {
		if r := check(t, e.open()); r.Verdict != Good || r.Unproven != nil {
			t.Errorf("%s: %+v; want good wires, each of them proven", e.name, r)
		}
	}
	for _, rev := range []tile.Tile{utf.TT08, utf.TT09} {
		if r := check(t, mock.Open(mock.Config{Tile: rev})); r.Verdict == Bad {
			t.Errorf("a %s chip: %+v; want no fault in the wires", rev, r)
		}
	}
}

// A line that was seen at one level alone is unproven, whichever it is.
func TestProvenAtBothLevels(t *testing.T) {
	steps := []transport.Step{{In: model.Idle, Reset: true, Clocks: 1}, {In: model.Idle, Clocks: 1}}
	e := exam{utf.TT09, []diagnose.Execution{{Steps: steps, Got: testkit.ModelSamples(model.TT09, steps)}}}
	if lines, err := e.unproven(); err != nil || !slices.Equal(lines, transport.Lines[:]) {
		t.Errorf("%s are unproven, %v; want all lines, since none changed its level", lines, err)
	}
}

func TestSequenceIsLegal(t *testing.T) {
	steps, err := tile.Cable(utf.TT09)
	if err := errors.Join(err, utf.TT09.Lint(steps)); err != nil {
		t.Error(err)
	}
}

// wiringFaults are what a person does to wires: each line stuck or open, neighbours shorted, lines of a port swapped.
func wiringFaults() (all []string) {
	for i, line := range transport.Lines {
		all = append(all, line+"=stuck0", line+"=stuck1", line+"=open:low", line+"=open:high", line+"=open:keep")
		if i+1 < len(transport.Lines) && (i+1)%8 != 0 || line == "clk" {
			all = append(all, line+"~"+transport.Lines[i+1]+"=and", line+"~"+transport.Lines[i+1]+"=or")
		}
	}
	for port := range 3 {
		for a := range 8 {
			for b := range a {
				all = append(all, transport.Lines[8*port+b]+"<>"+transport.Lines[8*port+a])
			}
		}
	}
	return append(all, "clk<>rst_n")
}

func linesOf(fault string) string {
	if a, b, ok := strings.Cut(fault, "<>"); ok {
		return a + " " + b
	}
	place, _, _ := strings.Cut(fault, "=")
	return strings.ReplaceAll(place, "~", " ")
}

// sameAnswers are faults that cannot be told from others by any answer: the chip stays in reset.
var sameAnswers = map[string]bool{"ui0=stuck0": true, "ui0=open:low": true, "ui0=open:keep": true, "rst_n=stuck0": true,
	"rst_n=open:low":  true,
	"rst_n=open:keep": true, "clk<>rst_n": true,
	// In a simulation nothing is known without a reset, not even that the reset is missing.
	"clk~rst_n=and": true, "clk~rst_n=or": true}

// stride is the distance in the list between faults that are tried.
var stride = testkit.Pick(29, 1)

// blamed reports whether a report says of a fault what the bench can know: a line that the bench drives, and two lines
// together, are wires; an output by itself is the wire, the pin or the chip.
func blamed(r *Report, text string) bool {
	line := linesOf(text)
	if strings.HasPrefix(line, "uo") && !strings.Contains(line, " ") {
		return r.Verdict == Unclear && slices.Equal(r.Outputs, []string{line}) && strings.Contains(r.Why, "pad")
	}
	return r.Verdict == Bad && r.Outputs == nil
}

// Every fault of a wire is found, blamed on the wires unless the chip may have it as well, and named: by its lines
// alone, or among others with the same effect.
func TestEveryWiringFaultIsNamed(t *testing.T) {
	for _, e := range ends {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			alone, total := 0, 0
			for i, text := range wiringFaults() {
				if i%stride != 0 {
					continue
				}
				f, err := wired.Bits.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				total++
				r := check(t, e.open(f))
				among, others := false, 0
				for _, s := range r.Suspects {
					if linesOf(s.String()) == linesOf(text) {
						among = true
					} else {
						others++
					}
				}
				if among && others == 0 {
					alone++
				}
				if !blamed(r, text) || !among && !sameAnswers[text] {
					t.Errorf("%s: %v, %s: %v", text, r.Verdict, r.Why, names(r))
				} else if others > 0 {
					t.Logf("%s among %v", text, names(r))
				}
			}
			t.Logf("%d of %d named alone", alone, total)
		})
	}
}

func names(r *Report) string {
	var all []string
	for _, s := range r.Suspects {
		all = append(all, s.String())
	}
	return fmt.Sprint(all)
}

// A fault inside the chip is not put down to the wires.
func TestTheChipIsNotTheWires(t *testing.T) {
	for i, bit := range wired.Bits {
		if i%stride != 0 {
			continue
		}
		for _, level := range []string{"0", "1"} {
			f, err := wired.Bits.Parse(bit + "=stuck" + level)
			if err != nil {
				t.Fatal(err)
			}
			if r := check(t, newSilicon(f)); r.Verdict == Bad {
				t.Errorf("%s is put down to the wires: %s", f, names(r))
			}
		}
	}
}

// A chip that was in reset when its clock died shows what one shows that is held in reset: clk is named first.
func TestClockThatDiedInReset(t *testing.T) {
	for _, text := range deadClock {
		f, err := wired.Bits.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		s := silicon{mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}, PowerUp: new(uint64)})}
		r := check(t, s)
		if r.Verdict != Bad || len(r.Suspects) == 0 || clockRank(r.Suspects[0]) == 0 {
			t.Errorf("%s: %+v; want clk to be named first", text, r)
		}
	}
}
