package rp2040

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
)

func open(t testing.TB, f *fake, c Config) (*Transport, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if c.Pins == nil {
		c.Pins = tt06
	}
	return startOn(ctx, f.start(t), "fake", c)
}

// startOn starts the step program on a board, without any queries.
func startOn(ctx context.Context, rwc io.ReadWriteCloser, name string, c Config) (*Transport, error) {
	console, err := Dial(ctx, rwc, name, c.patience())
	if err != nil {
		return nil, err
	}
	return console.Start(ctx, c)
}

func mustOpen(t testing.TB, f *fake, c Config) *Transport {
	t.Helper()
	return testkit.Must(open(t, f, c))(t)
}

func TestConformance(t *testing.T) {
	for name, make := range map[string]func() *fake{
		"tt09":         func() *fake { return &fake{} },
		"old firmware": func() *fake { return &fake{noViper: true} },
		"echo":         func() *fake { return &fake{echo: true} },
		"tt08":         func() *fake { return &fake{rev: model.TT08} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			steps := testkit.Stimulus(1, 500)
			var f *fake
			testkit.RunTransport(t, testkit.TransportKit{
				Open: func(t testing.TB) transport.Transport {
					f = make()
					return mustOpen(t, f, Config{})
				},
				Stimulus: steps,
				Bubble:   true,
				Want:     testkit.ModelSamples(make().rev, steps),
				ExpectedSamples: func(steps []transport.Step) []transport.Sample {
					return testkit.ModelSamples(make().rev, steps)
				},
				Pins: func(transport.Transport) transport.Step {
					f.mu.Lock()
					defer f.mu.Unlock()
					return f.pins
				},
			})
		})
	}
}

// A board that misbehaves during a run causes a clear and permanent error, never a wrong sample.
func TestMisbehaviourIsAnError(t *testing.T) {
	const at = 20 // number of a frame after the set-up
	for _, c := range []struct {
		name string
		fake *fake
		want string
	}{
		{"silence", &fake{atSilence: at}, "no answer for 1s: was the board reset"},
		{"half a frame", &fake{atHalf: at}, "no answer for 1s"},
		{"noise", &fake{atNoise: at}, "noise on the line"},
		{"reset", &fake{atReset: at}, "damaged"},
		{"unplugged", &fake{atUnplug: at}, "was the cable pulled"},
		{"vanished", &fake{atVanish: at}, "was the cable pulled"},
		{"a stall that loses bytes", &fake{atLoss: at}, "drops its output if this machine reads none for 0.5 s"},
		{"Ctrl-C echoed", &fake{atEcho: at}, "noise on the line"},
		{"bit flipped", &fake{atFlip: at}, "damaged"},
		{"late answer", &fake{atLate: at}, "lost or came late"},
		{"a program that crashes", &fake{atCrash: at}, "the board stopped the bench's program: \"OSError: 5\""},
		{"gives up", &fake{atError: at}, "the board gave up: output was lost"},
		{"short samples", &fake{atShort: at}, "bytes of samples"},
	} {
		inBubble(t, c.name, func(t *testing.T) {
			tr := mustOpen(t, c.fake, Config{Patience: time.Second})
			steps := testkit.Stimulus(2, 40_000)
			got := make([]transport.Sample, len(steps))
			begin := time.Now()
			n, err := tr.Apply(context.Background(), steps, got)
			if err == nil || n == len(steps) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("Apply = %d, %v; want an error with %q", n, err, c.want)
			}
			for i, want := range testkit.ModelSamples(model.TT09, steps[:n]) {
				if got[i] != want {
					t.Fatalf("sample %d of %d that are said to be good is %+v, want %+v", i, n, got[i], want)
				}
			}
			if n, again := tr.Apply(context.Background(), steps, got); n != 0 || again != err {
				t.Errorf("Apply after the error = %d, %v; want 0 and the same error", n, again)
			}
			tr.Close()
			unknown := tr.BoardState().ParksAfter > 0
			if unknown && c.fake.atError > 0 || !unknown && c.fake.atSilence > 0 {
				t.Errorf("it is left as %+v", tr.BoardState())
			}
			if d := time.Since(begin); d > 10*time.Second {
				t.Errorf("it took %v", d)
			}
		})
	}
}

// A fault of the link never becomes a wrong signature, which would be blamed on the chip.
func TestSignMisbehaviourIsAnError(t *testing.T) {
	steps := []transport.Step{{In: model.Idle, Reset: true, Clocks: 1}, {In: model.Idle, Clocks: 1}}
	const at = 40 // number of a frame during the run
	for _, c := range []struct {
		fake *fake
		want string
	}{
		{&fake{atShort: at}, "a signature of 3 bytes"},
		{&fake{atFlip: at}, "damaged"},
		{&fake{atLate: at}, "lost or came late"},
		{&fake{atUnplug: at}, "cable pulled"},
	} {
		tr := mustOpen(t, c.fake, Config{Patience: time.Second})
		for n, err := 0, error(nil); err == nil; {
			r := transport.Series{Steps: steps, Count: 1, Want: testkit.ModelSamples(model.TT09, steps)}
			runs := []transport.Series{r}
			if n, err = tr.Sign(context.Background(), runs); err == nil && (n != 1 || !runs[0].SameSignature) {
				t.Fatalf("%s: Sign = %d, Same %v; want 1, true until it is an error", c.want, n, runs[0].SameSignature)
			} else if err != nil && (n != 0 || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("Sign = %d, %v; want an error with %q", n, err, c.want)
			}
		}
		tr.Close()
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		fake *fake
		pins map[string]int
		want string
	}{
		{"not MicroPython", &fake{notPython: true}, nil, "no MicroPython at the port"},
		{"crash", &fake{crash: true}, nil, "the board stopped the bench's program: \"OSError: [Errno 5] EIO\""},
		{"memory that is full, also when cleared", &fake{memory: 4000, room: 4000}, nil,
			"the board's memory is full: reset it"},
		{"other chip", &fake{machine: "ESP32 module"}, nil, "neither an RP2040 nor an RP2350"},
		{"other board's pins", &fake{}, etr, "is it the right board file?"},
		{"silent while set up", &fake{atSilence: 2}, nil, "no answer for 1s"},
		{"unplugged while set up", &fake{atUnplug: 2}, nil, "was the cable pulled"},
	} {
		inBubble(t, c.name, func(t *testing.T) {
			tr, err := open(t, c.fake, Config{Pins: c.pins, Patience: time.Second})
			if err == nil {
				tr.Close()
				t.Fatal("it gave no error")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want an error with %q", err, c.want)
			}
		})
	}
}

// Open returns when its context ends, even if the board neither accepts nor outputs anything.
func TestOpenKeepsToTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{notPython: true}
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		if _, err := startOn(ctx, f.start(t), "fake", Config{Pins: tt06}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v; want the context's error", err)
		}
	})
}

func TestApplyKeepsToTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := mustOpen(t, &fake{atSilence: 20}, Config{Patience: time.Minute})
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		steps := testkit.Stimulus(3, 40_000)
		_, err := tr.Apply(ctx, steps, make([]transport.Sample, len(steps)))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Apply: %v; want the context's error", err)
		}
		tr.patience = 100 * time.Millisecond
		if err := tr.Close(); err == nil {
			t.Error("Close gave no error, and the board was silent")
		}
	})
}

// The board tolerates an idle host, and parks the chip if the host dies.
func TestSilentHost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{silence: 1500 * time.Millisecond}
		tr := mustOpen(t, f, Config{})
		defer tr.Close()
		time.Sleep(2 * f.silence)
		steps := testkit.Stimulus(4, 100)
		if _, err := tr.Apply(context.Background(), steps, make([]transport.Sample, 100+len(steps))); err != nil {
			t.Fatalf("Apply after a pause: %v", err)
		}
		tr.mu.Lock() // prevents pings
		defer tr.mu.Unlock()
		time.Sleep(2 * f.silence)
		f.mu.Lock()
		defer f.mu.Unlock()
		if !f.parked || f.pins != transport.ParkStep {
			t.Errorf("after the host's silence the pins are %+v; want them parked", f.pins)
		}
	})
}

// With more patience, the board tolerates a longer silence of the host.
func TestSilenceFollowsPatience(t *testing.T) {
	for patience, want := range map[time.Duration]int{0: 2000, time.Second: 2000, 30 * time.Second: 20_000,
		time.Hour: 2_400_000} {
		f := &fake{}
		if err := mustOpen(t, f, Config{Patience: patience}).Close(); err != nil || f.told != want {
			t.Errorf("patience %v: the host may be silent for %d ms; want %d (%v)", patience, f.told, want, err)
		}
	}
}

func TestCloseRestoresThePrompt(t *testing.T) {
	f := &fake{}
	if err := mustOpen(t, f, Config{}).Close(); err != nil {
		t.Fatal(err)
	}
	<-f.ended
	if !f.atREPL || !f.parked {
		t.Errorf("prompt %v, parked %v after Close; want both", f.atREPL, f.parked)
	}
}

// Grid returns transport.ErrNoBursts for a board that can never play bursts.
func TestNoBursts(t *testing.T) {
	tr := mustOpen(t, &fake{}, Config{})
	defer tr.Close()
	tr.board.viper = false
	_, err := tr.Grid(t.Context())
	if !errors.Is(err, transport.ErrNoBursts) || failure.KindOf(err) != failure.User ||
		!strings.Contains(err.Error(), "no viper") {
		t.Error(err)
	}
}
