package rp2040

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"utfbench/internal/printable"
)

//go:embed loader.py
var loader []byte

// errDamaged reports a text that was damaged on the way to or from the board, so that its check sum is wrong.
var errDamaged = errors.New("damaged on the way: bytes were lost or changed between host and board (try " +
	"another cable or port)")

// errMemory reports a board that ran out of memory.
var errMemory = errors.New("the board's memory is full: reset it, or run bench park --reboot")

// Is matches errors by the text of the board's traceback.
func (e *execError) Is(target error) bool {
	switch target {
	case errMemory:
		return strings.Contains(e.text, "MemoryError")
	case errDamaged:
		return strings.Contains(e.text, "damaged on the way") || strings.Contains(e.text, "SyntaxError")
	}
	return false
}

// stored matches the check sum that the board reports for the loader's text.
var stored = printable.LazyRegexp(`bench-stored (\d+)\s`)

// load sends loader.py, and retries once if it is damaged.
func (l *link) load(ctx context.Context) error {
	err := l.loadOnce(ctx)
	if errors.Is(err, errDamaged) {
		err = l.loadOnce(ctx)
	}
	return err
}

// loadOnce sends the loader. The three lines that it sends have no check sum, but a flipped bit cannot make the board
// run a different text: in the first line it changes the sum, and in the others it causes an error or no answer.
func (l *link) loadOnce(ctx context.Context) error {
	text := strings.Join(pieces(loader), "")
	if _, err := l.run(ctx, "bench_loader={'text':"+quote(text)+"}"); err != nil {
		return err
	}
	said, err := l.run(ctx, "import binascii\nprint('bench-stored',binascii.crc32(bench_loader['text'])&0xffffffff)")
	if err != nil {
		return err
	}
	sum := stored().FindStringSubmatch(said)
	if sum == nil || sum[1] != strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(text))), 10) {
		return errDamaged
	}
	_, err = l.run(ctx, "exec(bench_loader.pop('text'),bench_loader)")
	return err
}

// do runs a piece of Python in the loader's dictionary and returns its output. A damaged piece is sent once more.
func (l *link) do(ctx context.Context, piece string) (string, error) {
	said, err := l.run(ctx, checked(piece))
	if errors.Is(err, errDamaged) {
		said, err = l.run(ctx, checked(piece))
	}
	return said, err
}

func checked(piece string) string {
	return fmt.Sprintf("bench_loader['do'](%s,%d)", quote(piece), crc32.ChecksumIEEE([]byte(piece)))
}

// quote formats ASCII text as a literal, which is the same in Python and Go.
func quote(text string) string { return strconv.QuoteToASCII(text) }

func (l *link) unload(ctx context.Context) error {
	_, err := l.run(ctx, "globals().pop('bench_loader',0)\nimport gc\ngc.collect()")
	return err
}

// answerLine matches the output of say().
var answerLine = printable.LazyRegexp(`\nbench-answer:([0-9a-f]{8}) ([^\r\n]*)`)

// ask calls a function of the board that answers with say(). It ignores other output, such as the SDK's log.
func (l *link) ask(ctx context.Context, answer any, call string) error {
	said, err := l.do(ctx, call)
	if err != nil {
		return err
	}
	m := answerLine().FindStringSubmatch(said)
	if m == nil {
		return fmt.Errorf("the board gave no answer to %s: it said %q", call, shorten(said))
	}
	if m[1] != fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(m[2]))) {
		return errDamaged
	}
	if err := printable.Decode([]byte(m[2]), answer); err != nil {
		return fmt.Errorf("the board's answer to %s is invalid: %q", call, shorten(m[2]))
	}
	return nil
}

// shorten returns the end of a board's output, for a message.
func shorten(said string) string {
	const limit = 200
	if len(said) > limit {
		return "... " + said[len(said)-limit:]
	}
	return said
}
