package diagnose

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"utfbench/cause/search"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// silicon is a mock without X: a floating line follows the bench's pull or is low, and no state is unknown.
type silicon struct{ chip *mock.Transport }

func newSilicon(faults ...fault.Fault) silicon {
	wake := model.PackRegisters(model.Registers{V: 0x1234F, Data: 0x5A, N: 4, Written: true})
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

// pulling is silicon on a transport that can pull.
type pulling struct{ silicon }

func (p pulling) Pull(ctx context.Context, to transport.Pull) error { return p.chip.Pull(ctx, to) }

func check(t *testing.T, tr transport.Transport) *WiringReport {
	t.Helper()
	return testkit.Must(CheckWiring(context.Background(), tr, utf.TT09, 0))(t)
}

// ends lists the kinds of far end: a simulation, a board, a board with pulls.
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
		if r := check(t, e.open()); r.Verdict != GoodWires || r.UnprovenLines != nil {
			t.Errorf("%s: %+v; want good wires, each of them proven", e.name, r)
		}
	}
	other := tile.FactoryTest{}
	good := testkit.Must(CheckWiring(t.Context(), mock.Open(mock.Config{Tile: other}), other, 0))(t)
	for _, rev := range []tile.Tile{utf.TT08, utf.TT09} {
		r := check(t, mock.Open(mock.Config{Tile: rev}))
		if r.Verdict == BadWires || rev == utf.TT08 && r.Reason != "the samples are those of a good tt08 chip" {
			t.Errorf("a %s chip: %+v; want no fault in the wires", rev, r)
		}
		if err := r.LocateByOtherDesign(t.Context(), good, "T"); err != nil ||
			rev == utf.TT08 && strings.Contains(r.Reason, "it is the design") {
			t.Errorf("a good %s chip: %v, %s", rev, err, r.Reason)
		}
	}
}

// A line that was sampled at only one level, low or high, is unproven.
func TestProvenAtBothLevels(t *testing.T) {
	steps := []transport.Step{{In: model.Idle, Reset: true, Clocks: 1}, {In: model.Idle, Clocks: 1}}
	e := newExam(search.Search{Tile: utf.TT09},
		[]search.Execution{{Steps: steps, Got: testkit.ModelSamples(model.TT09, steps)}})
	if lines := e.unproven(); !slices.Equal(lines, transport.Lines[:]) {
		t.Errorf("%s are unproven; want all lines, since none changed its level", lines)
	}
}

func TestSequenceIsLegal(t *testing.T) {
	steps, err := tile.WiringSteps(t.Context(), utf.TT09)
	if err := errors.Join(err, utf.TT09.Lint(steps)); err != nil {
		t.Error(err)
	}
}

// wiringFaults returns common mistakes in wiring: each line stuck or open, neighbours shorted, lines of a port swapped.
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

// sameAnswers lists faults that no sample distinguishes from others, since the chip stays in reset.
var sameAnswers = map[string]bool{"ui0=stuck0": true, "ui0=open:low": true, "ui0=open:keep": true, "rst_n=stuck0": true,
	"rst_n=open:low":  true,
	"rst_n=open:keep": true, "clk<>rst_n": true,
	// without a reset a simulation predicts no level, so the missing reset is not detected
	"clk~rst_n=and": true, "clk~rst_n=or": true}

// wireStride selects every n-th fault. For silicon, faults of rst_n, which a simulation cannot predict, are added.
var wireStride = testkit.SampleSize(29, 7, 1)

// blamed reports whether a report blames the right part, as far as the bench can know: the wires for a line that the
// bench drives or for two lines; the wire, the pin or the chip for a single output.
func blamed(r *WiringReport, text string) bool {
	line := linesOf(text)
	if strings.HasPrefix(line, "uo") && !strings.Contains(line, " ") {
		return r.Verdict == UnclearWires && slices.Equal(r.FaultyOutputs, []string{line}) &&
			strings.Contains(r.Reason, "pad")
	}
	return r.Verdict == BadWires && r.FaultyOutputs == nil
}

// Every wire fault is named, alone or among faults with the same effect; wires are blamed unless the chip may be.
func TestEveryWiringFaultIsNamed(t *testing.T) {
	for _, e := range ends {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			alone, total := 0, 0
			for i, text := range wiringFaults() {
				if i%wireStride != 0 && !(strings.Contains(text, "rst_n") && (testkit.Full() || e.name == "silicon")) {
					continue
				}
				f := testkit.Must(model.Bits.Parse(text))(t)
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
					t.Errorf("%s: %v, %s: %v", text, r.Verdict, r.Reason, names(r))
				} else if others > 0 {
					t.Logf("%s among %v", text, names(r))
				}
			}
			t.Logf("%d of %d named alone", alone, total)
		})
	}
}

// A short or swap of clk or rst_n and a line that the bench drives is a suspect, perhaps a rarer one. If a line of uio
// holds rst_n high, too few levels are known.
func TestShortedClockOrReset(t *testing.T) {
	k := 0
	for _, pin := range []string{"clk", "rst_n"} {
		for _, line := range slices.Concat(transport.Lines[:8], transport.Lines[16:24]) {
			for _, text := range []string{line + "~" + pin + "=or", line + "~" + pin + "=and", line + "<>" + pin} {
				if k++; k%wireStride != 0 || pin+line[:3] == "rst_nuio" && strings.HasSuffix(text, "or") {
					continue
				}
				r := check(t, pulling{newSilicon(testkit.Must(model.Bits.Parse(text))(t))})
				all := slices.Concat(r.Suspects, r.RarerSuspects)
				if !slices.ContainsFunc(all, func(h search.Hypothesis) bool {
					return linesOf(h.String()) == linesOf(text)
				}) {
					t.Errorf("%s: %s, %s: %s", text, r.Verdict, r.Reason, names(r))
				}
			}
		}
	}
}

func names(r *WiringReport) string {
	var all []string
	for _, s := range r.Suspects {
		all = append(all, s.String())
	}
	return fmt.Sprint(all)
}

// The wires are not blamed for a fault inside the chip.
func TestTheChipIsNotTheWires(t *testing.T) {
	for i, bit := range model.Bits {
		if i%wireStride != 0 {
			continue
		}
		for _, level := range []string{"0", "1"} {
			f := testkit.Must(model.Bits.Parse(bit + "=stuck" + level))(t)
			if r := check(t, newSilicon(f)); r.Verdict == BadWires {
				t.Errorf("%s is put down to the wires: %s", f, names(r))
			}
		}
	}
}

// A chip whose clock failed during reset responds like a chip held in reset; clk is the first suspect.
func TestClockThatDiedInReset(t *testing.T) {
	for _, text := range search.DeadClockFaults {
		f := testkit.Must(model.Bits.Parse(text))(t)
		s := silicon{mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}, PowerUp: new(uint64)})}
		r := check(t, s)
		if r.Verdict != BadWires || len(r.Suspects) == 0 || !r.Suspects[0].StopsClock() ||
			!strings.Contains(r.Reason, "not selected") { // an unselected design may stand still, too
			t.Errorf("%s: %+v; want clk to be named first", text, r)
		}
	}
}

// If a fault explains most of the samples, the report does not say that it explains all.
func TestRest(t *testing.T) {
	for after, some := range map[int]bool{100: true, 1 << 30: false} {
		r := check(t, &slipping{faulty(t, "uio2=open"), after})
		if r.Verdict != BadWires || strings.Contains(r.Reason, " but for 1 bit") != some {
			t.Errorf("%s, %s", r.Verdict, r.Reason)
		}
	}
}
