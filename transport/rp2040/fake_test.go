package rp2040

import (
	"bufio"
	"bytes"
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

// fake is a board at the byte stream: the raw REPL as MicroPython speaks it, and the protocol over a model. Each field that
// is not zero is a misbehaviour; those named at... happen when that many frames have come.
type fake struct {
	machine            string
	rev                model.Revision
	noPaste, oldREPL   bool
	noViper, notPython bool
	crash              bool // the program ends in a traceback
	version            uint16
	answer             string        // to questions
	answerError        string        // the traceback of questions
	silence            time.Duration // in place of 2 s

	echo bool // of Ctrl-C

	atSilence, atHalf, atNoise, atReset, atUnplug, atVanish, atFlip, atLate, atError, atShort, atLoss, atEcho int

	port   net.Conn
	in     *bufio.Reader
	broken atomic.Bool
	ended  chan struct{}

	mu     sync.Mutex
	pins   transport.Step // what is on the lines
	viper  bool
	parked bool // by the board's own decision
	atREPL bool
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

// run is the REPL.
func (f *fake) run() {
	var code []byte
	for raw := false; ; {
		b, err := f.in.ReadByte()
		if err != nil {
			return
		}
		if f.echo && b == 3 {
			f.say("^C")
		}
		switch {
		case f.notPython:
			f.say("login: ")
		case b == 1:
			raw, code = true, nil
			f.say("\r\nraw REPL; CTRL-B to exit\r\n>")
		case b == 2:
			raw, f.atREPL = false, true
			f.say("\r\nMicroPython v1.24.0\r\n>>> ")
		case b == 3 && !raw:
			f.say("\r\nKeyboardInterrupt\r\n\x1b[32m>>> ")
		case b == 3:
			code = nil
		case b == 5 && raw && !f.oldREPL:
			if err = f.paste(); err != nil {
				return
			}
		case b == 4 && raw:
			f.say("OK")
			f.exec(code)
			code = nil
		case raw:
			code = append(code, b)
		case b == '\r':
			f.say("\r\n>>> ")
		}
	}
}

func (f *fake) paste() error {
	f.in.Discard(2)
	if f.noPaste {
		f.say("R\x00")
		return nil
	}
	f.say("R\x01\x40\x00\x01")
	var code []byte
	for n := 0; ; {
		b, err := f.in.ReadByte()
		if err != nil {
			return err
		}
		if b == 4 {
			break
		}
		code = append(code, b)
		if n++; n%64 == 0 {
			f.say("\x01")
		}
	}
	f.say("\x04")
	f.exec(code)
	return nil
}

// exec knows one program.
func (f *fake) exec(code []byte) {
	text := ""
	switch {
	case bytes.HasPrefix(code, []byte("print(")):
		f.say("bench in step " + string(code[bytes.LastIndexByte(code, ' ')+1:len(code)-1]) + "\r\n")
	case bytes.HasPrefix(code, []byte("_")):
		f.say(f.answer)
		text = f.answerError
	case f.crash:
		text = "Traceback (most recent call last):\r\nMemoryError: memory allocation failed, allocating 4992 bytes\r\n"
	case f.noViper && bytes.Contains(code, []byte("\n@micropython.viper")):
		text = "SyntaxError: invalid micropython decorator\r\n"
	case bytes.Contains(code, []byte("\n_bench(")):
		f.viper = bytes.Contains(code, []byte("\n_bench(1)"))
		f.say("a timer of the SDK\r\n" + ready + "\r\n")
		if err := f.serve(); err != nil {
			f.post(frame{kindError, 0, []byte(err.Error())})
		}
		f.park()
	}
	f.say("\x04" + text + "\x04>")
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
	return frame{kindHello, 0, append(p, m...)}
}

var errSilentHost = errors.New("the host was silent")

func (f *fake) receive() (frame, error) {
	wait := f.silence
	if wait == 0 {
		wait = 2 * time.Second
	}
	f.port.SetReadDeadline(time.Now().Add(wait))
	head, err := f.in.Peek(headerSize)
	f.port.SetReadDeadline(time.Time{})
	if err != nil {
		return frame{}, errSilentHost
	}
	if head[0] != magic {
		return frame{}, errors.New("damaged header")
	}
	b := make([]byte, headerSize+int(binary.LittleEndian.Uint16(head[4:]))+crcSize)
	if _, err := io.ReadFull(f.in, b); err != nil {
		return frame{}, err
	}
	fr, _, err := parseFrame(b)
	return fr, err
}
