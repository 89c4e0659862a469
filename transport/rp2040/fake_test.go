package rp2040

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"utfbench/boards"
	"utfbench/model"
	"utfbench/transport"
)

// Pins of the demo boards with an RP2040 and with an RP2350, where uio spans both banks.
var (
	tt06 = pinsOf("tt-demo-tt06")
	etr  = pinsOf("tt-demo-rp2350")
)

func pinsOf(name string) map[string]int {
	b, err := boards.Open(name)
	if err != nil {
		panic(err)
	}
	pins, _, err := b.PinNumbers()
	if err != nil {
		panic(err)
	}
	return pins
}

// fake simulates a board at the serial port: the REPL of MicroPython 1.24, and the protocol with a model of the chip.
// Its fields configure misbehaviour; fields named at... give the number of the frame at which it occurs.
type fake struct {
	machine            string
	rev                model.Revision
	inverts            uint8 // lines of uo that a faulty chip inverts
	noViper, notPython bool
	crash              bool          // the program ends with a traceback
	refuses            string        // reason that it gives for rejecting code after the start
	answer             string        // to queries
	answerError        string        // traceback as the answer to queries
	silence            time.Duration // replaces the host's setting
	// duration of main.py at power-up and at a reboot; a Ctrl-C during it ruins the start
	starting time.Duration
	memory   int // bytes of code that fit beside the SDK, which a soft reset clears; 0 for no limit
	room     int // bytes of code that fit after a soft reset; 0 for no limit

	echo bool // echoes Ctrl-C

	atSilence, atHalf, atNoise, atReset, atUnplug, atVanish, atFlip, atLate, atError, atShort, atLoss, atEcho int
	atCrash                                                                                                   int

	port    net.Conn
	in      *bufio.Reader
	pending []byte // received while main.py ran
	broken  atomic.Bool
	ended   chan struct{}
	loader  fakeLoader
	told    int // maximum silence that the host has announced, in ms

	mu     sync.Mutex
	pins   transport.Step // levels on the lines
	viper  bool
	parked bool // the board has parked the chip on its own
	atREPL bool
	ruined bool // main.py was interrupted
	starts int  // runs of main.py
	clears int  // soft resets in the raw REPL, which clear the memory
	frames int
}

// hostEnd is the port that the bench opens; it fails like a pulled cable.
type hostEnd struct {
	net.Conn
	f *fake
}

func (h hostEnd) Read(b []byte) (int, error) {
	n, err := h.Conn.Read(b)
	if err != nil && h.f.broken.Load() {
		err = syscall.EIO
	}
	return n, err
}

// start returns a port to the fake, which runs until the bench closes the port.
func (f *fake) start(t testing.TB) io.ReadWriteCloser {
	host, board := net.Pipe()
	f.port, f.in, f.ended = board, bufio.NewReader(board), make(chan struct{})
	go func() {
		defer close(f.ended)
		defer board.Close()
		f.run()
	}()
	t.Cleanup(func() { host.Close(); <-f.ended })
	return hostEnd{host, f}
}

// inBubble runs a subtest in a bubble, where time passes only while the bench and the board wait for each other.
func inBubble(t *testing.T, name string, test func(*testing.T)) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, test)
	})
}

func (f *fake) say(s string) { io.WriteString(f.port, s) }

func (f *fake) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *fake) park() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pins, f.parked = transport.ParkStep, true
}

func (f *fake) post(fr frame) { f.port.Write(fr.append(nil)) }

func (f *fake) hello() frame {
	var p []byte
	for _, n := range []uint16{1024, 1024, 4, 1} {
		p = binary.LittleEndian.AppendUint16(p, n)
	}
	p = binary.LittleEndian.AppendUint32(p, 64_000) // ps
	return frame{kindHello, 0, append(p, cmp.Or(f.machine, "Raspberry Pi Pico with RP2040")...)}
}

var errSilentHost = errors.New("the host was silent")

func (f *fake) receive() (frame, error) {
	f.port.SetReadDeadline(time.Now().Add(cmp.Or(f.silence, time.Duration(f.told)*time.Millisecond)))
	_, err := f.in.Peek(1)
	f.port.SetReadDeadline(time.Time{})
	if err != nil {
		return frame{}, errSilentHost
	}
	head := make([]byte, headerSize)
	_, err = io.ReadFull(f.in, head) // blocks for ever, like readinto
	if err != nil {
		return frame{}, err
	}
	if head[0] != magic {
		return frame{}, errors.New("damaged header")
	}
	b := append(bytes.Clone(head), make([]byte, int(binary.LittleEndian.Uint16(head[4:]))+crcSize)...)
	if _, err := io.ReadFull(f.in, b[headerSize:]); err != nil {
		return frame{}, err
	}
	fr, _, err := parseFrame(b)
	return fr, err
}
