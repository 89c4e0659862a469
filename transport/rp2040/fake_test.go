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
	"time"

	"utfbench/boards"
	"utfbench/model"
	"utfbench/transport"
)

// The demo boards with an RP2040, and with an RP2350, where uio straddles the banks.
var (
	tt06 = pinsOf("tt-demo-tt06")
	etr  = pinsOf("tt-demo-rp2350")
)

func pinsOf(name string) map[string]int {
	b, err := boards.Open(name)
	if err != nil {
		panic(err)
	}
	pins, _, err := b.GPIO()
	if err != nil {
		panic(err)
	}
	return pins
}

// fake is a board at the byte stream: the REPL as MicroPython 1.24 speaks it, and the protocol over a model. Each field
// that is not zero is a misbehaviour; those named at... happen when that many frames have come.
type fake struct {
	machine            string
	rev                model.Revision
	inverts            uint8 // lines of uo, so that the chip is wrong
	noPaste, oldREPL   bool
	noViper, notPython bool
	crash              bool   // the program ends in a traceback
	refuses            string // code that comes after the start, for this reason
	version            uint16
	answer             string        // to questions
	answerError        string        // the traceback of questions
	silence            time.Duration // in place of what the host says
	// how long main.py runs, at power-up and at a reboot; a Ctrl-C in it ruins the start
	starting time.Duration
	memory   int // bytes of code that fit beside the SDK, which a soft reset clears; 0: any
	room     int // bytes that fit after a soft reset; 0: any

	echo bool // of Ctrl-C

	atSilence, atHalf, atNoise, atReset, atUnplug, atVanish, atFlip, atLate, atError, atShort, atLoss, atEcho int
	atCrash                                                                                                   int

	port    net.Conn
	in      *bufio.Reader
	pending []byte // came while main.py ran
	broken  atomic.Bool
	ended   chan struct{}
	loader  fakeLoader
	told    int // ms for which the host may be silent, by its word

	mu     sync.Mutex
	pins   transport.Step // what is on the lines
	viper  bool
	parked bool // by the board's own decision
	atREPL bool
	ruined bool // main.py was interrupted
	starts int  // of main.py
	clears int  // of the memory, by a soft reset in the raw REPL
	frames int
}

// hostEnd is what the bench opens; it fails as a pulled cable does.
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

// start runs the fake until the bench closes the port.
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

func (f *fake) say(s string) { io.WriteString(f.port, s) }

func (f *fake) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *fake) park() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pins, f.parked = transport.Park, true
}

func (f *fake) post(fr frame) { f.port.Write(fr.append(nil)) }

func (f *fake) hello() frame {
	v, m := uint16(version), f.machine
	if f.version != 0 {
		v = f.version
	}
	if m == "" {
		m = "Raspberry Pi Pico with RP2040"
	}
	p := binary.LittleEndian.AppendUint16(nil, v)
	for _, n := range []uint16{1024, 1024, 4, 1} {
		p = binary.LittleEndian.AppendUint16(p, n)
	}
	p = binary.LittleEndian.AppendUint32(p, 64_000) // ps
	return frame{kindHello, 0, append(p, m...)}
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
	_, err = io.ReadFull(f.in, head) // as readinto, which waits for ever
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
