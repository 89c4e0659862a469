package gpio

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
)

// A sim is one bank of the kernel's GPIO simulator, with the line names of the board file linux.yaml.
type sim struct {
	name   string // label
	device string // /dev/gpiochipN
	values [transport.LineN]int
	pulls  [transport.LineN]int
}

// newSim creates a bank that lasts until the test ends.
func newSim(t testing.TB, label string) *sim {
	t.Helper()
	dir := filepath.Join(configfs, "gpio-sim", label)
	if _, err := os.Stat(filepath.Dir(dir)); err != nil {
		t.Skip("needs a kernel with gpio-sim: scripts/test-gpio-sim boots one")
	}
	t.Cleanup(func() { removeSim(t, dir) })
	write(t, filepath.Join(dir, "bank", "label"), label)
	write(t, filepath.Join(dir, "bank", "num_lines"), fmt.Sprint(transport.LineN))
	for i, s := range transport.Lines {
		write(t, filepath.Join(dir, "bank", fmt.Sprintf("line%d", i), "name"), s)
	}
	write(t, filepath.Join(dir, "live"), "1")
	chip := read(t, filepath.Join(dir, "bank", "chip_name"))
	s := &sim{name: label, device: "/dev/" + chip}
	base := filepath.Join("/sys/devices/platform", read(t, filepath.Join(dir, "dev_name")), chip)
	for i := range transport.LineN {
		line := filepath.Join(base, fmt.Sprintf("sim_gpio%d", i))
		s.values[i] = openFile(t, filepath.Join(line, "value"), os.O_RDONLY)
		s.pulls[i] = openFile(t, filepath.Join(line, "pull"), os.O_WRONLY)
	}
	return s
}

// write creates the folder of a configfs file and writes the file.
func write(t testing.TB, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	text := testkit.Must(os.ReadFile(path))(t)
	return strings.TrimSpace(string(text))
}

func openFile(t testing.TB, path string, flag int) int {
	t.Helper()
	fd, err := syscall.Open(path, flag|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	return fd
}

func removeSim(t testing.TB, dir string) {
	if err := os.WriteFile(filepath.Join(dir, "live"), []byte("0"), 0o644); err != nil {
		t.Error(err)
	}
	lines, _ := filepath.Glob(filepath.Join(dir, "bank", "line*")) // never fails: the pattern is well-formed
	for _, d := range append(lines, filepath.Join(dir, "bank"), dir) {
		if err := os.Remove(d); err != nil {
			t.Error(err)
		}
	}
}

func (s *sim) levels(mask uint32) (v uint32, err error) {
	var b [2]byte
	for i, fd := range s.values {
		if mask>>i&1 == 0 {
			continue
		}
		if n, err := syscall.Pread(fd, b[:], 0); n == 0 || err != nil {
			return 0, fmt.Errorf("reading line %d: %w", i, err)
		}
		v |= uint32(b[0]&1) << i
	}
	return v, nil
}

var pullWords = [2][]byte{[]byte("pull-down"), []byte("pull-up")}

// pull sets the levels to which the lines in mask are pulled from outside.
func (s *sim) pull(t testing.TB, levels, mask uint32) {
	if err := s.tryPull(levels, mask); err != nil {
		t.Fatal(err)
	}
}

func (s *sim) tryPull(levels, mask uint32) error {
	for i, fd := range s.pulls {
		if mask>>i&1 == 0 {
			continue
		}
		if _, err := syscall.Pwrite(fd, pullWords[levels>>i&1], 0); err != nil {
			return fmt.Errorf("pulling line %d: %w", i, err)
		}
	}
	return nil
}

// watch samples the lines in mask until stop is called, and counts all samples and those that differ from want.
func (s *sim) watch(mask, want uint32) (stop func(), looks, wrong *atomic.Int64) {
	looks, wrong = new(atomic.Int64), new(atomic.Int64)
	ctx := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ctx:
				return
			default:
			}
			v, err := s.levels(mask)
			if err != nil || v != want {
				wrong.Add(1)
			}
			looks.Add(1)
		}
	}()
	return func() { close(ctx); <-done }, looks, wrong
}

// A simChip is the model, connected to the bank's lines. It sees only levels and, from the request, directions.
type simChip struct {
	*wires
	sim   *sim
	given uint32 // levels to which it pulls the lines
	stale uint32 // lines whose level in given is uncertain
}

func newSimChip(s *sim, rev model.Revision) *simChip {
	return &simChip{wires: newWires(rev), sim: s, stale: ^uint32(0)}
}

// turned handles a change of directions, after which the simulator holds a line's level until the line is pulled.
func (c *simChip) turned(out uint32) {
	c.out = out
	c.stale = ^uint32(0)
	c.look()
}

// look reads the bench's levels and sets the chip's.
func (c *simChip) look() {
	seen, err := c.sim.levels(c.out)
	if err != nil {
		c.complain("%v", err)
	}
	c.drive(c.out, seen)
	if c.out == 0 {
		return
	}
	shown, lines := c.levels(), uint32(transport.MaskUO)
	if c.level&uint32(model.READ) != 0 {
		lines |= transport.MaskUIO &^ c.out
	}
	if err := c.sim.tryPull(shown, lines&(shown^c.given|c.stale)); err != nil {
		c.complain("%v", err)
	}
	c.given, c.stale = c.given&^lines|shown&lines, c.stale&^lines
}

// pins returns the lines' state after Close, and checks that the kernel reports none as in use.
func (c *simChip) pins(t testing.TB) transport.Step {
	if who := users(t, c.sim); who != "" {
		t.Errorf("lines are still in use: %s", who)
	}
	return c.wires.pins()
}

func users(t testing.TB, s *sim) (who string) {
	k := testkit.Must(linux{}.open(s.device))(t)
	defer k.close()
	for n := range k.lines() {
		info := testkit.Must(k.line(n))(t)
		if info.used {
			who += " " + info.name
		}
	}
	return who
}
