package gpio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
)

// openSim opens a new bank by the board's label and line names, as users do. Its chip responds after every call.
func openSim(t testing.TB, s *sim, rev model.Revision) (*Transport, *simChip) {
	t.Helper()
	chip := newSimChip(s, rev)
	h := host{machine: machine{fstest.MapFS{}}, kernel: steppedKernel{linux{}, chip}}
	tr := must(t, h, Config{Backend: "lines", Chips: []string{s.name}, Pins: bank})
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
		for _, w := range chip.wrong {
			t.Error(w)
		}
	})
	return tr, chip
}

func TestSimConformance(t *testing.T) {
	s := newSim(t, "utfbench")
	steps := testkit.Stimulus(1, 500)
	var chip *simChip
	testkit.RunTransport(t, testkit.TransportKit{
		Open: func(t testing.TB) transport.Transport {
			var tr *Transport
			tr, chip = openSim(t, s, model.TT09)
			return tr
		},
		Stimulus: steps,
		Want:     testkit.ModelSamples(model.TT09, steps),
		Pins:     func(transport.Transport) transport.Step { return chip.pins(t) },
	})
}

// During a change of uio's directions, lines that the bench keeps driving keep their levels, and a line that it starts
// to drive high is never low. gpio-sim has no history of levels, so a goroutine samples continuously.
func TestSimTurnsClean(t *testing.T) {
	s := newSim(t, "utfbench")
	l := testkit.Must(openLines(linux{}, []string{s.name}, bank))(t)
	defer l.release()
	kept := uint32(0xA5 | transport.MaskRstN)
	if err := l.set(kept, maskOwn); err != nil {
		t.Fatal(err)
	}
	s.pull(t, transport.MaskUIO, transport.MaskUIO)
	stop, looks, wrong := s.watch(maskOwn|transport.MaskUIO, kept|transport.MaskUIO)
	for range 3000 {
		if err := errors.Join(l.turn(kept|transport.MaskUIO, transport.MaskUIO), l.turn(kept, 0)); err != nil {
			t.Fatal(err)
		}
		s.pull(t, transport.MaskUIO, transport.MaskUIO) // a released line keeps its last level until it is pulled
	}
	stop()
	if wrong.Load() != 0 || looks.Load() < 200 {
		t.Errorf("in %d looks %d saw a line move; want none, and 200 looks or more", looks.Load(), wrong.Load())
	}
	t.Logf("%d looks at 26 lines in 6000 turns", looks.Load())
}

func TestSimErrors(t *testing.T) {
	s := newSim(t, "utfbench")
	h := host{machine: machine{fstest.MapFS{}}, kernel: linux{}}
	c := Config{Backend: "lines", Chips: []string{s.name}, Pins: bank}
	tr := must(t, h, c)
	for _, e := range []struct {
		c    Config
		want string
	}{
		{c, `line 0 (ui0), which is to be ui0, is in use by "utfbench": end that program`},
		{Config{Backend: "lines", Chips: []string{"nosuch"}, Pins: bank}, "no GPIO chip with the label nosuch: this " +
			"machine has /dev/gpiochip"},
		{Config{Backend: "lines", Chips: []string{s.name}, Pins: withPin(bank, "clk", "LED")},
			`has no line named "LED"`},
	} {
		if _, err := h.open(e.c); err == nil || !strings.Contains(err.Error(), e.want) {
			t.Errorf("Open: %v; want an error with %q", err, e.want)
		}
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	// Without permission, the error names the group.
	if err := os.Chown(s.device, 0, 27); err != nil {
		t.Fatal(err)
	}
	if err := asUser(func() error { _, err := h.open(c); return err }); !errors.Is(err, fs.ErrPermission) ||
		!strings.Contains(err.Error(), "by the group 27 only") {
		t.Errorf("Open without rights: %v; want an error about the group", err)
	}
	must(t, h, c).Close()
}

// asUser calls f without root's file permissions.
func asUser(f func() error) error {
	if err := syscall.Setreuid(-1, 1000); err != nil {
		return fmt.Errorf("giving up rights: %w", err)
	}
	defer syscall.Setreuid(-1, 0)
	return f()
}

// steppedKernel runs the chip after every call of a request. A chip in its own goroutine would miss edges.
type steppedKernel struct {
	linux
	world *simChip
}

func (k steppedKernel) open(path string) (chip, error) {
	c, err := k.linux.open(path)
	return steppedChip{c, k.world}, err
}

type steppedChip struct {
	chip
	world *simChip
}

func (c steppedChip) request(offsets [transport.LineN]uint32, drive, levels uint64) (request, error) {
	r, err := c.chip.request(offsets, drive, levels)
	if err != nil {
		return nil, err
	}
	c.world.turned(uint32(drive))
	return &steppedRequest{r, c.world}, nil
}

type steppedRequest struct {
	request
	world *simChip
}

func (r *steppedRequest) config(drive, levels uint64) error {
	if err := r.request.config(drive, levels); err != nil {
		return err
	}
	r.world.turned(uint32(drive))
	return nil
}

func (r *steppedRequest) set(levels, mask uint64) error {
	if err := r.request.set(levels, mask); err != nil {
		return err
	}
	r.world.look()
	return nil
}
