package rp2040

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Control characters of MicroPython's REPL.
const (
	rawMode   = "\x01" // Ctrl-A
	plainMode = "\x02"
	interrupt = "\x03"
	endOfText = "\x04"
	paste     = "\x05A\x01"
)

// replPatience is how long the REPL may take for an answer. Compiling the program takes a board a fraction of it.
const replPatience = 2 * time.Second

var errNoMicroPython = errors.New("no MicroPython at the port: is it the right one, and does the board run MicroPython? (nothing answered Ctrl-C and Ctrl-A)")

// An execError is the traceback of code that the board would not run.
type execError struct{ text string }

func (e *execError) Error() string {
	lines := strings.Split(strings.TrimSpace(e.text), "\n")
	return fmt.Sprintf("the board stopped the bench's program: %q", strings.TrimSpace(lines[len(lines)-1]))
}

// enterRaw brings the board into the raw REPL, whatever it is doing: at its prompt, in a program, or in an earlier bench's
// step loop, which Ctrl-C does not stop but a damaged frame does.
func (l *link) enterRaw(ctx context.Context) error {
	for attempt := range 4 {
		wake := "\r" + interrupt
		if attempt == 2 {
			wake = strings.Repeat("\r", maxPayload+headerSize+crcSize) + wake
		}
		err := l.tryRaw(ctx, wake, attempt)
		if !errors.Is(err, errQuiet) {
			return err
		}
	}
	return errNoMicroPython
}

// tryRaw waits longer at each attempt, for a board that is slow and not silent.
func (l *link) tryRaw(ctx context.Context, wake string, attempt int) error {
	if err := l.send([]byte(wake)); err != nil {
		return err
	}
	if err := l.drain(ctx, 50*time.Millisecond); err != nil {
		return err
	}
	if err := l.send([]byte("\r" + rawMode)); err != nil {
		return err
	}
	if _, err := l.until(ctx, replPatience/4<<attempt, "raw REPL; CTRL-B to exit"); err != nil {
		return err
	}
	return l.synchronise(ctx, attempt)
}

// synchronise has the board print something of its own: all that it said before, a late banner too, is behind it then, and so
// is a late answer to an earlier attempt.
func (l *link) synchronise(ctx context.Context, attempt int) error {
	if err := l.send([]byte(fmt.Sprintf("print('bench', 'in', 'step', %d)", attempt) + endOfText)); err != nil {
		return err
	}
	if _, err := l.until(ctx, replPatience, fmt.Sprintf("bench in step %d", attempt)); err != nil {
		return err
	}
	_, err := l.until(ctx, replPatience, endOfText+endOfText+">")
	return err
}

// leaveRaw goes back to the prompt that people use.
func (l *link) leaveRaw(ctx context.Context) error {
	if err := l.send([]byte("\r" + plainMode)); err != nil {
		return err
	}
	_, err := l.until(ctx, replPatience, ">>> ")
	return err
}

// exec sends code and starts it. What the code prints comes next.
func (l *link) exec(ctx context.Context, code []byte) error {
	window, err := l.offerPaste(ctx)
	if err != nil {
		return err
	}
	if window > 0 {
		return l.paste(ctx, code, window)
	}
	if err := l.send(append(bytes.Clone(code), endOfText...)); err != nil {
		return err
	}
	if before, err := l.until(ctx, replPatience, "OK"); err != nil {
		return fmt.Errorf("the raw REPL did not take the program (it said %q): %w", before, err)
	}
	return nil
}

// offerPaste asks for raw paste; the window is 0 when the board has none.
func (l *link) offerPaste(ctx context.Context) (window int, err error) {
	if err := l.send([]byte(paste)); err != nil {
		return 0, err
	}
	answer, err := l.take(ctx, replPatience, 2)
	switch {
	case err != nil:
		return 0, fmt.Errorf("no answer to the offer of raw paste: %w", err)
	case string(answer) == "R\x01":
		w, err := l.take(ctx, replPatience, 2)
		if err != nil {
			return 0, err
		}
		return int(binary.LittleEndian.Uint16(w)), nil
	case string(answer) == "R\x00":
		return 0, l.drain(ctx, 20*time.Millisecond)
	}
	// Firmware before 1.14 takes it for a new Ctrl-A and shows its banner again.
	_, err = l.until(ctx, replPatience, "\n>")
	return 0, err
}

// paste sends code as fast as the board's window opens.
func (l *link) paste(ctx context.Context, code []byte, window int) error {
	for room := window; len(code) > 0; {
		for room == 0 || len(l.rest) > 0 {
			b, err := l.take(ctx, replPatience, 1)
			if err != nil {
				return fmt.Errorf("raw paste: %w", err)
			}
			if b[0] != 0x01 {
				l.send([]byte(endOfText))
				return fmt.Errorf("the board ended raw paste early, with %q: is its memory full? (reset it)", b)
			}
			room += window
		}
		n := min(room, len(code))
		if err := l.send(code[:n:n]); err != nil {
			return err
		}
		code, room = code[n:], room-n
	}
	if err := l.send([]byte(endOfText)); err != nil {
		return err
	}
	_, err := l.until(ctx, replPatience, endOfText)
	return err
}

// run runs code to its end and returns what it printed.
func (l *link) run(ctx context.Context, code []byte) (string, error) {
	if err := l.exec(ctx, code); err != nil {
		return "", err
	}
	said, err := l.until(ctx, askPatience, endOfText)
	if err != nil {
		return "", err
	}
	text, err := l.until(ctx, replPatience, endOfText)
	if err != nil {
		return "", err
	}
	if _, err := l.until(ctx, replPatience, ">"); err != nil {
		return "", err
	}
	if text != "" {
		return "", &execError{text}
	}
	return said, nil
}

// ready is what the program prints before its first frame.
const ready = "bench-ready"

// start runs the program until it speaks frames.
func (l *link) start(ctx context.Context, program []byte) error {
	if err := l.exec(ctx, program); err != nil {
		return err
	}
	for {
		if _, after, ok := bytes.Cut(l.rest, []byte(ready)); ok && bytes.IndexByte(after, '\n') >= 0 {
			l.rest = after[bytes.IndexByte(after, '\n')+1:]
			return nil
		}
		if i := bytes.IndexByte(l.rest, endOfText[0]); i >= 0 {
			l.rest = l.rest[i+1:]
			text, err := l.until(ctx, replPatience, endOfText)
			if err != nil {
				return err
			}
			if _, err := l.until(ctx, replPatience, ">"); err != nil {
				return err
			}
			return &execError{text}
		}
		if err := l.more(ctx, 2*replPatience); err != nil {
			return fmt.Errorf("the program was sent, and does not start: %w", err)
		}
	}
}
