package remote

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/tile"
	"utfbench/tile/factory"
	"utfbench/tile/utf"
	"utfbench/transport"

	"utfbench/transport/mock"
)

// An invalid answer ends the transport; the level of an unknown bit is always 0.
func TestSenselessAnswers(t *testing.T) {
	for _, c := range []struct {
		raw, body []byte
		text      string
	}{
		{body: []byte{1, 0, 0, 0, 0xFF, 0x0F, 0xFF, 0xF0}},
		{body: []byte{2, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0}, text: "2 samples of 1 steps"},
		{body: []byte{1, 0, 0, 0, 1, 0, 1}, text: "wrong length"},
		{raw: []byte{kindApply, 1, 2, 3}, text: "incomplete"},
		{raw: answer{request: request{kindApply, 1, nil}}.bytes(), text: "want 'A' to"},
	} {
		near := openOver(t, &liar{far: NewFar(new(chain)), raw: c.raw, body: c.body}, 0)
		got := make([]transport.Sample, 1)
		n, err := near.Apply(t.Context(), stepsOf(1), got)
		if c.text == "" {
			if want := (transport.Sample{Out: 0xF0, OutX: 0x0F, IO: 0xFF, IOX: 0xF0}); n != 1 || err != nil ||
				got[0] != want {
				t.Errorf("%d, %v, %+v; want %+v", n, err, got, want)
			}
			continue
		}
		_, again := near.Apply(t.Context(), stepsOf(1), got)
		if n != 0 || err == nil || !strings.Contains(err.Error(), c.text) || again != err {
			t.Errorf("%d, %v, then %v; want %q", n, err, again, c.text)
		}
	}
}

// A broken link ends the transport; earlier answers are good. Close reports that the chip's state is unknown.
func TestLinkBreaks(t *testing.T) {
	for after := 1; after < 7; after++ {
		far := new(chain)
		link := &cut{memory: memory{far: NewFar(far), limit: LeastLimit}, after: after}
		near := openOver(t, link, partHead+10*stepSize)
		n, err := near.Apply(t.Context(), stepsOf(100), make([]transport.Sample, 100))
		if n%10 != 0 || n > 10*(after-1) || !errors.Is(err, errPulled) {
			t.Errorf("cut after %d: %d, %v", after, n, err)
		}
		if _, again := near.Apply(t.Context(), stepsOf(1), make([]transport.Sample, 1)); again != err {
			t.Errorf("afterwards: %v; want %v", again, err)
		}
		if err := near.Close(); err == nil || !strings.Contains(err.Error(), "did not say that it parked the chip") {
			t.Errorf("Close: %v", err)
		}
	}
}

// troubled is a chip whose Pull returns any given error.
type troubled struct {
	chain
	err error
}

func (c *troubled) Pull(context.Context, transport.Pull) error { return c.err }

// An error keeps its text and identity over the link.
func TestErrorsCross(t *testing.T) {
	pin := &transport.PinError{Pin: "GPIO1", Why: "uo0 is at it", Free: []string{"GPIO2", "GPIO3"}}
	long := strings.Repeat("ä\x1b", 5000)
	for _, c := range []struct {
		err  error
		is   error
		text string
	}{
		{errors.New("no answer for 2s"), nil, "lab:bench: no answer for 2s"},
		{fmt.Errorf("gpio: %w", errors.ErrUnsupported), errors.ErrUnsupported,
			"lab:bench: gpio: unsupported operation"},
		{transport.ErrClosed, transport.ErrClosed, "the transport is closed"},
		{transport.ErrNoBursts, transport.ErrNoBursts, "lab:bench: " + transport.ErrNoBursts.Error()},
		{pin, nil, pin.Error()},
		{errors.New("\x1b[2J\nPASS"), nil, `lab:bench: \x1b[2J\nPASS`},
		{context.Canceled, nil, "lab:bench: the far end stopped by itself: context canceled"},
		{errors.New(long), nil, ""},
	} {
		err := open(t, &troubled{err: c.err}, 0).Pull(t.Context(), transport.PullUp)
		if err == nil || c.text != "" && err.Error() != c.text || len(err.Error()) > 2*mostText ||
			c.is != nil && !errors.Is(err, c.is) || c.is == nil && errors.Is(err, context.Canceled) {
			t.Errorf("%.100q comes as %.100q; want %q", c.err, err, c.text)
		}
	}
	pins := &transport.PinError{Pin: "1", Why: strings.Repeat("<", 900), Free: slices.Repeat([]string{"GPIO1"}, 999)}
	for _, err := range []error{pins, errors.New(strings.Repeat("<", 5000)),
		errors.New(strings.Repeat("x", 2000)), errors.New(long)} {
		text := trouble(err)
		if got, wrong := untrouble(text); len(text) > mostTrouble || wrong != nil || len(got.Error()) < 100 ||
			len(got.Error()) > mostText+10 {
			t.Errorf("%.20q has %d bytes on its way and comes as %q, %v", err, len(text), got, wrong)
		}
	}
	var got *transport.PinError
	err := open(t, &troubled{err: fmt.Errorf("board: %w", pin)}, 0).Pull(t.Context(), transport.PullUp)
	if !errors.As(err, &got) || !reflect.DeepEqual(got, pin) {
		t.Errorf("a PinError comes as %+v", got)
	}
}

// A far transport without optional abilities has none at the near end.
func TestNothingBeyondTheContract(t *testing.T) {
	near := open(t, new(chain), 0)
	if err := near.Pull(t.Context(), transport.PullUp); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Pull: %v", err)
	}
	if _, err := near.Tune(t.Context(), "pulse", 1); len(near.Knobs()) != 0 || err == nil {
		t.Errorf("knobs %v, Tune: %v", near.Knobs(), err)
	}
	if _, err := near.Grid(t.Context()); err != transport.ErrNoBursts {
		t.Errorf("Grid: %v", err)
	}
	var pin *transport.PinError
	err := near.FreeRun(t.Context(), transport.Step{}, 1, transport.Timing{Period: 9})
	if near.RunsFree() || !errors.Is(err, transport.ErrNoBursts) {
		t.Errorf("FreeRun: %v, %v", near.RunsFree(), err)
	}
	if _, err := near.TakePin(t.Context(), "29"); !errors.As(err, &pin) || pin.Pin != "29" || len(pin.Free) != 0 {
		t.Errorf("TakePin: %v", err)
	}
	if _, err := near.ApplyTriggered(t.Context(), stepsOf(2), make([]transport.Sample, 2), []int{1}); err == nil {
		t.Error("ApplyTriggered is no error")
	}
	if sent, received := near.Traffic(); sent != 0 || received != 0 || near.FourState() ||
		near.String() != "lab:bench" {
		t.Errorf("%s: traffic %d, %d", near, sent, received)
	}
}

// The optional abilities of a far transport work at the near end.
func TestAllBeyondTheContract(t *testing.T) {
	far := new(able)
	near := open(t, far, 0)
	var refused *transport.PinError
	if _, err := near.TakePin(t.Context(), "8"); !errors.As(err, &refused) || len(refused.Free) != 2 {
		t.Errorf("TakePin: %v", err)
	}
	if _, err := near.ApplyTriggered(t.Context(), stepsOf(2), make([]transport.Sample, 2), []int{1}); err == nil {
		t.Error("a trigger without a pin is no error")
	}
	if name, err := near.TakePin(t.Context(), "7"); name != "GPIO7" || err != nil {
		t.Errorf("TakePin: %q, %v", name, err)
	}
	for _, at := range [][]int{{-1}, {5}, {2, 2}, {3, 1}} {
		if _, err := near.ApplyTriggered(t.Context(), stepsOf(5), make([]transport.Sample, 5), at); err == nil {
			t.Errorf("triggers %v are no error", at)
		}
	}
	if _, err := near.Apply(t.Context(), stepsOf(5), make([]transport.Sample, 5)); err != nil {
		t.Error(err)
	}
	if sent, received := near.Traffic(); sent != 50 || received != 20 {
		t.Errorf("traffic %d, %d; want 50 and 20", sent, received)
	}
}

// The near end has the mock's knobs and its grid, limited to one message.
func TestKnobsAndGrid(t *testing.T) {
	chip := mock.Open(mock.Config{Tile: utf.TT09})
	near := openOver(t, &memory{far: NewFar(chip), limit: LeastLimit}, 0)
	if !slices.Equal(near.Knobs(), chip.Knobs()) {
		t.Errorf("knobs %v", near.Knobs())
	}
	want, _ := chip.Grid(t.Context())
	want.Steps = (LeastLimit - burstHead) / stepSize
	got, err := near.Grid(t.Context())
	if !reflect.DeepEqual(got, want) || err != nil {
		t.Errorf("grid %+v, %v; want %+v", got, err, want)
	}
	at, _ := got.Round(transport.Timing{Period: 100, Sample: transport.AtFall})
	for n, fails := range map[int]bool{want.Steps: false, want.Steps + 1: true} {
		if err := near.Burst(t.Context(), stepsOf(n), make([]transport.Sample, n), at); (err != nil) != fails {
			t.Errorf("a burst of %d steps: %v", n, err)
		}
	}
	for _, bad := range []transport.Timing{{}, {Period: -1}, {Period: 100, Sample: -1, Lead: 50}, {Period: 100,
		Sample: 20, Lead: 50, Clock: 7}, {Period: 1 << 62, Sample: 1, Lead: 1}} {
		if err := near.Burst(t.Context(), stepsOf(1), make([]transport.Sample, 1), bad); err == nil {
			t.Errorf("a burst with %+v is no error", bad)
		}
	}
}

// counted is a mock that counts the clocks of its free runs.
type counted struct {
	*mock.Transport
	runs []int
	held transport.Step
}

func (c *counted) FreeRun(ctx context.Context, held transport.Step, clocks int, at transport.Timing) error {
	c.runs, c.held = append(c.runs, clocks), held
	return c.Transport.FreeRun(ctx, held, clocks, at)
}

// clk runs free at the far end for exactly the clocks, in parts that a stop can end, and only with a timing of its
// grid.
func TestFreeRun(t *testing.T) {
	chip := &counted{Transport: mock.Open(mock.Config{Tile: factory.Tile{}})}
	near := open(t, chip, 0)
	slow := transport.Timing{Period: 200 * time.Microsecond, Sample: transport.AtFall}
	p, err := transport.NewPlayer(t.Context(), near, slow)
	if err != nil || !p.RunsFree() {
		t.Fatalf("runs free %v, %v", p.RunsFree(), err)
	}
	reset, held := transport.Step{Reset: true, Clocks: 1, In: 1}, transport.Step{In: 1, Clocks: 1}
	samples := make([]transport.Sample, 1)
	if _, err := p.Apply(t.Context(), []transport.Step{reset}, samples); err != nil {
		t.Fatal(err)
	}
	if err := p.FreeRun(t.Context(), held, 1203); err != nil {
		t.Fatal(err)
	}
	steps := append([]transport.Step{reset}, slices.Repeat([]transport.Step{held}, 1204)...)
	want := make([]transport.Sample, len(steps))
	if err := tile.Expect(factory.Tile{}, steps, want); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Apply(t.Context(), []transport.Step{held}, samples); err != nil || samples[0] != want[1204] {
		t.Errorf("after 1203 clocks and one more it shows %+v, %v; want %+v", samples[0], err, want[1204])
	}
	if !slices.Equal(chip.runs, []int{501, 501, 200}) || chip.held != held {
		t.Errorf("runs of %v clocks with %+v", chip.runs, chip.held)
	}
	chip.runs = nil
	for _, bad := range []transport.Timing{{}, {Period: -1}, {Period: 100, Lead: 50, Clock: 7}} {
		if err := near.FreeRun(t.Context(), held, 9, bad); err == nil || chip.runs != nil {
			t.Errorf("a run with %+v is no error", bad)
		}
	}
}

// other is a far end with a different version.
type other struct {
	memory
	version byte
}

func (o *other) Ask(_ context.Context, message []byte) ([]byte, error) {
	r, err := readRequest(message)
	return answer{request: request{r.kind, r.number, []byte{o.version, 0, 'x'}}}.bytes(), err
}

// The error for another version names the end to update; too small a link is an error too.
func TestOpenRefuses(t *testing.T) {
	for text, link := range map[string]Link{
		"the far end speaks version 3, and this bench version 2: update this bench": &other{version: 3,
			memory: memory{limit: LeastLimit}},
		"the far end speaks version 0, and this bench version 2: update the bench at the far end": &other{
			memory: memory{limit: LeastLimit}},
		"the link's limit of 4095 bytes is below the minimum of 4096": &memory{limit: LeastLimit - 1},
		"the cable was pulled": &cut{memory: memory{limit: LeastLimit}},
	} {
		if _, err := Open(t.Context(), link, "lab:x"); err == nil || err.Error() != "lab:x: "+text {
			t.Errorf("%v; want %q", err, text)
		}
		if !link.(interface{ wasClosed() bool }).wasClosed() {
			t.Errorf("%s: the link stays open", text)
		}
	}
	body, err := reply(NewFar(new(chain)), kindHello, 7, []byte{version + 1, 0, 'y'})
	if err != nil || !slices.Equal(body, []byte{version, 0}) {
		t.Errorf("hello of another version is answered by % x, %v; want the own version alone", body, err)
	}
}

// Two near ends cannot share a far end.
func TestOneNearEnd(t *testing.T) {
	far := NewFar(new(chain))
	openOver(t, &memory{far: far, limit: LeastLimit}, 0)
	if _, err := Open(t.Context(), &memory{far: far, limit: LeastLimit}, "lab:x"); err == nil ||
		!strings.Contains(err.Error(), "of another user") {
		t.Error(err)
	}
}
