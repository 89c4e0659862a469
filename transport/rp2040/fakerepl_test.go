package rp2040

import (
	"fmt"
	"hash/crc32"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const banner = "MicroPython v1.24.0 on 2024-10-25; Raspberry Pi Pico with RP2040\r\nType \"help()\" for " +
	"more information.\r\n"

func (f *fake) run() {
	if f.starting > 0 {
		f.mainPy()
	}
	var line []byte
	for raw := false; ; {
		b, err := f.readByte()
		if err != nil {
			return
		}
		if f.echo && b == 3 {
			f.say("^C")
		}
		switch {
		case f.notPython:
			f.say("login: ")
		case raw && b == 1 && string(line) == paste[:1]+"A":
			if line, err = nil, f.paste(); err != nil {
				return
			}
		case b == 1:
			raw, line = true, nil
			f.say("\r\n" + rawBanner + "\r\n>")
		case b == 2:
			raw, line = false, nil
			f.set(func() { f.atREPL = true })
			f.say("\r\n" + banner + ">>> ")
		case b == 3:
			line = nil
			if !raw {
				f.say("\r\n\x1b[32m>>> ")
			}
		case b == 4 && raw && len(line) == 0:
			f.say("OK\r\nMPY: soft reboot\r\n" + rawBanner + "\r\n>")
			f.set(func() { f.clears++ })
			f.loader, f.memory = fakeLoader{}, f.room
		case b == 4 && raw:
			f.say("OK")
			f.execute(string(line))
			line = nil
		case b == 4 && len(line) == 0:
			f.say("\r\nMPY: soft reboot\r\n")
			f.loader = fakeLoader{}
			f.mainPy()
		case raw || b != '\r':
			line = append(line, b)
		default:
			line = nil
			f.say("\r\n>>> ")
		}
	}
}

func (f *fake) readByte() (byte, error) {
	if len(f.pending) == 0 {
		return f.in.ReadByte()
	}
	b := f.pending[0]
	f.pending = f.pending[1:]
	return b, nil
}

// mainPy simulates a start. Input is read afterwards, except a Ctrl-C, which ends the start at once.
func (f *fake) mainPy() {
	f.set(func() { f.starts++; f.ruined = false })
	f.port.SetReadDeadline(time.Now().Add(f.starting))
	for {
		f.say("\x1b[33mttboard: starting\x1b[0m\r\n")
		b, err := f.in.ReadByte()
		if err != nil {
			break
		}
		if b == 3 {
			f.set(func() { f.ruined = true })
			break
		}
		f.pending = append(f.pending, b)
	}
	f.port.SetReadDeadline(time.Time{})
	f.say(banner + ">>> ")
}

// paste implements raw paste. If the code exceeds the memory, it ends the paste, and ignores input until the host does.
func (f *fake) paste() error {
	f.say("R\x01\x40\x00\x01")
	var code []byte
	for n, full := 0, false; ; {
		b, err := f.readByte()
		switch {
		case err != nil:
			return err
		case full && (b == 3 || b == 4):
			f.report(memoryError)
			return nil
		case full:
		case b == 3:
			f.say("\x04")
			f.report("Traceback (most recent call last):\r\n  File \"<stdin>\", line 1\r\nKeyboardInterrupt: \r\n")
			return nil
		case b == 4:
			f.say("\x04")
			f.execute(string(code))
			return nil
		default:
			code = append(code, b)
			if full = f.tooMuch(len(code)); full {
				f.say("\x04")
			} else if n++; n%64 == 0 {
				f.say("\x01")
			}
		}
	}
}

const memoryError = "Traceback (most recent call last):\r\nMemoryError: memory allocation failed, " +
	"allocating 4992 bytes\r\n"

func (f *fake) tooMuch(n int) bool { return f.memory > 0 && f.loader.taken+n > f.memory }

// report ends the execution of code with an error text or none.
func (f *fake) report(text string) { f.say("\x04" + text + "\x04>") }

func (f *fake) execute(code string) {
	if f.tooMuch(len(code)) {
		f.report(memoryError)
		return
	}
	f.report(f.loader.run(f, code))
}

// A fakeLoader behaves like loader.py, including the lines that install it.
type fakeLoader struct {
	text   string
	loaded bool
	taken  int // bytes of code
}

// doLine matches a piece with its check sum.
var doLine = regexp.MustCompile(`(?s)^bench_loader\['do'\]\((.*),(\d+)\)$`)

func (l *fakeLoader) run(f *fake, code string) string {
	quoted, ok := strings.CutPrefix(code, "bench_loader={'text':")
	switch {
	case ok:
		text, err := strconv.Unquote(strings.TrimSuffix(quoted, "}"))
		if err != nil {
			return traceback("SyntaxError: invalid syntax")
		}
		l.text, l.taken = text, len(text)
	case strings.HasPrefix(code, "print("):
		f.say("bench in step " + code[strings.LastIndexByte(code, ' ')+1:len(code)-1] + "\r\n")
	case strings.HasPrefix(code, "import binascii\nprint("):
		f.say(fmt.Sprintf("bench-stored %d\r\n", crc32.ChecksumIEEE([]byte(l.text))))
	case strings.HasPrefix(code, "exec("):
		l.loaded = l.text != ""
	case strings.HasPrefix(code, "globals().pop("):
		*l = fakeLoader{}
	case l.loaded && doLine.MatchString(code):
		m := doLine.FindStringSubmatch(code)
		piece, err := strconv.Unquote(m[1])
		if sum := fmt.Sprint(crc32.ChecksumIEEE([]byte(piece))); err != nil || sum != m[2] {
			return traceback("ValueError: damaged on the way to the board")
		}
		l.taken += len(piece)
		return f.do(piece)
	default:
		return traceback("NameError: name isn't defined")
	}
	return ""
}

func traceback(last string) string {
	return "Traceback (most recent call last):\r\n  File \"<stdin>\", line 1, in <module>\r\n" + last + "\r\n"
}

// do recognises definitions, the start of the step program, and queries; every query gets the same answer.
func (f *fake) do(piece string) string {
	switch {
	case f.noViper && strings.Contains(piece, decorator):
		return traceback("SyntaxError: invalid micropython decorator")
	case strings.Contains(piece, "def "):
	case !strings.HasPrefix(piece, "serve("):
		f.say(f.answer)
		return f.answerError
	case f.crash:
		return traceback("OSError: [Errno 5] EIO")
	default:
		viper := 0
		fmt.Sscanf(piece, "serve(%d, %d)", &viper, &f.told)
		f.viper = viper == 1
		f.say("a timer of the SDK\r\n" + ready)
		if err := f.serve(); err != nil {
			f.post(frame{kindError, 0, []byte(err.Error())})
		}
		f.park()
	}
	return ""
}
