package rp2040

import (
	"bytes"
	"cmp"
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

// Output of the REPL.
const (
	prompt    = ">>> "
	rawBanner = "raw REPL; CTRL-B to exit"
)

// replPatience is the timeout of the REPL. A board compiles the program in a fraction of it.
const replPatience = 2 * time.Second

var errNoMicroPython = errors.New("no MicroPython at the port: is it the right one, and does the board run " +
	"MicroPython? (nothing answered Ctrl-C and Ctrl-A)")

// An execError is the traceback of code that failed on the board.
type execError struct{ text string }

func (e *execError) Error() string {
	for _, known := range []error{errDamaged, errMemory} {
		if errors.Is(e, known) {
			return known.Error()
		}
	}
	lines := strings.Split(strings.TrimSpace(e.text), "\n")
	return fmt.Sprintf("the board stopped the bench's program: %q", strings.TrimSpace(lines[len(lines)-1]))
}

// Timeouts for a board that is busy when the bench connects. Tiny Tapeout's SDK takes 4.4 to 5.6 s to start on an
// RP2040 (2.0.4, measured in an emulator without flash wait states, so silicon is slower) and 1.3 s on an RP2350
// (3.0.6), and prints continuously. A Ctrl-C during the SDK's start would leave no tt, or one with a wrong shuttle.
const (
	wakePatience  = 500 * time.Millisecond // an idle prompt responds at once
	quietPatience = 5 * time.Second        // after this silence, no start is in progress
	startPatience = 30 * time.Second       // maximum duration of a start, even if it prints
)

// enterRaw enters the raw REPL from any state: the prompt, a start, a program, or an earlier bench's step loop, which
// ignores Ctrl-C but ends at a damaged frame.
func (l *link) enterRaw(ctx context.Context) error {
	if err := l.awaitPrompt(ctx); err != nil && !errors.Is(err, errQuiet) {
		return err
	}
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

// awaitPrompt requests the prompt without Ctrl-C and waits for any running program to end. The line ends that it sends
// form an invalid header, which ends an earlier bench's step loop.
func (l *link) awaitPrompt(ctx context.Context) error {
	if err := l.send([]byte(strings.Repeat("\r", headerSize) + plainMode)); err != nil {
		return err
	}
	_, err := l.until(ctx, l.slow(wakePatience), prompt)
	for end := time.Now().Add(l.slow(startPatience)); errors.Is(err, errQuiet) && time.Now().Before(end); {
		said := len(l.rest)
		if _, err = l.until(ctx, l.slow(quietPatience), prompt); len(l.rest) == said {
			break
		}
		if keep := len(l.rest) - len(prompt); keep > keptMost/2 {
			l.rest = l.rest[keep:]
		}
	}
	return err
}

// tryRaw tries to enter the raw REPL. It waits longer at each attempt, for boards that are slow but not silent.
func (l *link) tryRaw(ctx context.Context, wake string, attempt int) error {
	if err := l.send([]byte(wake)); err != nil {
		return err
	}
	if err := l.drain(ctx, 50*time.Millisecond); err != nil {
		return err
	}
	began := time.Now()
	if err := l.send([]byte("\r" + rawMode)); err != nil {
		return err
	}
	if _, err := l.until(ctx, l.slow(replPatience/4<<attempt), rawBanner); err != nil {
		return err
	}
	l.latency = time.Since(began) // an estimate, until synchronise measures the latency
	return l.synchronise(ctx, attempt)
}

// synchronise makes the board print a unique text, which all earlier output precedes, such as a late banner or answer.
func (l *link) synchronise(ctx context.Context, attempt int) error {
	began := time.Now()
	if err := l.send([]byte(fmt.Sprintf("print('bench', 'in', 'step', %d)", attempt) + endOfText)); err != nil {
		return err
	}
	if _, err := l.until(ctx, l.slow(replPatience), fmt.Sprintf("bench in step %d", attempt)); err != nil {
		return err
	}
	l.latency = 0
	l.measure(began)
	_, err := l.until(ctx, l.slow(replPatience), endOfText+endOfText+">")
	return err
}

func (l *link) leaveRaw(ctx context.Context) error {
	if err := l.send([]byte("\r" + plainMode)); err != nil {
		return err
	}
	_, err := l.until(ctx, l.slow(replPatience), prompt)
	return err
}

// exec sends and starts code by raw paste (MicroPython 1.14 or later). The caller reads the code's output.
func (l *link) exec(ctx context.Context, code []byte) error {
	if err := l.send([]byte(paste)); err != nil {
		return err
	}
	answer, err := l.take(ctx, l.slow(replPatience), 4)
	switch {
	case err != nil:
		return fmt.Errorf("no answer to the offer of raw paste: %w", err)
	case string(answer[:2]) != "R\x01":
		return fmt.Errorf("the board answers %q to the offer of raw paste: MicroPython 1.14 or newer is needed", answer)
	}
	return l.paste(ctx, code, int(binary.LittleEndian.Uint16(answer[2:])))
}

// paste sends code as fast as the board's window allows. A board that fails to compile the code ends the paste early,
// ignores the rest until the host also ends the paste, and then reports the error like any other.
func (l *link) paste(ctx context.Context, code []byte, window int) error {
	for room, early := window, false; len(code) > 0 && !early; {
		for room == 0 || len(l.rest) > 0 {
			b, err := l.take(ctx, l.slow(replPatience), 1)
			if err != nil {
				return fmt.Errorf("raw paste: %w", err)
			}
			if early = b[0] == endOfText[0]; early {
				break
			}
			if b[0] != 0x01 {
				return fmt.Errorf("the board said %q in a raw paste: %w", b, errDamaged)
			}
			room += window
		}
		if early {
			return l.send([]byte(endOfText))
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
	_, err := l.until(ctx, l.slow(replPatience), endOfText)
	return err
}

func (l *link) run(ctx context.Context, code string) (string, error) {
	began := time.Now()
	if err := l.exec(ctx, []byte(code)); err != nil {
		return "", err
	}
	said, err := l.until(ctx, l.slow(askPatience), endOfText)
	if err != nil {
		return "", err
	}
	l.measure(began)
	return l.outcome(ctx, said, l.rest)
}

func (l *link) outcome(ctx context.Context, said string, rest []byte) (string, error) {
	l.rest = rest
	text, err := l.until(ctx, l.slow(replPatience), endOfText)
	if err != nil {
		return "", err
	}
	if _, err := l.until(ctx, l.slow(replPatience), ">"); err != nil {
		return "", err
	}
	if text != "" {
		return "", &execError{text}
	}
	return said, nil
}

// ready is printed by the program before its first frame.
const ready = "bench-ready\r\n"

func (l *link) start(ctx context.Context, code string) error {
	if err := l.exec(ctx, []byte(code)); err != nil {
		return err
	}
	end := time.Now().Add(l.slow(2 * replPatience))
	for {
		if _, after, ok := bytes.Cut(l.rest, []byte(ready)); ok {
			l.rest = after
			return nil
		}
		if i := bytes.IndexByte(l.rest, endOfText[0]); i >= 0 {
			_, err := l.outcome(ctx, string(l.rest[:i]), l.rest[i+1:])
			return cmp.Or(err, errors.New("the step program ended at once"))
		}
		if len(l.rest) > keptMost {
			return fmt.Errorf("the board prints endlessly, and the step program does not start: %w", errQuiet)
		}
		if err := l.more(ctx, time.Until(end)); err != nil {
			return fmt.Errorf("the step program was sent but does not start: %w", err)
		}
	}
}

// softReset clears the board's memory by a soft reset in the raw REPL, which takes 22 ms (MicroPython 1.24). Pin
// levels, the selected design and the frequency survive; main.py does not run.
func (l *link) softReset(ctx context.Context) error {
	if err := l.send([]byte(endOfText)); err != nil {
		return err
	}
	if _, err := l.until(ctx, l.slow(askPatience), rawBanner); err != nil {
		return fmt.Errorf("after a soft reset: %w", err)
	}
	return l.synchronise(ctx, 9)
}

// reboot restarts the board as at power-up and waits, without sending anything, until main.py ends.
func (l *link) reboot(ctx context.Context) error {
	if err := l.leaveRaw(ctx); err != nil {
		return err
	}
	if err := l.send([]byte(endOfText)); err != nil {
		return err
	}
	_, err := l.until(ctx, l.slow(startPatience), prompt)
	if err != nil {
		return fmt.Errorf("main.py was run again, but the prompt does not appear: %w", err)
	}
	return nil
}

// recover restores the prompt from any state: a truncated paste, running code, or a step loop, which line ends stop.
// Its timeouts are short, since a user may be waiting.
func (l *link) recover(ctx context.Context) error {
	if err := l.send([]byte(strings.Repeat("\r", headerSize) + interrupt + interrupt)); err != nil {
		return err
	}
	if err := l.drain(ctx, 50*time.Millisecond); err != nil {
		return err
	}
	if err := l.tryRaw(ctx, interrupt, 2); err != nil {
		return err
	}
	if err := l.unload(ctx); err != nil {
		return err
	}
	return l.leaveRaw(ctx)
}
